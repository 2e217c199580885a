"""A project's defaults: those of `assay.toml` or `[tool.assay]` in `pyproject.toml`, found from the working folder."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from assay.api.config import OPTIONS
from assay.errors import InputError
from assay.models.catalogue import split_address
from assay.models.providers import PYPROJECT, SETTINGS, TomlText, read_providers, read_settings_file
from assay.models.secrets import hide_secrets
from assay.models.wire import is_loopback, read_base_url
from assay.options import TOML, DeclaredOption

# In the order of the message about an unknown one.
KEYS: Final = {each.key: each for each in OPTIONS.values() if TOML in each.where}
_KINDS: Final = {
    "text": "a text in quotes",
    "path": "a text in quotes",
    "whole": "a whole number",
    "number": "a number",
}
PROVIDERS: Final = "providers"
_OF_FILES: Final = ("local", "recorded")


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of a settings file, by the names of the arguments of `assay.judge`. `judge` is a tuple of names."""

    path: Path
    file: TomlText
    values: Mapping[str, Any]

    def fault(self, key: str, message: str) -> InputError:
        remedy = f"Write {_describe_kind(KEYS[key])} that is valid, or leave it out."
        return self.file.fault(f'"{key}" {message}', "", key, remedy=remedy)

    def name_place(self, key: str, heading: str = "") -> str:
        line = self.file.find_line(heading, key)
        return self.file.path if line is None else f"{self.file.path}:{line}"


def read_settings(path: str | Path | None = None) -> dict[str, Any]:
    """The defaults of a project, as arguments: `assay.judge(records, **assay.read_settings())`.

    Without a path they are those that the command line finds here; none, if there is no such file.

    Raises:
        InputError: the file can't be read, or holds what is no setting.

    """
    found = find_settings() if path is None else _open_settings(Path(path))
    if found is None:
        return {}
    return {**found.values, PROVIDERS: str(found.path)}


def find_settings() -> Settings | None:
    """In the working folder or its parents up to the root of the repository; of two files the nearer one.

    Without a repository the parents are not looked at: they may be anyone's.
    """
    with suppress(FileNotFoundError):  # the working folder has been deleted
        here = Path.cwd()
        folders = (here, *here.parents)
        root = next((folder for folder in folders if (folder / ".git").exists()), here)
        for folder in folders[: folders.index(root) + 1]:
            for name in (SETTINGS, PYPROJECT):
                # As a user of this folder would write it.
                path = Path(name) if folder == here else folder / name
                if path.is_file() and (found := _open_settings(path)) is not None:
                    return found
    return None


def _open_settings(path: Path) -> Settings | None:
    """None for a `pyproject.toml` that has no table for us."""
    file, entries = read_settings_file(path)
    if entries is None:
        return None
    if not isinstance(entries, dict):
        raise file.fault("[tool.assay] is not a table", remedy='Write [tool.assay], then `judge = "embedded"`.')
    values: dict[str, Any] = {}
    for key, entry in entries.items():
        if key == PROVIDERS:
            continue
        if key not in KEYS:
            known = f"Known settings are {', '.join(KEYS)}, and the tables [{file.prefix}{PROVIDERS}.NAME]."
            # A table stands at its heading, a value in its line.
            place = (key, "") if isinstance(entry, dict) else ("", key)
            raise file.fault(f'"{key}" is not a setting', *place, remedy=known)
        option = KEYS[key]
        if not _is_kind(entry, option):
            raise file.fault(f'"{key}" is {entry!r:.60}', "", key, remedy=f"Write {_describe_kind(option)}.")
        if option.repeats:
            texts = [entry] if isinstance(entry, str) else entry
            values[key] = tuple(_read_judge(each, file, path) for each in texts) if key == "judge" else tuple(texts)
        elif option.kind == "path" or (key == "rubric" and entry.endswith(".md")):
            values[key] = str(path.parent / Path(entry).expanduser())
        else:
            values[key] = entry
    return Settings(path, file, values)


def _describe_kind(option: DeclaredOption) -> str:
    return f"{_KINDS[option.kind]}, or a list of them" if option.repeats else _KINDS[option.kind]


def _is_kind(entry: object, option: DeclaredOption) -> bool:
    if option.repeats and isinstance(entry, list):
        return bool(entry) and all(isinstance(each, str) for each in entry)
    if option.kind in {"text", "path"}:
        return isinstance(entry, str)
    return type(entry) is int or (option.kind == "number" and type(entry) is float)


def _read_judge(judge: str, file: TomlText, path: Path) -> str:
    """With the whole path of its file. Raises InputError where the settings name the address that it is asked at.

    They may come with a repository that the user did not write, and texts and keys would be sent there. Only an address
    on this machine is taken.
    """
    kind, _, rest = judge.partition(":")
    if kind in _OF_FILES:
        there = path.parent / Path(rest).expanduser()
        return f"{kind}:{there}" if there.exists() else judge
    address = split_address(judge)[1]
    if address is None and kind not in read_providers():
        own = read_providers(path).get(kind)
        address = None if own is None else own.base_url
    # A variable of the environment in an address is sent like a key.
    if address is not None and ("{" in address or not is_loopback(read_base_url(address))):
        message = f'"judge" names the address {hide_secrets(address)}, which only the command line may do'
        remedy = f"Leave it out here, and give --judge {split_address(judge)[0]} to the command."
        raise file.fault(message, "", "judge", remedy=remedy)
    return judge
