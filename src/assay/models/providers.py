"""The providers one can name: how each is addressed and what its endpoint takes, as entries of one table."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Literal, TypeGuard, get_args

from assay.errors import InputError

SETTINGS: Final = "assay.toml"
PYPROJECT: Final = "pyproject.toml"
_HEADING: Final = re.compile(r"\s*\[+\s*([^]]+?)\s*\]+")


@dataclass(frozen=True, slots=True)
class TomlText:
    """Knows where entries stand, which a parsed table no longer does. Its headings begin with `prefix`."""

    path: str
    text: str
    prefix: str = ""

    def fault(self, message: str, heading: str = "", column: str = "", place: int = 0, *, remedy: str) -> InputError:
        return InputError(message, path=self.path, line=self.find_line(heading, column, place), remedy=remedy)

    def find_line(self, heading: str = "", column: str = "", place: int = 0) -> int | None:
        """The line of a column in the table with this heading, else of the heading. `place` counts equal headings."""
        # What belongs to the file as a whole stands before its first heading.
        table, opened = ("", 0), Counter[str]()
        lines: dict[tuple[tuple[str, int], str], int] = {}
        for number, line in enumerate(self.text.splitlines(), 1):
            if found := _HEADING.fullmatch(line.partition("#")[0].rstrip()):
                name = found[1].replace('"', "")
                table = (name, opened[name])
                opened[name] += 1
                lines[table, ""] = number
            elif line.strip():
                lines.setdefault((table, line.partition("=")[0].strip().strip("\"'")), number)
        wanted = ((self.prefix + heading).rstrip("."), place)
        return lines.get((wanted, column), lines.get((wanted, "")))


def read_settings_file(path: Path) -> tuple[TomlText, Any]:
    """The text and its table, which is None where a `pyproject.toml` has no `[tool.assay]`."""
    try:
        text = path.read_text("utf-8")
        entries: Any = tomllib.loads(text)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror})", path=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        remedy = 'Write `KEY = VALUE` in each line, with texts in quotes: `judge = "embedded"`.'
        raise InputError(f"is not TOML: {error}", path=str(path), remedy=remedy) from None
    if path.name != PYPROJECT:
        return TomlText(str(path), text), entries
    for name in ("tool", "assay"):
        entries = entries.get(name) if isinstance(entries, dict) else None
    return TomlText(str(path), text, "tool.assay."), entries


Wire = Literal["openai", "anthropic"]
Limit = Literal["max_tokens", "max_completion_tokens"]
Reasoning = Literal["none", "reasoning_effort", "thinking", "effort"]
Caching = Literal["none", "automatic", "marked", "breakpoints"]
Batch = Literal["none", "openai", "anthropic"]

# The ways to ask for a schema in each format, the best first.
FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "openai": ("json_schema", "json_object"),
    "anthropic": ("tool", "output_config"),
}
# The ways to set the effort in each format.
REASONING: Final[Mapping[str, tuple[Reasoning, ...]]] = {
    "openai": ("none", "reasoning_effort"),
    "anthropic": ("none", "thinking", "effort"),
}
RESERVED: Final = ("embedded", "local", "recorded")
_KEY_HEADERS: Final[Mapping[str, str]] = {"openai": "Authorization", "anthropic": "x-api-key"}
_TABLE: Final = "providers.toml"
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
_VARIABLE: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class ModelRule:
    """What holds for models of these names and not for others of their provider. Names are patterns."""

    names: tuple[str, ...]
    values: Mapping[str, Any]

    def matches(self, model: str) -> bool:
        """The part before the last slash names the maker of the model."""
        name = model.rpartition("/")[2].lower()
        return any(fnmatchcase(name, pattern) for pattern in self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An entry of the table; `providers.toml` says what each column means."""

    name: str
    wire: Wire
    base_url: str
    base_url_variable: str = ""
    key_variable: str = ""
    key_header: str = "Authorization"
    schema: tuple[str, ...] = ()
    shares_schema: bool = False
    limit: Limit = "max_tokens"
    temperature: bool = True
    reasons: bool = False
    reasoning: Reasoning = "none"
    caching: Caching = "none"
    cache_min_tokens: int = 0
    batch: Batch = "none"
    context_tokens: int | None = None
    models: tuple[ModelRule, ...] = ()

    def for_model(self, model: str) -> "Provider":
        """The entry with what holds for this model."""
        values = {name: value for rule in self.models if rule.matches(model) for name, value in rule.values.items()}
        return replace(self, **values, models=())

    def find_base_url(self, environment: Mapping[str, str]) -> str:
        """The provider's own address. Raises InputError where it depends on a variable that is not set."""
        for variable in _VARIABLE.findall(self.base_url):
            if not environment.get(variable, "").strip():
                remedy = f"Set it, or write the address after the model: {self.name}:MODEL@https://HOST/v1"
                raise InputError(f"{variable} is not set, which is part of {self.name}'s address", remedy=remedy)
        return _VARIABLE.sub(lambda found: environment[found[1]].strip().rstrip("/"), self.base_url).rstrip("/")


_COLUMNS: Final = tuple(each.name for each in fields(Provider) if each.name != "name")
_CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "wire": get_args(Wire),
    "limit": get_args(Limit),
    "caching": get_args(Caching),
    "batch": get_args(Batch),
}
_TEXTS: Final = ("base_url", "base_url_variable", "key_variable", "key_header")
_COUNTS: Final = ("cache_min_tokens", "context_tokens")
# Where a provider is asked and in which format can't depend on the model.
_OF_MODELS: Final = tuple(name for name in _COLUMNS if name not in (*_TEXTS, "wire", "batch", "models"))


