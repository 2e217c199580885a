"""Normalises a text: one spelling for quotes, dashes, spaces and case. Each character keeps its origin."""

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assay.domain.span import Span

# Characters a reader never sees, by kind; the inside of a character class.
INVISIBLE_KINDS = {
    "zero-width": "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u3164\ufeff\uffa0",
    "bidi": "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f",
    "tag character": "\U000e0000-\U000e007f",
    "variation selector": "\ufe00-\ufe0f\U000e0080-\U000e0fff",
    "control character": "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufff9-\ufffb\U0001d173-\U0001d17a",
}
INVISIBLE = re.compile(f"[{''.join(INVISIBLE_KINDS.values())}]+")

_SAME_CHARACTER = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′‵`´ʼʹ＇ˈ", "'"),
        **dict.fromkeys("“”„‟″‶«»「」『』〝〞〟＂", '"'),
        **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－➖⸺⸻֊", "-"),
        **dict.fromkeys("‹〈⟨", "<"),
        **dict.fromkeys("›〉⟩", ">"),
        "⟦": "[",
        "⟧": "]",
        "⁄": "/",
        "∕": "/",
        "∶": ":",
    }
)
_UNSPOKEN = frozenset("™℠®")
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
# "m²" is also written "m2", but "10²" is not 102 and a note's number is not part of its word.
_LENGTH_UNIT = re.compile(r"(?:^|\W|\d)[kcdm]?m$")
_RUNS = r" {2,}|(?<=[^\W\d_])- +(?=[^\W\d_])"
_ASCII_INVISIBLE = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_ASCII_TABLE = str.maketrans({**dict.fromkeys("\t\n\r\x0b\x0c\x1c\x1d\x1e\x1f", " "), "`": "'"})

# A point or a comma between digits belongs to the number.
_PUNCTUATION = re.compile(r"(?<![0-9])[.,:]|[.,:](?![0-9])|[;!?\"'“”‘’«»…*_`()\[\]]")


@dataclass(frozen=True, slots=True)
class Normal:
    """Each character of `text` stands for the original characters from its entry in `starts` up to that in `ends`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Where text[start:end] came from in the original."""
        if start < end:
            return Span(self.starts[start], self.ends[end - 1])
        at = self.starts[start] if start < len(self.text) else (self.ends[-1] if self.text else 0)
        return Span(at, at)

    def cut(self, start: int, end: int) -> "Normal":
        return Normal(self.text[start:end], self.starts[start:end], self.ends[start:end])

    def without(self, spans: Iterable[tuple[int, int]]) -> "Normal":
        """The same text without some stretches; the spans are in order and do not overlap."""
        return self.edited((start, end, "") for start, end in spans)

    def edited(self, edits: Iterable[tuple[int, int, str]]) -> "Normal":
        """With other text in place of stretches; they are in order and do not overlap."""
        parts: list[str] = []
        starts, ends = array("I"), array("I")
        old_starts: array[int] = starts
        old_ends: array[int] = ends
        done = 0
        for start, end, replacement in edits:
            if not parts:
                # Slices of an array are copied as blocks, those of a range one number at a time.
                old_starts, old_ends = array("I", self.starts), array("I", self.ends)
            parts += (self.text[done:start], replacement)
            starts += old_starts[done:start]
            ends += old_ends[done:start]
            if replacement:
                starts.extend((old_starts[start],) * len(replacement))
                ends.extend((old_ends[end - 1],) * len(replacement))
            done = end
        if not parts:
            return self
        return Normal("".join([*parts, self.text[done:]]), starts + old_starts[done:], ends + old_ends[done:])


def comment_spans(text: str) -> Iterator[Span]:
    """Markup comments that are closed; an open one hides nothing, or it would swallow the rest of the text."""
    end = 0
    while (start := text.find("<!--", end)) >= 0:
        close = text.find("-->", start + 4)
        if close < 0:
            return
        end = close + 3
        yield Span(start, end)


