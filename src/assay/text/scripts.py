"""Languages by ISO 639-1 code and English name, and the scripts that they are written in; listed in languages.toml."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from assay.domain.span import Span
from assay.text.word_lists import read_lists, read_words

_REGION: Final = re.compile(r"[-_].*| ?\(.*", re.DOTALL)


class _Script(NamedTuple):
    """`letters` is the inside of a character class, `languages` are names by code."""

    letters: str
    languages: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """Letters of one script with nothing between them."""

    script: str
    span: Span

    @property
    def words(self) -> int:
        """One, or for a script without spaces one for every two characters begun."""
        return (self.span.end - self.span.start + 1) // 2 if self.script in unspaced_scripts() else 1


@cache
def _scripts() -> dict[str, _Script]:
    return {
        name: _Script(
            script["letters"],
            dict(each.split(maxsplit=1) for each in " ".join(script["languages"].split()).split(", ")),
        )
        for name, script in read_lists("languages")["scripts"].items()
    }


@cache
def _names() -> dict[str, str]:
    """English names by code."""
    return {code: name for script in _scripts().values() for code, name in script.languages.items()}


@cache
def _codes() -> dict[str, str]:
    """Codes by all that may stand for one, in small letters."""
    aliases = read_lists("languages")["aliases"]
    return {
        **{alias: code for code, others in aliases.items() for alias in others.split()},
        **{name.casefold(): code for code, name in _names().items()},
        **{code: code for code in _names()},
    }


@cache
def unspaced_scripts() -> frozenset[str]:
    """Scripts written without spaces between words."""
    return read_words("languages", "unspaced")


def split_letters(apart: frozenset[str]) -> tuple[str, str]:
    """The insides of two character classes: the letters of these scripts, and those of all others."""
    ordered = sorted(_scripts().items())
    inside = "".join(script.letters for name, script in ordered if name in apart)
    return inside, "".join(script.letters for name, script in ordered if name not in apart)


def find_runs(text: str) -> Iterator[ScriptRun]:
    """Every unbroken run of letters of one script, in order."""
    for match in _run_pattern().finditer(text):
        yield ScriptRun(match.lastgroup or "", Span(*match.span()))


@cache
def _run_pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>[{script.letters}]+)" for name, script in _scripts().items()))


def languages_of(script: str) -> tuple[str, ...]:
    """The codes of the languages that are written in a script."""
    return tuple(_scripts()[script].languages)


def read_language(name: str) -> str | None:
    """The ISO 639-1 code of a language given by code, locale or name; None for an unknown language."""
    if name in _names():
        return name
    wanted = " ".join(name.casefold().split()).removesuffix(" language")
    return _codes().get(wanted) or _codes().get(_REGION.sub("", wanted))


def language_name(code: str) -> str:
    """The English name; the code itself for an unknown language, since a message must say something."""
    known = read_language(code)
    return code if known is None else _names()[known]


def same_script_neighbours(a: str, b: str) -> bool:
    """Whether two languages are so close that code alone should not call one a mistake for the other."""
    first, second = read_language(a), read_language(b)
    if first is None or second is None:
        return False
    return first == second or any({first, second} <= close for close in _close_languages())


@cache
def _close_languages() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(group.split()) for group in read_lists("languages")["close"])
