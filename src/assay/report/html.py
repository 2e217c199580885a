"""The environment of every template, which escapes each value and shows what is hidden in it."""

from collections.abc import Callable

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from assay.report.display import clip, format_faults, show_hidden


def build_environment(*packages: str, finish: Callable[[object], object] | None = None) -> Environment:
    """With the templates of `packages` and those of reports. `finish` escapes for another format than HTML."""
    # The templates are ours; the sandbox limits what a mistake in one of them could reach.
    environment = ImmutableSandboxedEnvironment(
        loader=ChoiceLoader([PackageLoader(package, "templates") for package in (*packages, "assay.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finish or _finish,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"clip": clip, "faults": format_faults, "attribute": _escape_attribute}
    return environment


def _escape_attribute(value: str) -> Markup:
    """Of XML, which reads a line break in an attribute as a space."""
    return Markup(str(escape(show_hidden(value))).replace("\n", "&#10;"))  # noqa: S704  # escaped on this line


def _finish(value: object) -> object:
    """Every value that a template prints passes here, so that none can be forgotten. None prints nothing."""
    if isinstance(value, Markup):
        return value
    return "" if value is None else show_hidden(str(value))
