"""The outline of a free-form reply: which part of the shape each heading opens, and the lines under it."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assay.domain.shape import ShapeRow

Mark = Literal["", "hash", "number", "bullet", "table"]
Form = Literal["", "heading", "inline", "sentence"]

_HASH = re.compile(r"\s{0,3}(#{1,6})\s*([^\s#].*)")
_ENTRY = re.compile(
    r"(?P<indent>\s*)(?:\(?(?P<number>\d{1,3})[.)](?=\s|\*\*)|\(?(?P<letter>[a-h]|[ivx]{1,4})[.)](?=\s)|[-*–—+](?=\s)|[•◦▪‣·])\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_STEP = re.compile(r"(?:step|part)\s*#?\s*(\d{1,2})\b\s*[:.)\-–—|]*\s*", re.IGNORECASE)
_NUMBERED = re.compile(r"(\d{1,2})[.)]\s*")
_BOLD = re.compile(r"(\*\*|__)(?P<inner>.+?)\1\s*(?P<colon>:?)\s*(?P<rest>.*)", re.DOTALL)
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_`](?=\S)|(?<=\S)[*_`](?!\w)")
_ESCAPED = re.compile(r"\\([.()*_\-#])")
_COUNT = re.compile(r"\(\s*(?:total:?\s*|count:?\s*)?(\d{1,3})(?:\s+[a-z ]{1,30})?\s*\)\s*$", re.IGNORECASE)
_RULE_LINE = re.compile(r"\s*(?:[-*_=]\s*){3,}|\s*```\w*\s*|\s*\|?\s*:?-{2,}[\s:|-]*")
# Parts that a model runs together in one paragraph begin lines of their own.
_RUN_TOGETHER = re.compile(
    r"(?<=[.;!?])[ \t]+(?=[A-Z][\w/ -]{2,50}:\s)|(?<=\S)[ \t]+(?=(?:\*\*|__)?step\s*\d{1,2}\s*[:.)\-–])"
    r"|(?<=[.!?;\w)\"”])[ \t]+(?=\*\*[^*\n]{3,80}(?::\*\*|\*\*:))"
    r"|(?<=\S)[ \t]+(?=(?:\*\*)?(?:final\s+|overall\s+)?score\s*(?:[-–—:=]|is)\s*(?:\*\*)?\s*<)",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(r"\s*\(?[1ai][.)]\s", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{3}")
_SENTENCE_TITLE = re.compile(r"(?!step\b|final\b|overall\b|score\b)([A-Z][\w/ -]{2,50}):\s", re.IGNORECASE)
_HTML = (
    (re.compile(r"<br\s*/?>|</(?:p|li|h[1-6]|ul|ol|tr)>", re.IGNORECASE), "\n"),
    (re.compile(r"<li[^<>]*>", re.IGNORECASE), "- "),
    (re.compile(r"<h[1-6][^<>]*>", re.IGNORECASE), "## "),
    (re.compile(r"</?(?:b|strong)>", re.IGNORECASE), "**"),
    (re.compile(r"</?(?:p|ul|ol|i|em|div|span)[^<>]*>", re.IGNORECASE), ""),
)
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_LONGEST_TITLE_WORDS, _LONGEST_BARE_TITLE_WORDS = 18, 10
# A list begins this near to the title over it.
_NEAR_LINES = 5
_PLAIN_RANK, _BOLD_RANK, _ENTRY_RANK = 9, 8, 10


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its signs. `form` says how it could be a heading: alone, with text beside it, or as a sentence."""

    text: str
    mark: Mark = ""
    indent: int = 0
    number: int | None = None
    rank: int = _PLAIN_RANK
    form: Form = ""
    title: str = ""
    rest: str = ""
    is_step: bool = False
    cells: tuple[str, ...] = ()

    @property
    def is_entry(self) -> bool:
        return self.mark in {"number", "bullet", "table"}

    @property
    def is_heading(self) -> bool:
        """Whether a sign, bold letters or "Step 2" make it a heading, and not a colon alone."""
        return self.rank < _PLAIN_RANK

    @property
    def is_blank(self) -> bool:
        return not self.text


