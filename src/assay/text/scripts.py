"""Which writing system the letters of a text belong to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from assay.domain.span import Span

# With the marks a script writes inside its words, which Python's \w leaves out; without its digits and stops.
_RANGES: Final = MappingProxyType(
    {
        "latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0300-\u036f"
        "\u1e00-\u1eff\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a",
        "greek": "\u0370-\u0373\u0376-\u037d\u0386\u0388-\u03ff\u1f00-\u1fff",
        "cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
        "armenian": "\u0531-\u0556\u0560-\u0588",
        "hebrew": "\u0591-\u05c7\u05d0-\u05f4\ufb1d-\ufb4f",
        "arabic": "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ef\u06fa-\u06ff"
        "\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
        "devanagari": "\u0900-\u0963\u0970-\u097f",
        "bengali": "\u0980-\u09e3\u09f0-\u09f1",
        "gurmukhi": "\u0a00-\u0a65\u0a70-\u0a75",
        "gujarati": "\u0a80-\u0ae5",
        "odia": "\u0b00-\u0b65",
        "tamil": "\u0b80-\u0be5",
        "telugu": "\u0c00-\u0c65",
        "kannada": "\u0c80-\u0ce5",
        "malayalam": "\u0d00-\u0d65",
        "sinhala": "\u0d80-\u0de5\u0df2-\u0df3",
        "thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
        "lao": "\u0e80-\u0ecf\u0edc-\u0edf",
        "tibetan": "\u0f00\u0f18-\u0f19\u0f35-\u0f39\u0f40-\u0fbc",
        "myanmar": "\u1000-\u103f\u1050-\u109f",
        "georgian": "\u10a0-\u10fa\u10fc-\u10ff\u1c90-\u1cbf",
        "ethiopic": "\u1200-\u135f\u1380-\u139f",
        "khmer": "\u1780-\u17d3\u17dc-\u17dd",
        "hangul": "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc",
        # One run, since Japanese mixes them in every sentence; the kana alone tell it from Chinese.
        "han": "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
        "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f",
    }
)

UNSPACED: Final = frozenset({"han", "thai", "lao", "khmer", "myanmar", "tibetan"})
"""Scripts written without spaces between words."""

KANA: Final = re.compile("[\u3040-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff9f]")


@dataclass(frozen=True, slots=True)
class Run:
    """Letters of one script with nothing between them."""

    script: str
    span: Span

    @property
    def words(self) -> int:
        """One, or for a script without spaces one for every two characters begun."""
        return (self.span.end - self.span.start + 1) // 2 if self.script in UNSPACED else 1


@cache
def _run_pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{script}>[{ranges}]+)" for script, ranges in _RANGES.items()))


@cache
def letters_of(script: str) -> str:
    """The inside of a character class that matches the script's letters."""
    return _RANGES[script]


def find_runs(text: str) -> Iterator[Run]:
    for match in _run_pattern().finditer(text):
        yield Run(match.lastgroup or "", Span(*match.span()))