_EXAMPLE: Final = 'Write `[providers.NAME]`, then `wire = "openai"` and `base_url = "https://HOST/v1"`.'


def read_providers(path: Path | None = None) -> Mapping[str, Provider]:
    """By name: the shipped ones, and those of `[providers.NAME]` in a user's file, such as `assay.toml`.

    A shipped name can't be given to another address: its key would go there.
    """
    shipped, shared = _read_shipped()
    if path is None:
        return shipped
    file, settings = read_settings_file(path)
    entries = settings.get("providers", {}) if isinstance(settings, dict) else {}
    table = _ProviderTable(file.path, file.text, f"{file.prefix}providers.")
    if not isinstance(entries, dict):
        raise table.fault("`providers` is not a table", remedy=_EXAMPLE)
    own = {}
    for name, entry in entries.items():
        if name in shipped or name in RESERVED:
            raise table.fault(f'"{name}" is the name of a shipped judge', name, remedy="Give yours another name")
        if not _NAME.fullmatch(name):
            remedy = "Write lower-case letters, digits, - and _, beginning with a letter"
            raise table.fault(f'"{name}" can\'t be the name of a provider', name, remedy=remedy)
        own[name] = table.read_provider(name, entry, shared)
    return {**shipped, **own}


@cache
def _read_shipped() -> tuple[Mapping[str, Provider], tuple[ModelRule, ...]]:
    """The shipped providers, and the rules for models that hold whoever serves them."""
    text = files(__package__).joinpath(_TABLE).read_text("utf-8")
    entries, table = tomllib.loads(text), _ProviderTable(_TABLE, text)
    shared = table.read_rules(entries.pop("models"), "models", "openai")
    return {name: table.read_provider(name, entry, shared) for name, entry in entries.items()}, shared


class _ProviderTable(TomlText):
    """Reads the entries of the table of providers."""

    __slots__ = ()

    def read_provider(self, name: str, entry: object, shared: tuple[ModelRule, ...]) -> Provider:
        if not isinstance(entry, dict):
            raise self.fault(f'"{name}" is not a table', name, remedy=_EXAMPLE)
        missing = next((column for column in ("wire", "base_url") if column not in entry), None)
        if missing is not None:
            raise self.fault(f'"{name}" lacks `{missing} = "…"` in its table', name, remedy=_EXAMPLE)
        read = {column: value for column, value in entry.items() if column != "models"}
        wire = self._read_values({"wire": entry["wire"]}, "", name)["wire"]
        values = {"key_header": _KEY_HEADERS[wire], "schema": FORMATS[wire], **self._read_values(read, wire, name)}
        own = self.read_rules(entry.get("models", []), f"{name}.models", wire)
        return Provider(name=name, **values, models=(*shared, *own))

    def read_rules(self, entries: object, heading: str, wire: str) -> tuple[ModelRule, ...]:
        remedy = f'Write `[[{self.prefix}{heading}]]`, then `names = ["MODEL*"]` and what differs'
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise self.fault("`models` is not a list of tables", heading, remedy=remedy)
        rules = []
        for place, entry in enumerate(entries):
            names = entry.pop("names", None)
            if not _is_list_of_texts(names) or not names:
                raise self.fault("`names` is not a list of model names", heading, "names", place, remedy=remedy)
            fixed = next((column for column in entry if column in _COLUMNS and column not in _OF_MODELS), None)
            if fixed is not None:
                known = f"Those that can: {', '.join(_OF_MODELS)}"
                raise self.fault(f"`{fixed}` can't depend on the model", heading, fixed, place, remedy=known)
            values = self._read_values(entry, wire, heading, place)
            rules.append(ModelRule(tuple(each.lower() for each in names), values))
        return tuple(rules)

    def _read_values(self, entry: Mapping[str, Any], wire: str, heading: str, place: int = 0) -> dict[str, Any]:
        for column, value in entry.items():
            if column not in _COLUMNS:
                near = get_close_matches(column, _COLUMNS, 1)
                remedy = f"Did you mean `{near[0]}`?" if near else f"Known are {', '.join(_COLUMNS)}"
                raise self.fault(f"`{column}` is not a column", heading, column, place, remedy=remedy)
            wanted = _find_fault(column, value, wire)
            if wanted is not None:
                message = f"`{column}` is {value!r:.60}"
                raise self.fault(message, heading, column, place, remedy=f"Write {wanted}")
        return {column: tuple(value) if isinstance(value, list) else value for column, value in entry.items()}


def _find_fault(column: str, value: object, wire: str) -> str | None:
    """What a column takes, where the value is something else."""
    if column in _CHOICES or column == "reasoning":
        choices = _CHOICES.get(column) or REASONING[wire]
        return None if value in choices else f"one of {', '.join(choices)}"
    if column in _TEXTS:
        return None if isinstance(value, str) and value.isascii() and value.isprintable() else "a text"
    if column in _COUNTS:
        return None if type(value) is int and value >= 0 else "a number of tokens"
    if column == "schema":
        is_right = _is_list_of_texts(value) and set(value) <= set(FORMATS[wire])
        return None if is_right else f"a list of {' and '.join(FORMATS[wire])}, or an empty one"
    return None if isinstance(value, bool) else "true or false"


def _is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
