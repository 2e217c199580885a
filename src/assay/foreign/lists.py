"""Reads the list under one title of an outline: entries on lines of their own, in a table, in one line, or "none"."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.foreign.outline import NUMBERS, Node, fold_words, is_count, parse_count, strip_emphasis
from assay.foreign.sentences import (
    LONGEST_PIECE_WORDS,
    cut_sentence,
    opens_with_none,
    read_references,
    says_all,
    says_none,
    split_line,
)
from assay.text.keywords import keywords

# An entry that the reply takes back where it stands, and one that it has second thoughts about.
_WITHDRAWN = re.compile(
    r"~~|.*?[.,;:(\[–—-]\s*(?:[^.;]*\s)?(?:withdr[ae]w\w*|retract\w*|(?:scratch|strike|disregard)\s+(?:that|this|it)"
    r"|(?:not|n't)\s+(?:be\s+)?count(?:ed|ing)?|take\s+(?:it|this|that)(?:\s+one)?\s+back)\b",
    re.IGNORECASE | re.DOTALL,
)
_SECOND_THOUGHT = re.compile(
    r"[.,;(–—-]\s*(?:hmm|wait|actually|on\s+(?:second\s+thoughts?|reflection)|correction)\b", re.IGNORECASE
)
# "There are 3 points in both", "Unsupported claims (2)".
_ANNOUNCED = re.compile(
    rf"(?:there\s+(?:is|are)\s+)?(\d{{1,3}}|{'|'.join(NUMBERS)})\s+(?:\w+\s+){{0,4}}(?:claim|item|piece|detail|point|fact|statement|opinion)s?\b"
    r"|.*\(\s*(?:total:?\s*|count:?\s*)?(\d{1,3})(?:\s+[a-z ]{1,30})?\s*\)\s*$",
    re.IGNORECASE,
)
_ENTRY_NAME = re.compile(
    r"(?:\w+\s+){0,2}(?:claim|statement|item|piece|information|detail|point|fact|feature|question|section|issue|opinion)"
    r"s?(?:\s+\w+){0,4}\W*\d*",
    re.IGNORECASE,
)
_LONGEST_GROUP_WORDS = 4
_LONGEST_LINE_WORDS = 14


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, the other cells of its row of a table, and what is said of it below."""

    text: str
    cells: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The entries of a list; `is_all` where it says "all" in place of entries, `refers` where it names numbers only.

    With both, all but these. `certainty`: entries on lines of their own (3) before a list in one line (2) and commas
    (1). Prose behind the entries or in one may take some of them back: `is_open`.
    """

    entries: tuple[Entry, ...] = ()
    announced: int | None = None
    refers: tuple[int, ...] = ()
    is_all: bool = False
    certainty: int = 2
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class ListReader:
    """`known` are the stems of the record, `names` what a group inside a list may be called: inputs, products."""

    known: Collection[str] = ()
    names: Collection[str] = ()

    def read(self, part: Node) -> Listed | None:
        """The list under a title; None where there is none: prose under "unsupported" is not nothing."""
        listed, said = self._read(part), _ANNOUNCED.match(part.title)
        return replace(listed, announced=parse_count(said[1] or said[2])) if listed is not None and said else listed

    def _read(self, part: Node) -> Listed | None:
        if part.is_entry and part.rest and re.search(r"\d\s*$", part.title):
            # "Unsupported claim 2: ..." is a title of its own for each entry.
            return Listed((Entry(part.rest),), certainty=3)
        lines = _list_paragraph(part)
        leading = part.rest or " ".join(lines)
        if opens_with_none(leading or _find_opening(part)):
            return Listed()
        entries = self._read_entries(part)
        real = tuple(each for each in entries if not self._is_no_entry(each.text, is_only=len(entries) == 1))
        conclusion = _find_conclusion(part)
        if real:
            # What stands below an entry may take it back, whatever its words.
            is_open = conclusion != "" or any(entry.notes or _SECOND_THOUGHT.search(entry.text) for entry in real)
            return Listed(real, certainty=3, is_open=is_open)
        if entries or says_none(leading) or any(each.row is None for each in _list_below(part)):
            return Listed()
        leading = leading or cut_sentence(part.title or part.text, part.row.words if part.row else ())
        if says_all(leading):
            return Listed(is_all=True, certainty=1)
        if found := read_references(leading):
            return Listed(refers=found[0], is_all=found[1])
        if not part.rest and len(lines) > 1 and all(_is_phrase(line) for line in lines):
            return Listed(tuple(Entry(strip_emphasis(line)) for line in lines), certainty=1)
        split = None if is_count(leading) else split_line(leading, self.known, part.row.words if part.row else ())
        return Listed(tuple(Entry(piece) for piece in split[0]), certainty=split[1]) if split else None

    def _is_no_entry(self, text: str, *, is_only: bool) -> bool:
        """Whether an entry says that there is none; not "No flicker", beside others or if the record speaks of it."""
        if not is_only or text[:1] in '"“':
            return (
                re.match(
                    r"\W*(?:none|nothing|nil|n/?a|not (?:applicable|provided|available|given))\b", text, re.IGNORECASE
                )
                is not None
            )
        stems = keywords(text)
        return says_none(text) and not (stems and stems <= set(self.known))

    def is_group(self, title: str) -> bool:
        folded = " ".join(fold_words(title))
        return any(f" {name} " in f" {folded} " for name in self.names)

    def _read_entries(self, part: Node) -> list[Entry]:
        """The entries of a title itself, and those of the groups under it.

        A second list behind prose or with numbers of its own, as a check of prices, is left out.
        """
        if part.kind == "table":
            return list(read_table(part))
        own: list[Entry] = []
        grouped: list[Entry] = []
        is_over = False
        siblings = [child for child in part.children if child.is_entry]
        is_grouped = self._are_groups(siblings)
        for child, following in zip(part.children, [*part.children[1:], None], strict=False):
            if child.row not in {None, part.row} or child.kind == "count" or is_count(child.rest):
                continue
            # Numbers that begin again count another list.
            is_over = is_over or bool(own and child.number == 1 and following and following.number == 2)
            if child.is_entry or child.kind == "table":
                if not is_over and not _is_withdrawn(child, following):
                    own += self._expand(child, is_group=is_grouped) if child.is_entry else read_table(child)
            elif child.kind == "text":
                is_over = is_over or bool(own)
            elif not own or self.is_group(child.title):
                grouped += self._read_entries(child)
        return own + grouped

    def _are_groups(self, siblings: Sequence[Node]) -> bool:
        """Whether entries that all have others below them are groups, since one is: a product, "In the table"."""
        return all(_list_below(each) and not each.rest for each in siblings) and any(map(self._announces, siblings))

    def _expand(self, node: Node, *, is_group: bool = False) -> list[Entry]:
        """An entry, or those below it or behind it where it only announces them."""
        below = _list_below(node)
        if node.rest and self._is_name(node.title):
            split = split_line(node.rest, self.known)
            if self._is_no_entry(node.rest, is_only=True):
                return []
            if split is not None and split[1] > 1:
                return [Entry(piece) for piece in split[0]]
        if not below or not (is_group or self._announces(node)):
            return [_build_entry(node)]
        kept = [each for each in below if not self._is_no_entry(each.text, is_only=len(below) == 1)]
        pairs = zip(kept, [*kept[1:], None], strict=False)
        return [entry for each, after in pairs if not _is_withdrawn(each, after) for entry in self._expand(each)]

    def _announces(self, node: Node) -> bool:
        """Whether an entry only names those below it: "1. From the reviews:", a product's name.

        So does a short one of which the record says nothing, over several of which it speaks.
        """
        below, known = _list_below(node), set(self.known)
        if not below:
            return False
        words = len(node.text.split())
        is_name = words <= LONGEST_PIECE_WORDS and not node.rest and self._is_name(node.text)
        is_foreign = words <= _LONGEST_GROUP_WORDS and len(below) > 1 and not keywords(node.text) & known
        is_foreign = is_foreign and bool(keywords(below[0].text) & known)
        is_opener = node.text.rstrip().endswith(":") and (
            words <= _LONGEST_GROUP_WORDS or not keywords(node.text) & known
        )
        return is_opener or is_name or is_foreign

    def _is_name(self, text: str) -> bool:
        """Whether a text has the name of a group in it, or is the beginning of one, as that of a product."""
        folded = " ".join(fold_words(text))
        return self.is_group(text) or any(f"{name} ".startswith(f"{folded} ") for name in self.names)


def read_table(table: Node) -> Iterator[Entry]:
    """The rows; the entry is the cell under a header such as "Claim", or else the first that is more than a number."""
    if not table.children:
        return
    width = len(table.cells)
    named = next((at for at, cell in enumerate(table.cells) if _ENTRY_NAME.fullmatch(cell.strip())), None)
    columns = [at for at in range(width) if any(_is_wordy(row, at) for row in table.children)]
    own = named if named is not None else next(iter(columns), 0)
    for row in table.children:
        if any(row.cells):
            others = [cell for at, cell in enumerate(row.cells) if at != own and at in columns]
            yield Entry(row.cells[own] if own < len(row.cells) else row.cells[0], tuple(others))


def _is_wordy(row: Node, at: int) -> bool:
    return at < len(row.cells) and re.fullmatch(r"[\d.#\s]*", row.cells[at]) is None


def _build_entry(node: Node) -> Entry:
    text = node.rest if node.rest and _ENTRY_NAME.fullmatch(node.title) else node.text
    more = [
        each.text for each in node.children if each.kind == "text" and each.indent > node.indent and not each.is_parted
    ]
    joined = [] if not node.is_entry or len(more) < len(node.children) else more
    text, *cells = " ".join([text, *joined]).split(" | ")
    notes = [] if joined else [strip_emphasis(each.text) for each in node.walk()]
    return Entry(strip_emphasis(text), tuple(strip_emphasis(cell) for cell in cells), tuple(notes))


def _list_below(node: Node) -> list[Node]:
    return [child for child in node.children if child.is_entry]


def _is_withdrawn(node: Node, following: Node | None) -> bool:
    """Whether an entry is taken back in its own words, or in doubt and its number used again."""
    if _WITHDRAWN.match(node.text):
        return True
    is_renumbered = following is not None and node.number == following.number and node.number not in {None, 1}
    return is_renumbered and _SECOND_THOUGHT.search(node.text) is not None


def _find_opening(part: Node) -> str:
    """What stands first under a title, if it is no entry; or the title itself, where it says all there is."""
    first = part.children[0] if part.children else part
    is_said = first.kind == "title" if part.children else part.is_step
    return first.text if is_said else ""


def _find_conclusion(part: Node) -> str:
    """The first prose behind the entries of a list."""
    is_behind = False
    for child in part.children:
        if is_behind and (child.kind == "text" or (child.kind == "title" and child.row is None)):
            return child.text
        is_behind = is_behind or child.is_entry or child.kind == "table"
    return ""


def _list_paragraph(part: Node) -> list[str]:
    """The lines of the first paragraph under a title, before any entry."""
    said: list[str] = []
    for child in part.children:
        if child.kind != "text" or (child.is_parted and said):
            break
        said.append(child.text)
    return said


def _is_phrase(text: str) -> bool:
    is_quoted = re.match(r"[\"“][^\"“”]+[\"”]", text.strip()) is not None
    return is_quoted or (len(text.split()) <= _LONGEST_LINE_WORDS and not text.rstrip().endswith((".", ":", "?", "!")))