@dataclass(frozen=True, slots=True)
class Part:
    """The lines under a heading; `row` is None where the heading belongs to no part of the shape."""

    row: ShapeRow | None
    heading: Line
    lines: list[Line] = field(default_factory=list)

    @property
    def announced(self) -> int | None:
        """How many entries the heading itself says there are."""
        counted = _COUNT.search(self.heading.title)
        return int(counted[1]) if counted else None


def fold_words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def strip_emphasis(text: str) -> str:
    return _EMPHASIS.sub("", text).strip()


def build_outline(text: str, rows: Sequence[ShapeRow], names: Collection[str]) -> list[Part]:
    """The parts of a reply in their order. `names` are words that head a group inside a list, such as an input's."""
    parts = [Part(None, Line(""))]
    lines = list(read_lines(text, rows))
    for place, line in enumerate(lines):
        current = parts[-1]
        if _stands_over_list(lines, place):
            line = replace(line, form="heading", title=line.text)  # noqa: PLW2901  # the same line, as a heading
        row = _find_row(line, current, rows)
        if row is not None:
            parts.append(Part(row, line))
        elif _closes(line, current, names):
            parts.append(Part(None, line))
        else:
            current.lines.append(line)
    return parts


def _stands_over_list(lines: Sequence[Line], place: int) -> bool:
    """Whether a short line without any sign stands alone over a list, as a title does."""
    line = lines[place]
    if line.form or line.mark or not line.text or len(line.text.split()) > _LONGEST_BARE_TITLE_WORDS:
        return False
    is_alone = place == 0 or lines[place - 1].is_blank
    following = next((each for each in lines[place + 1 : place + 1 + _NEAR_LINES] if not each.is_blank), None)
    return (
        is_alone
        and line.text[-1].isalnum()
        and following is not None
        and (following.is_entry or is_none(following.text))
    )


def is_none(text: str) -> bool:
    return re.fullmatch(r"\W*(?:none|n/?a|nil|nothing)\W*", text, re.IGNORECASE) is not None


def read_lines(text: str, rows: Sequence[ShapeRow]) -> Iterator[Line]:
    for pattern, written in _HTML:
        text = pattern.sub(written, text)
    plain = _ESCAPED.sub(r"\1", text).expandtabs(4)
    for raw in (piece for line in plain.splitlines() for piece in _part_line(line, rows)):
        if raw.strip() and not _RULE_LINE.fullmatch(raw):
            yield _read_line(raw)
        elif not raw.strip():
            yield Line("")


def _part_line(line: str, rows: Sequence[ShapeRow]) -> Iterator[str]:
    """A line, or the parts of several headings that a model runs together in it."""
    start = 0
    for match in _RUN_TOGETHER.finditer(line):
        has_words = _LETTERS.search(line, start, match.start()) is not None
        title = _SENTENCE_TITLE.match(line, match.end())
        if has_words and (title is None or match_title(title[1], rows) is not None):
            yield line[start : match.start()]
            start = match.end()
    yield line[start:]


def _read_line(raw: str) -> Line:
    bare = raw.strip().lstrip(">").strip()
    if (bare.startswith("|") and bare.count("|") > 1) or (" | " in bare and not _ENTRY.fullmatch(raw)):
        cells = tuple(strip_emphasis(cell) for cell in bare.strip("|").split("|"))
        return Line(bare, "table", cells=cells)
    mark: Mark = ""
    rank, number, indent = _PLAIN_RANK, None, len(raw) - len(raw.lstrip())
    if found := _HASH.fullmatch(raw):
        mark, rank, bare = "hash", len(found[1]), found[2].rstrip("# ")
    elif found := _ENTRY.fullmatch(raw):
        mark, rank, bare = (
            "number" if found["number"] or found["letter"] else "bullet",
            _ENTRY_RANK + indent,
            found["text"],
        )
        number = int(found["number"]) if found["number"] else _count_letter(found["letter"])
    bold = _BOLD.fullmatch(bare)
    is_bold = bold is not None and not bold["rest"]
    if is_bold and not mark:
        rank = _BOLD_RANK
    words = strip_emphasis(bare)
    step = _STEP.match(words)
    if step:
        number, words = int(step[1]), words[step.end() :]
        rank = min(rank, _BOLD_RANK)
    elif (inner := _NUMBERED.match(words)) and (mark == "hash" or bold is not None):
        number, words = int(inner[1]), words[inner.end() :]
    form, title, rest = _split_title(words, is_heading=mark == "hash" or is_bold or step is not None, bold=bold)
    if not form and mark == "number":
        form, title = "sentence", words
    return Line(words or bare, mark, indent, number, rank, form, title, rest, step is not None)


