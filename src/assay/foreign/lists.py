"""Reads the list under one title of an outline: entries on lines of their own, in a table, in one line, or "none"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from assay.foreign.outline import NUMBERS, Node, is_count, parse_count, strip_emphasis

_THINGS = r"(?:information|claim|item|piece|detail|point|fact|statement|opinion|feature|question|section|issue|error)s?"
_NONE = re.compile(
    r"(?:none|nothing|nil|n/?a|not\s+(?:applicable|provided|available|given)|zero|0)\b"
    rf"|(?:(?:there|here)\s+(?:is|are|were|was)\s+|(?:i|we)\s+(?:have\s+)?(?:found|find|see|saw|identified)\s+)?no\s+(?:\w+,?\s+(?:or\s+)?){{0,4}}{_THINGS}\b"
    rf"|(?:\w+\s+){{1,5}}(?:contains?|has|have|includes?|(?:not|n't)\s+(?:find|found|identified|see|contain))\s+(?:no|none|nothing|any\s+(?:\w+\s+){{0,3}}{_THINGS})\b"
    r"|(?:there|here)\s+(?:is|are|were|was)\s+(?:none|nothing)\b"
)
_CONTRAST = re.compile(r"\b(?:but|however|except|although|though|apart from|other than|besides|only)\b")
_SENTENCE_END = re.compile(r"(?<=[a-z)\"”])[.!?]\s+(?=[A-Z])")
# An entry that the reply takes back where it stands, or has second thoughts about.
_SECOND_THOUGHT = re.compile(
    r"[.,;:(\[–—-]\s*(?:[^.;]*\s)?(?:hmm|wait|actually|on\s+(?:second\s+thoughts?|reflection)|correction|withdr[ae]w\w*"
    r"|retract\w*|(?:scratch|strike|disregard)\s+(?:that|this|it)|(?:not|n't)\s+(?:be\s+)?count\w*|back)\b",
    re.IGNORECASE,
)
# "There are 3 points in both", "Unsupported claims (2)".
_ANNOUNCED = re.compile(
    rf"(?:there\s+(?:is|are)\s+)?(\d{{1,3}}|{'|'.join(NUMBERS)})\s+(?:\w+\s+){{0,4}}{_THINGS}\b"
    r"|.*\(\s*(?:total:?\s*|count:?\s*)?(\d{1,3})(?:\s+[a-z ]{1,30})?\s*\)\s*$",
    re.IGNORECASE,
)
_ENTRY_NAME = re.compile(rf"(?:\w+\s+){{0,2}}{_THINGS}(?:\s+\w+){{0,4}}\W*\d*", re.IGNORECASE)
_INLINE = (
    re.compile(r"(?:^|(?<=[\s;,.:]))\(?(\d{1,2})[.)]\s+"),
    re.compile(r"(?:^|(?<=[\s;,.:]))\(([a-h])\)\s+"),
)
# "Items 1, 2 and 4" of another list.
_REFERENCES = re.compile(r"\D{0,12}\d{1,3}\s*(?:,|and\b|&)", re.IGNORECASE)
_LONGEST_NONE_WORDS, _LONGEST_PIECE_WORDS, _LONGEST_NAME_WORDS = 40, 12, 4


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, the other cells of its row of a table, and what is said of it below."""

    text: str
    cells: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The entries of a list, and how many its title announces.

    `is_certain` where they stand on lines of their own or are numbered. `is_open` where it may have other entries than
    were read: it is split at commas, or prose behind the entries or in one may take some of them back.
    """

    entries: tuple[Entry, ...] = ()
    announced: int | None = None
    is_certain: bool = True
    is_open: bool = False


def says_none(text: str) -> bool:
    if text.strip(" .") in {"[]", "{}", "-", "–", "—"}:
        return True
    bare = _SENTENCE_END.split(text)[0].strip(" .*_-–—:\"'“”()[]").lower().replace("’", "'")
    return len(bare.split()) <= _LONGEST_NONE_WORDS and _NONE.match(bare) is not None and not _CONTRAST.search(bare)


def read_list(part: Node) -> Listed | None:
    """The list under a title; None where there is none: prose under "unsupported" is not nothing."""
    listed, said = _read(part), _ANNOUNCED.match(part.title)
    return replace(listed, announced=parse_count(said[1] or said[2])) if listed is not None and said else listed


def _read(part: Node) -> Listed | None:
    if part.is_entry and part.rest and part.title[-1:].isdigit():
        # "Unsupported claim 2: ..." is a title of its own for each entry.
        return Listed((Entry(part.rest),))
    lines = _list_opening(part)
    leading = part.rest or " ".join(lines)
    first = _SENTENCE_END.split(leading)[0]
    # "None of these is supported:" opens a list.
    if says_none(first) and not re.match(r"\W*none\s+of\b|.*:\s*$", first, re.IGNORECASE):
        return Listed()
    entries = list(_read_entries(part))
    real = tuple(each for each in entries if not says_none(each.text))
    if real:
        # What stands below an entry may take it back, or be the entries of a group.
        is_nested = any(each.is_entry for child in part.children if child.is_entry for each in child.children)
        is_open = is_nested or _has_conclusion(part) or any(_is_doubted(entry) for entry in real)
        return Listed(real, is_open=is_open)
    if entries:
        return Listed()
    if not part.rest and len(lines) > 1 and all(_is_phrase(line) for line in lines):
        return Listed(tuple(Entry(strip_emphasis(line)) for line in lines), is_certain=False, is_open=True)
    return None if is_count(leading) else _split_line(leading)


def _is_doubted(entry: Entry) -> bool:
    return bool(entry.notes) or _SECOND_THOUGHT.search(entry.text) is not None


def _read_entries(part: Node) -> Iterator[Entry]:
    """The entries of a title itself and those of the groups under it; a second list is left out."""
    if part.kind == "table":
        yield from read_table(part)
        return
    has_own = False
    are_groups = _are_groups([child for child in part.children if child.is_entry])
    for child, following in zip(part.children, [*part.children[1:], None], strict=False):
        # Numbers that begin again count another list.
        if has_own and child.number == 1 and following is not None and following.number == 2:
            return
        if child.row not in {None, part.row} or child.kind == "count" or is_count(child.rest):
            continue
        if child.text.startswith("~~"):
            continue
        if child.is_entry:
            yield from _read_entries(child) if are_groups or _are_groups([child]) else (_build_entry(child),)
        elif child.kind == "text" and has_own:
            return
        elif not has_own or child.kind == "table":
            yield from _read_entries(child)
        has_own = has_own or child.is_entry or child.kind == "table"


def _are_groups(entries: list[Node]) -> bool:
    """Whether entries only name those below them: with a colon, or in a few words over several."""
    below = [sum(each.is_entry for each in entry.children) for entry in entries]
    are_names = all(len(entry.text.split()) <= _LONGEST_NAME_WORDS and not entry.rest for entry in entries)
    return min(below, default=0) > 0 and (
        all(entry.text.endswith(":") for entry in entries) or (are_names and max(below) > 1)
    )


def read_table(table: Node) -> Iterator[Entry]:
    """The rows; the entry is the cell under a header such as "Claim", or else the first that is more than a number."""
    named = next((at for at, cell in enumerate(table.cells) if _ENTRY_NAME.fullmatch(cell.strip())), None)
    rows = [row.cells for row in table.children if any(row.cells)]
    wordy = [{at for at, cell in enumerate(row) if re.search(r"[^\d.#\s]", cell)} for row in rows]
    columns = [at for at in range(len(table.cells)) if any(at in each for each in wordy)]
    own = named if named is not None else next(iter(columns), 0)
    for cells in rows:
        others = [cell for at, cell in enumerate(cells) if at != own and at in columns]
        yield Entry(cells[own] if own < len(cells) else cells[0], tuple(others))


def _build_entry(node: Node) -> Entry:
    text = node.rest if node.rest and _ENTRY_NAME.fullmatch(node.title) else node.text
    is_continued = all(each.kind == "text" and each.indent > node.indent for each in node.children)
    text, *cells = " ".join([text, *(each.text for each in node.children if is_continued)]).split(" | ")
    notes = [] if is_continued else [strip_emphasis(each.text) for each in node.walk()]
    return Entry(strip_emphasis(text), tuple(strip_emphasis(cell) for cell in cells), tuple(notes))


def _list_opening(part: Node) -> list[str]:
    """The lines of the first paragraph under a title, or the title itself, where it says all there is."""
    if not part.children:
        return [part.text] if part.is_step else []
    said: list[str] = []
    for child in part.children:
        if child.kind not in {"text", "title"} or child.row is not None or (child.is_parted and said):
            break
        said.append(child.text)
    return said


def _is_phrase(text: str) -> bool:
    return len(text.split()) <= _LONGEST_PIECE_WORDS and text[-1:] not in {".", ":", "?", "!"}


def _has_conclusion(part: Node) -> bool:
    """Whether prose stands behind the entries of a list."""
    kinds = [child.is_entry or child.kind == "table" for child in part.children]
    behind = part.children[kinds.index(True) :] if True in kinds else []
    return any(child.kind == "text" or (child.kind == "title" and child.row is None) for child in behind)


def _split_line(text: str) -> Listed | None:
    """The entries of a list in one line: numbered, or between semicolons or commas."""
    for pattern in _INLINE:
        _, *pieces = pattern.split(text)
        counts = [int(each) if each.isdecimal() else ord(each) - ord("a") + 1 for each in pieces[::2]]
        if counts and counts == list(range(1, len(counts) + 1)):
            # What follows the last entry in the same line is no part of it.
            return _build_listed([*pieces[1:-1:2], _SENTENCE_END.split(pieces[-1])[0]])
    text = text.rstrip(". ")
    if re.search(r"[.!?:]\s", text):
        return None
    if ";" in text:
        return _build_listed(text.split(";"))
    pieces = re.split(r",\s+(?:and\s+)?", text)
    if len(pieces) < 2 or not all(map(_is_phrase, pieces)) or _REFERENCES.match(text):
        return None
    return replace(_build_listed(pieces), is_certain=False, is_open=True)


def _build_listed(pieces: list[str]) -> Listed:
    bare = [re.sub(r"^and\s+|[;,]\s*(?:and|or)?$", "", strip_emphasis(each).strip()).rstrip(". ;,") for each in pieces]
    return Listed(tuple(Entry(each) for each in bare if each))
