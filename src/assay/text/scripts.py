"""Which parts of a text are words, and in which writing system they are."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from assay.domain.span import Span

# With the marks a script writes inside its words, which Python's \w leaves out; without its digits and stops.
_RANGES: Final = {
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

SCRIPTS: Final = frozenset(_RANGES)
UNSPACED: Final = frozenset({"han", "thai", "lao", "khmer", "myanmar", "tibetan"})
"""Scripts written without spaces between words."""
KANA: Final = re.compile("[\u3040-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_TERM_WORDS: Final = 4
"""Up to this many Latin words in a row inside a sentence of another script are a technical term."""
_LEAD_IN_LETTERS: Final = 20
"""Fewer letters outside a code fence only introduce it."""

_FENCE: Final = re.compile(r"^[ \t]*(`{3,}|~{3,})", re.MULTILINE)
# Addresses, code, tags, and names with digits in them, such as HER2, NCT01234567 or PD-L1.
_NONWORD: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'，。、）」]+|(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
    r"|`[^`\n]{1,200}`|</?[A-Za-z][^<>]{0,300}>|&#?\w{2,10};|(?P<token>\w+(?:[-–/.'’]\w+)*)"
)


@dataclass(frozen=True, slots=True)
class Run:
    """Letters of one script with nothing between them."""

    script: str
    span: Span

    @property
    def words(self) -> int:
        """One, or for a script without spaces one for every two characters begun."""
        return (self.span.end - self.span.start + 1) // 2 if self.script in UNSPACED else 1


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one script within one sentence."""

    script: str
    text: str
    words: int
    letters: int


def letters_of(scripts: Iterable[str]) -> str:
    """The inside of a character class that matches the letters of these scripts."""
    return "".join(_RANGES[script] for script in sorted(scripts))


@cache
def _run_pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{script}>[{ranges}]+)" for script, ranges in _RANGES.items()))


def find_runs(text: str) -> Iterator[Run]:
    for match in _run_pattern().finditer(text):
        yield Run(match.lastgroup or "", Span(*match.span()))


def cut_by_script(text: str) -> Iterator[Piece]:
    """The pieces of a sentence, without the Latin terms in one of another script."""
    groups: list[list[Run]] = []
    weight: Counter[str] = Counter()
    for run in find_runs(text):
        # A lone Greek letter is a symbol wherever the words are in another script.
        if run.script == "greek" and run.span.end - run.span.start == 1 and groups and groups[-1][0].script != "greek":
            continue
        weight[run.script] += run.words
        if groups and groups[-1][0].script == run.script:
            groups[-1].append(run)
        else:
            groups.append([run])
    main = max(weight, key=lambda script: (weight[script], script != "latin"), default="latin")
    for group in groups:
        script = group[0].script
        if main == "latin" or script != "latin" or len(group) > _TERM_WORDS:
            words = Span(group[0].span.start, group[-1].span.end).of(text)
            letters = sum(run.span.end - run.span.start for run in group)
            yield Piece(script, " ".join(words.split()), sum(run.words for run in group), letters)


def find_fences(text: str) -> tuple[Span, ...]:
    """Fenced code; a fence that is never closed runs to the end."""
    spans, opened = [], None
    for match in _FENCE.finditer(text):
        if opened is None:
            opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]):
            spans.append(Span(opened.start(), match.end()))
            opened = None
    if opened is not None:
        spans.append(Span(opened.start(), len(text)))
    return tuple(spans)


def find_nonwords(text: str) -> tuple[Span, ...]:
    """What is in no language, apart from fences: addresses, code, tags, names with digits in them."""
    found = (match for match in _NONWORD.finditer(text) if match["token"] is None or _is_code(match["token"]))
    return tuple(Span(*match.span()) for match in found)


def _is_code(token: str) -> bool:
    if token.isalpha():
        return False
    return "_" in token or (any(map(str.isdigit, token)) and any(map(str.isalpha, token)))


def blank(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces in place of the spans, so that offsets stay."""
    pieces, end = [], 0
    for span in sorted(spans):
        start = max(end, span.start)
        stop = min(len(text), span.end)
        if stop > start:
            pieces += [text[end:start], " " * (stop - start)]
            end = stop
    pieces.append(text[end:])
    return "".join(pieces)


def blank_nonwords(text: str, ignore: Sequence[Span] = ()) -> str:
    """Only words are left. Where next to nothing stands outside a fence, the text is what stands inside it."""
    rest = blank(text, (*find_nonwords(text), *ignore))
    fences = find_fences(text)
    if not fences:
        return rest
    without_code = blank(rest, fences)
    return without_code if sum(map(str.isalpha, without_code)) >= _LEAD_IN_LETTERS else rest
