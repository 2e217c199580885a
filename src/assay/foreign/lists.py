"""Reads the list of one part of a free-form reply: numbered, bulleted, in a table, in one line, or "none"."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from assay.foreign.outline import Line, Part, match_title, names_any, strip_emphasis
from assay.text.keywords import keywords

_CONTRAST = re.compile(
    r"\b(?:but|however|except|although|though|apart from|other than|aside from|besides|only|save for)\b"
)
_NONE = re.compile(
    r"(?:none|nothing|nil|n/?a|not (?:applicable|provided|available|given)|zero|0)\b"
    r"|no\s+(?!\d)\w"
    r"|(?:there|here)\s+(?:is|are|were|was|do(?:es)?n't\s+(?:seem|appear)\s+to\s+be)\s+(?:no|none|nothing|zero|not\s+any|any)\b"
    r"|(?:i|we)\s+(?:have\s+)?(?:found|find|see|saw|identif\w+|detect\w*|notice\w*)\s+(?:no|none|nothing)\b"
    r"|(?:i|we)\s+(?:did|do|could|can|have)\s*(?:not|n't)\s+(?:find|found|identif\w+|see|detect\w*|spot|notice\w*)\s+any\b"
    r"|(?:the\s+)?(?:\w+\s+){1,4}(?:contains?|has|have|includes?)\s+(?:no|none|nothing)\b"
)
_ALL = re.compile(
    r"(?:all|everything|every\s+\w+)\b(?:(?!\bnot\b|\bno\b)[^.;])*"
    r"|(?:the\s+)?(?:\w+\s+){1,4}(?:covers|matches|mentions|includes)\s+all\b[^.;]*"
)
_REFERENCES = re.compile(
    r"(?:(?:all\s+of\s+)?(?:items?|points?|numbers?|nos?\.?|#)\s*)?#?\d{1,3}(?:\s*(?:,|and|&|[-–]|to)+\s*#?\d{1,3})*"
    r"(?:\s*\([^()]*\))?\.?",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(\d{1,3})(?:\s*(?:[-–]|to)\s*(\d{1,3}))?")
_INLINE_NUMBER = re.compile(r"(?:^|(?<=[\s;,.:]))\(?(\d{1,2})[.)]\s+")
_INLINE_LETTER = re.compile(r"(?:^|(?<=[\s;,.:]))\(([a-h])\)\s+")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|does|did|do|can|could|would|should|seems?|appears?|covers|mentions)\b"
)
_TALLY = re.compile(
    r"[.;]\s+(?:(?:that|this|which)\s+(?:makes|is|gives)|total|count)\b[^.\d]{0,20}\d{1,3}(?:\s+\w+){0,3}\.?$"
    r"|\s*[(\[]?\s*(?:total:?\s*)?\d{1,3}\s*(?:(?:out\s+)?of|/)\s*\d{1,3}[^()\[\]]{0,20}[)\]]?\s*$|\s*\(\d{1,3}\)\s*$",
    re.IGNORECASE,
)
# An entry that is named and then taken back.
_UNCOUNTED = re.compile(r"\b(?:not|\w+n['’]t)\s+count(?:ed)?\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[a-z)\"”])[.!?]\s+(?=[A-Z])")
# A count with the entries behind it, after a colon or in brackets.
_COUNTED = re.compile(r"\d{1,3}(?:\s+[a-z]+){0,3}\s*(?:[:–—-]|(?=\())\s*\(?([^()]+?)\)?\.?", re.IGNORECASE)
# The next entry of a list is looked for so many lines further on.
_NEAR_LINES = 60
_LONGEST_GROUP_WORDS = 4
_LONGEST_PIECE_WORDS, _LONGEST_LINE_WORDS, _LONGEST_NONE_WORDS = 12, 14, 40


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry with what is said of it beside or below."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """The entries of a list; `is_all` where it says "all" in place of entries, `refers` where it names numbers only."""

    entries: tuple[Entry, ...] = ()
    announced: int | None = None
    refers: tuple[int, ...] = ()
    is_all: bool = False
    certainty: int = 2
    """Where a part stands twice: entries on lines of their own (3) before a list in one line (2) and commas (1)."""


def read_list(part: Part, known: Collection[str], names: Collection[str]) -> Listed | None:
    """The list under a heading; None where there is none: prose under "unsupported" is not nothing.

    `known` are the stems of the record: a single phrase counts as an entry only where it speaks of the record.
    """
    leading = part.heading.rest or " ".join(_list_paragraph(part.lines))
    entries = _read_entries(_add_heading(part), known, names)
    if says_none(leading) or (entries and all(says_none(each.text) for each in entries)):
        return Listed((), part.announced, certainty=2)
    if entries:
        return Listed(tuple(entries), part.announced, certainty=3)
    bare = leading.strip().lower()
    if _ALL.match(bare) and not _CONTRAST.search(bare) and len(bare.split()) < _LONGEST_NONE_WORDS:
        return Listed((), part.announced, is_all=True, certainty=1)
    if _REFERENCES.fullmatch(leading.strip()) and not leading.strip(" .").isdecimal():
        return Listed((), part.announced, refers=tuple(_read_references(leading)))
    lines = _list_paragraph(part.lines)
    if not part.heading.rest and len(lines) > 1 and all(_is_phrase(line) for line in lines):
        return Listed(tuple(Entry(strip_emphasis(line)) for line in lines), part.announced, certainty=1)
    found = _split_line(leading, known)
    if found is None:
        return None
    pieces, certainty = found
    return Listed(tuple(Entry(piece) for piece in pieces), part.announced, certainty=certainty)


def _add_heading(part: Part) -> list[Line]:
    """The lines of a part; with its heading, where that is the first of entries which all are headings of the part."""
    heading, row = part.heading, part.row
    if heading.mark == "table":
        return [heading, *part.lines]
    if row is None or not heading.is_entry or heading.form != "inline":
        return part.lines
    siblings = [line for line in part.lines if line.mark == heading.mark and line.indent == heading.indent]
    if not siblings or not all(match_title(line.title, [row]) for line in siblings):
        return part.lines
    return [heading, *part.lines]


def says_none(text: str) -> bool:
    if text.strip(" .") in {"[]", "{}", "-", "–", "—"}:
        return True
    bare = text.strip(" .*_-–—:\"'“”()[]").lower()
    return len(bare.split()) <= _LONGEST_NONE_WORDS and _NONE.match(bare) is not None and not _CONTRAST.search(bare)


def _list_paragraph(lines: Sequence[Line]) -> list[str]:
    """The lines of the first paragraph of a part, before any entry."""
    said: list[str] = []
    for line in lines:
        if line.is_entry or (line.is_blank and said):
            break
        said += [line.text] if line.text else []
    return said


def _read_references(text: str) -> Iterator[int]:
    for first, last in _SPAN.findall(re.sub(r"\([^()]*\)", "", text)):
        yield from range(int(first), int(last or first) + 1)


def _is_phrase(text: str) -> bool:
    return len(text.split()) <= _LONGEST_LINE_WORDS and not text.rstrip().endswith((".", ":", "?", "!"))


def _read_entries(lines: Sequence[Line], known: Collection[str], names: Collection[str]) -> list[Entry]:
    """The entries on lines of their own. A second list that nothing introduces, as a check of prices, is left out."""
    blocks: list[list[_Open]] = []
    is_parted = is_introduced = False
    for place, line in enumerate(lines):
        last = blocks[-1][-1] if blocks else None
        if line.is_blank:
            is_parted = True
        elif line.mark == "table":
            if _is_table_row(lines, place):
                if last is None or last.line.mark != "table":
                    blocks.append([])
                blocks[-1].append(_Open(line))
        elif not line.is_entry:
            if last is not None and line.indent > last.line.indent + 1:
                (last.notes if last.notes or is_parted else last.more).append(line.text)
            elif last is not None and not is_parted:
                last.notes.append(line.text)
            elif line.form == "heading":
                is_introduced = True
            else:
                is_parted = True
        elif _heads_group(lines, place, known, names):
            is_introduced = True
        elif last is not None and _is_remark(lines, place, last.line, is_parted=is_parted, is_introduced=is_introduced):
            last.notes.append(line.text)
        else:
            if last is None or is_introduced or (is_parted and _begins_anew(lines, place, last.line)):
                if last is not None and not is_introduced:
                    break
                blocks.append([])
            blocks[-1].append(_Open(line))
            is_parted = is_introduced = False
    return [each.close() for block in blocks for each in block if not says_none(each.line.text)] or [
        each.close() for block in blocks for each in block
    ]


class _Open:
    """An entry that further lines may add to."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.more: list[str] = []
        self.notes: list[str] = []

    def close(self) -> Entry:
        if self.line.mark == "table":
            cells = [cell for cell in self.line.cells if not re.fullmatch(r"[\d.#\s]*", cell)]
            return Entry(cells[0] if cells else self.line.text, " | ".join(cells[1:]))
        line = f"{self.line.title}: {self.line.rest}" if self.line.form == "inline" else self.line.text
        text, _, note = " ".join([line, *self.more]).partition(" | ")
        said = "\n".join(strip_emphasis(each) for each in (note, *self.notes) if each)
        return Entry(strip_emphasis(text), said)


