"""The blocks of a text: stretches of lines that no sentence crosses.

A line break ends a block where
  1. a blank line follows, or a bullet, a number marker, a heading, a table row, a rule or a code fence;
  2. the line before is a heading, a table row, a rule or a code fence, or ends in a colon;
  3. the line before ends in a terminator, unless that is the stop of an abbreviation or an ellipsis that goes on;
  4. the text is clearly one item per line: the line before has fewer than 60 characters, does not end in a comma, a
     dash or a word that needs a sequel ("of", "the"), and the next line starts with a capital. In a paragraph with
     other lines that start in lower case (wrapped prose) the next line's first word must also have fitted on the line.
Every other line break is a soft wrap inside a sentence.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.span import Span
from assay.text.abbreviations import WORD_BEFORE, Abbreviations, Stop, abbreviations
from assay.text.normal import INVISIBLE_KINDS

SHORT_LINE_CHARACTERS = 60

CITATION = r"[ \u00a0]?\[\^?\d{1,3}(?:[ \u00a0]?[,;–-][ \u00a0]?\d{1,3}){0,20}\]"
# What no reader sees closes a sentence too, or it would glue the next one to it.
CLOSERS = r"\"'”’»›)\]}）】」』〉》＂＇*_`~⁰¹²³⁴-⁹“«" + "".join(INVISIBLE_KINDS.values())
ITEM_MARKER = re.compile(r"(?:[-*+•‣◦▪●○·–]|\(?\d{1,3}(?:\.\d{1,3}){0,4}[.)]|\(?[a-zA-Z]\)|\([ivx]{1,4}\))(?=\s)\s*")

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_NUMBER_MARKER = re.compile(r"(\d{1,3})\.\s")
_STANDS_ALONE = re.compile(r"#{1,6}\s|\||```|~~~|(?:[-=*_][ \t]?){3,}$")
_TAIL = re.compile(rf"([.!?…‼⁇⁈⁉。！？｡؟۔।॥])(?:[{CLOSERS}]|{CITATION})*$")
_TAIL_CHARACTERS = 60

_SEQUELS = (
    "the a an of and or nor to in on at by for with from into that which who whose is are was were be been as than its "
    "their his her our my this these those mr mrs ms dr president senator de la le les el los las un una une der die "
    "das den dem und y e et du des von mit il lo gli di da em do da dos das của và các"
)
_NEEDS_A_SEQUEL = frozenset(_SEQUELS.split())


@dataclass(frozen=True, slots=True)
class Block:
    """`whole` marks a line that is one unit whatever stops it holds, such as a table row."""

    span: Span
    whole: bool


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def whole(self) -> bool:
        return _STANDS_ALONE.match(self.text) is not None


def find_blocks(text: str, language: str = "en") -> Iterator[Block]:
    """Blocks in order, trimmed of white space; together they cover every other character."""
    words = abbreviations(language)
    for paragraph in _paragraphs(text):
        # Wrapped prose goes on in lower case somewhere, and fills its lines.
        prose = any(line.text[0].islower() and not ITEM_MARKER.match(line.text) for line in paragraph[1:])
        width = max(len(line.text) for line in paragraph) if prose else None
        first = paragraph[0]
        for before, after in zip(paragraph, [*paragraph[1:], None], strict=True):
            if after is None or _breaks(first, before, after, width, words):
                yield Block(Span(first.start, before.end), first.whole)
                first = after or first


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    paragraph: list[_Line] = []
    end = 0
    for match in _LINE.finditer(text):
        blank = match.start() - end > (2 if text.startswith("\r\n", end) else 1)
        end = match.end()
        line = match.group()
        bare = line.strip()
        if paragraph and (blank or not bare):
            yield paragraph
            paragraph = []
        if bare:
            paragraph.append(_Line(match.start() + len(line) - len(line.lstrip()), bare))
    if paragraph:
        yield paragraph


def _breaks(first: _Line, before: _Line, after: _Line, width: int | None, words: Abbreviations) -> bool:
    if before.whole or after.whole or before.text.rstrip("*_ ").endswith((":", "：")):
        return True
    if _starts_item(first, before, after):
        return True
    ended = _ends(before.text, after.text, words)
    return _is_item_per_line(before.text, after.text, width) if ended is None else ended


def _starts_item(first: _Line, before: _Line, after: _Line) -> bool:
    symbol = unicodedata.category(after.text[0]) == "So" and after.text[1:3].strip("\ufe0f")[:1].isspace()
    if symbol or not ITEM_MARKER.match(after.text):
        return symbol
    number = _NUMBER_MARKER.match(after.text)
    if number is None or number[1] == "1" or len(before.text) < SHORT_LINE_CHARACTERS:
        return True
    # A long line that stops at "on May" and goes on with "12. The ..." is prose, unless a numbered list is under way.
    return _NUMBER_MARKER.match(first.text) is not None or _TAIL.search(before.text[-_TAIL_CHARACTERS:]) is not None


def _ends(before: str, after: str, words: Abbreviations) -> bool | None:
    """Whether the line's last mark ends a sentence; None where the mark leaves it open."""
    tail = before[-_TAIL_CHARACTERS:]
    mark = _TAIL.search(tail)
    if mark is None:
        return None
    if mark[1] == "…" or tail.endswith("..", 0, mark.end(1)):
        return not after[0].islower()
    if mark[1] != ".":
        return True
    word = WORD_BEFORE.search(tail, 0, mark.start())
    if word is None:
        return True
    stop = words.stop_after(word.group())
    if stop is Stop.BOUND or (len(word.group()) == 1 and word.group().isupper()):
        return False
    if stop is Stop.BOUND_TO_NUMBER:
        return not after[0].isdigit()
    return None if stop is Stop.DOUBTFUL else True


def _is_item_per_line(before: str, after: str, width: int | None) -> bool:
    """`width` is that of the widest line of wrapped prose."""
    opening = after.lstrip("\"'“‘«(*_`[")[:1]
    if len(before) >= SHORT_LINE_CHARACTERS or not opening.isupper() or before.endswith((",", "-", "–", "—", "(", "&")):
        return False
    if before.rsplit(None, 1)[-1].lower() in _NEEDS_A_SEQUEL:
        return False
    return width is None or len(before) + 1 + len(after.split(None, 1)[0]) <= width