def legible(text: str) -> Normal:
    """The text without its invisible characters."""
    whole = Normal(text, range(len(text)), range(1, len(text) + 1))
    return whole.without(match.span() for match in INVISIBLE.finditer(text))


def _fold_plain(text: str) -> str | None:
    """The normal text where each character stands for itself, as it does in most English prose; else nothing."""
    if not text.isascii() or "<!--" in text or _ASCII_INVISIBLE.search(text):
        return None
    folded = text.lower().translate(_ASCII_TABLE)
    # Every run that is shortened holds one of these.
    return None if "  " in folded or "- " in folded else folded


def normalise(text: str) -> Normal:
    """NFKC and case-folded, with one kind of quote, dash and space, without invisible characters and comments.

    Two texts that a reader takes for the same words have the same normal text. Digits never grow together: 2½ is
    "2 1/2" and 10² is "10^2".
    """
    folded = _fold_plain(text)
    if folded is not None:
        return Normal(folded, range(len(text)), range(1, len(text) + 1))
    seen = legible(text)
    seen = seen.without(comment_spans(seen.text))
    table: dict[int, str] = {}
    clusters: list[str] = []
    marks: list[str] = []
    for character in sorted(set(seen.text)):
        if _joins(character):
            marks.append(character)
            continue
        single = _fold_character(character)
        if single is None:
            clusters.append(character)
        elif single != character:
            table[ord(character)] = single
    plain = Normal(seen.text.translate(table), seen.starts, seen.ends)
    pattern = [f"[{_SUPERSCRIPTS}]+"]
    if marks:
        mark = f"[{re.escape(''.join(marks))}]"
        # A mark composes with the character before it, so the pair is folded as one.
        pattern.append(f"(?s:.){mark}+|{mark}")
    if clusters:
        pattern.append(f"[{re.escape(''.join(clusters))}]")
    finder = re.compile("|".join([*pattern, _RUNS]))
    return plain.edited(_edits(plain.text, finder))


def _edits(text: str, finder: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    for match in finder.finditer(text):
        found = match.group()
        start, end = match.span()
        if found[0] in " -" and not found[1:].strip(" "):
            yield start, end, found[0]
            continue
        folded = _fold_cluster(found, text[max(0, start - 4) : start], text[end : end + 1])
        if folded != found:
            yield start, end, folded


def _fold_cluster(cluster: str, before: str, after: str) -> str:
    if cluster in _UNSPOKEN:
        return ""
    folded = fold(cluster)
    if cluster[0] in _SUPERSCRIPTS:
        return folded if not before[-1:].isalnum() or _LENGTH_UNIT.search(before) else f"^{folded}"
    if unicodedata.category(cluster[0]) == "No":
        left = " " if before[-1:].isdigit() else ""
        right = " " if after.isdigit() else ""
        return f"{left}{folded}{right}"
    return folded


def fold(text: str) -> str:
    """NFKC and case-folded, with one kind of quote and dash."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_SAME_CHARACTER)


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str | None:
    """The one character it becomes, or nothing where that depends on its neighbours or is not one character."""
    if character.isspace():
        return " "
    same = character.translate(_SAME_CHARACTER)
    if same != character:
        return same
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    if character in _UNSPOKEN or character in _SUPERSCRIPTS or unicodedata.category(character) == "No":
        return None
    folded = fold(character)
    return folded if len(folded) == 1 else None


@lru_cache(maxsize=4096)
def _joins(character: str) -> bool:
    """Whether NFKC may merge the character into the one before it: marks, and Hangul vowels and finals."""
    if character.isascii():
        return False
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.category(first).startswith("M") or "\u1161" <= first <= "\u11ff"


def fold_wording(text: str) -> str:
    """The text without differences of case, white space and punctuation; signs such as - % $ stay."""
    return " ".join(_PUNCTUATION.sub(" ", text.casefold()).split())