def _count_letter(letter: str | None) -> int | None:
    return ord(letter.lower()) - ord("a") + 1 if letter and len(letter) == 1 else None


def _split_title(words: str, *, is_heading: bool, bold: re.Match[str] | None) -> tuple[Form, str, str]:
    """A title is what stands before a colon, or in bold before a colon or a dash, or the whole of a heading."""
    if (
        bold is not None
        and bold["rest"]
        and (bold["colon"] or bold["inner"].rstrip().endswith(":") or bold["rest"][0] in "-–—")
    ):
        title = _NUMBERED.sub("", _STEP.sub("", strip_emphasis(bold["inner"]), count=1), count=1)
        return "inline", title.rstrip(": "), strip_emphasis(bold["rest"].lstrip("-–—: "))
    head, colon, rest = words.partition(":")
    if colon and not rest.startswith("//") and len(head.split()) <= _LONGEST_TITLE_WORDS:
        return ("inline" if rest.strip() else "heading"), head.strip(), rest.strip()
    if colon and _ENUMERATION.match(rest):
        return "inline", head.rpartition(", ")[2].strip(), rest.strip()
    if words.endswith(":"):
        return "heading", words.rstrip(": "), ""
    return ("heading", words, "") if is_heading else ("", "", "")


def _find_row(line: Line, current: Part, rows: Sequence[ShapeRow]) -> ShapeRow | None:
    """The part of the shape that a line opens."""
    if line.mark == "table":
        is_free = current.row is None or current.row.holds == "text"
        is_header = is_free and not (current.lines and current.lines[-1].mark == "table")
        return match_title(next((cell for cell in line.cells if fold_words(cell)), ""), rows) if is_header else None
    if not line.form:
        return None
    row = match_title(line.title, rows)
    if row is None and line.number is not None and (line.is_step or (line.form == "heading" and not line.is_entry)):
        row = next((each for each in rows if each.step == line.number), None)
    if row is None or row is current.row:
        return None
    if line.form == "sentence" and (row.step is None or row.step != line.number):
        return None
    if not line.is_entry or line.is_step or current.row is None or current.row.holds == "text":
        return row
    # An entry of a list that names another part is still an entry, unless the headings themselves are entries.
    opener = current.heading
    if not opener.is_entry:
        return row if line.form == "heading" and line.number is not None and line.number == row.step else None
    follows = line.mark == opener.mark and line.indent <= opener.indent
    return row if follows and (line.mark == "bullet" or (line.number or 0) > (opener.number or 0)) else None


def match_title(title: str, rows: Sequence[ShapeRow]) -> ShapeRow | None:
    """The first part of the shape that the words of a title name."""
    words = fold_words(re.split(r"(?<=[a-z)])[.!?]\s", title, maxsplit=1)[0])
    for row in rows:
        if any(_holds(words, each) for each in row.words) and not any(_holds(words, each) for each in row.without):
            return row
    return None


def _holds(words: Sequence[str], phrase: str) -> bool:
    """Each word of the phrase begins a word of the title."""
    return all(any(word.startswith(part) for word in words) for part in phrase.lower().split())


def _closes(line: Line, current: Part, names: Collection[str]) -> bool:
    """Whether a heading that belongs to no part ends the list above it. A heading of a group inside it does not."""
    if current.row is None:
        return False
    if line.is_entry:
        return _follows_heading(line, current)
    if line.form != "heading" or line.rank > current.heading.rank:
        return False
    return any(each.is_entry for each in current.lines) and not names_any(line.title, names)


def _follows_heading(line: Line, current: Part) -> bool:
    """Whether a numbered line goes on counting the headings, where the entries between are deeper or of other signs."""
    opener = current.heading
    if opener.mark != "number" or line.mark != "number" or line.indent > opener.indent:
        return False
    if line.number != (opener.number or 0) + 1:
        return False
    return not any(each.mark == "number" and each.indent <= line.indent for each in current.lines)


def names_any(title: str, names: Collection[str]) -> bool:
    folded = " ".join(fold_words(title))
    return any(f" {name} " in f" {folded} " for name in names)
