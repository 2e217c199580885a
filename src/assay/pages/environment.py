"""The templates' surroundings: everything is escaped, nothing undefined is printed, nothing hidden stays hidden."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from assay.pages.links import find_link
from assay.pages.visible import show_hidden
from assay.report.screening import say_screening


def build_environment() -> Environment:
    """One for the self-contained report and for the live pages; the same object on every call."""
    return _build()


@cache
def _build() -> Environment:
    # The templates are ours; the sandbox is for the day when one hands a value of a record more than it should.
    environment = ImmutableSandboxedEnvironment(
        loader=PackageLoader("assay.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finish,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["link"] = find_link
    environment.filters["count"] = say_count
    environment.filters["goodness"] = say_goodness
    environment.filters["shorten"] = shorten
    environment.filters["screening"] = say_screening
    return environment


def _finish(value: object) -> object:
    """Every value a template prints passes here, so that none can be forgotten. None prints nothing."""
    if isinstance(value, Markup):
        return value
    return "" if value is None else show_hidden(str(value))


def say_count(value: int) -> str:
    """Thousands stand apart: 1 234 567."""
    return f"{value:,}".replace(",", "\u202f")


def shorten(text: str, most: int = 200) -> str:
    """One line of a text, cut at a word where there is one."""
    flat = " ".join(text[: most * 4].split())
    if len(flat) <= most:
        return flat
    return (flat[: most - 1].rsplit(" ", 1)[0] or flat[: most - 1]) + " …"


def say_goodness(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