def _is_table_row(lines: Sequence[Line], place: int) -> bool:
    """Not the first row of a table, which names its columns."""
    is_first = place == 0 or lines[place - 1].mark != "table"
    return any(lines[place].cells) and not (is_first and (place + 1 < len(lines) and lines[place + 1].mark == "table"))


def _next_entry(lines: Sequence[Line], place: int) -> Line | None:
    return next((line for line in lines[place + 1 : place + 1 + _NEAR_LINES] if line.is_entry), None)


def _heads_group(lines: Sequence[Line], place: int, known: Collection[str], names: Collection[str]) -> bool:
    """Whether an entry only announces those below it: "1. From the reviews:", or a product's name over its claims.

    So does a short one of which the record says nothing, over entries of which it speaks.
    """
    line, following = lines[place], _next_entry(lines, place)
    if following is None or following.mark == "table":
        return False
    is_deeper = following.indent > line.indent
    if line.text.rstrip().endswith(":"):
        return is_deeper or following.mark != line.mark
    is_name = len(line.text.split()) <= _LONGEST_PIECE_WORDS and names_any(line.text, names) and line.form != "inline"
    is_foreign = len(line.text.split()) <= _LONGEST_GROUP_WORDS and not keywords(line.text) & set(known)
    is_foreign = is_foreign and bool(keywords(following.text) & set(known))
    return is_deeper and (is_name or is_foreign or (line.mark == "bullet" and following.mark == "number"))


def _is_remark(lines: Sequence[Line], place: int, last: Line, *, is_parted: bool, is_introduced: bool) -> bool:
    """Whether an entry stands under another to say something of it."""
    line = lines[place]
    if is_introduced or last.mark == "table":
        return False
    if line.indent > last.indent + 1:
        return True
    if last.mark != "number" or line.mark != "bullet":
        return False
    near = lines[place + 1 : place + 1 + _NEAR_LINES]
    goes_on = any(each.mark == "number" and each.number == (last.number or 0) + 1 for each in near)
    return goes_on or not is_parted


def _begins_anew(lines: Sequence[Line], place: int, last: Line) -> bool:
    """Whether an entry is the first of another list: of other signs, or counted from the start."""
    line = lines[place]
    if line.mark != last.mark:
        return True
    if line.mark == "bullet" or line.number is None or last.number is None or line.number > last.number:
        return line.mark == "bullet" and any(not each.is_blank and not each.is_entry for each in _between(lines, place))
    following = _next_entry(lines, place)
    # Some models number every entry 1.
    is_all_ones = line.number == last.number == 1 and (following is None or following.number != 2)
    return not is_all_ones


def _between(lines: Sequence[Line], place: int) -> Iterator[Line]:
    """The lines between an entry and the one before it."""
    for before in range(place - 1, -1, -1):
        if lines[before].is_entry:
            return
        yield lines[before]


def _split_line(text: str, known: Collection[str]) -> tuple[list[str], int] | None:
    """The entries of a list in one line, and how certain they are ones."""
    for pattern, first in ((_INLINE_NUMBER, "1"), (_INLINE_LETTER, "a")):
        pieces = pattern.split(text)
        counted = [(piece.lower(), first) for piece in pieces[1::2]]
        if counted and [ord(each[-1]) - ord(base) if first == "a" else int(each) - 1 for each, base in counted] == list(
            range(len(counted))
        ):
            # What follows the last entry in the same line is no part of it.
            own = [*pieces[2:-1:2], _SENTENCE_END.split(pieces[-1])[0]]
            return [_trim(piece) for piece in own if _trim(piece) and not _UNCOUNTED.search(piece)], 2
    if "•" in text:
        return [_trim(piece) for piece in text.split("•") if _trim(piece)], 2
    behind_count = _COUNTED.fullmatch(text.strip())
    text = text.strip().removeprefix("[").removesuffix("]") if text.strip().endswith("]") else text
    body = (behind_count[1] if behind_count else _TALLY.sub("", text.strip())).rstrip(". ")
    if not body or re.search(r"[.!?]\s", body):
        return None
    if " / " in body and ";" not in body:
        body = body.replace(" / ", "; ")
    if ";" in body:
        return [_trim(re.sub(r"^and\s+", "", piece.strip())) for piece in body.split(";") if _trim(piece)], 2
    pieces = [_trim(re.sub(r"^(?:and|&)\s+", "", piece.strip())) for piece in _split_commas(body)]
    pieces = [piece for piece in pieces if piece]
    is_plain = all(len(piece.split()) <= _LONGEST_PIECE_WORDS and not _VERB.search(_unquote(piece)) for piece in pieces)
    if not pieces or not is_plain or not any(keywords(piece) & set(known) for piece in pieces):
        return None
    return pieces, 1


def _unquote(text: str) -> str:
    return re.sub(r"[\"“‘'][^\"”’']*[\"”’']", "", text.lower())


def _trim(text: str) -> str:
    return re.sub(r"[;,]\s*(?:and|or)$", "", strip_emphasis(text).strip(" ;,")).rstrip(".").strip()


def _split_commas(text: str) -> list[str]:
    """At commas outside brackets and quotes; the last two may be joined by "and"."""
    pieces, depth, start, quoted = [], 0, 0, False
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        quoted = (not quoted) if letter == '"' else letter == "“" or (quoted and letter != "”")
        is_number = text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()
        if letter == "," and depth <= 0 and not quoted and not is_number:
            pieces.append(text[start:place])
            start = place + 1
    pieces.append(text[start:])
    if len(pieces) > 1 or quoted:
        head, joint, tail = pieces[-1].rpartition(" and ")
        if joint and not head.strip().startswith("and ") and head.strip():
            pieces[-1:] = [head, tail]
    elif " and " in text and not re.search(r"[\"“]", text):
        pieces = text.split(" and ")
    return pieces
