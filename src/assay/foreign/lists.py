"""Reads the list under one title of an outline: entries on lines of their own, in a table, in one line, or "none"."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from assay.foreign.outline import Node, fold_words, strip_emphasis
from assay.text.keywords import keywords

_CONTRAST = re.compile(
    r"\b(?:but|however|except|although|though|apart from|other than|aside from|besides|only|save)\b(?:\s+for\b)?"
)
_NONE = re.compile(
    r"(?:none|nothing|nil|n/?a|not (?:applicable|provided|available|given)|zero|0)\b"
    r"|no\s+(?!\d)\w"
    r"|(?:there|here)\s+(?:is|are|were|was|do(?:es)?n't\s+(?:seem|appear)\s+to\s+be)\s+(?:no|none|nothing|zero|not\s+any|any)\b"
    r"|(?:i|we)\s+(?:have\s+)?(?:found|find|see|saw|identif\w+|detect\w*|notice\w*)\s+(?:no|none|nothing)\b"
    r"|(?:i|we)\s+(?:did|do|could|can|have)\s*(?:not|n't)\s+(?:find|found|identif\w+|see|detect\w*|spot|notice\w*)\s+any\b"
    r"|(?:the\s+)?(?:\w+\s+){1,4}(?:contains?|has|have|includes?)\s+(?:no|none|nothing)\b"
)
_FOUND_NONE = re.compile(
    r"\b(?:not|n't)\s+(?:find|found|identif\w+|see|detect\w*|contain|include)\s+any\s+(?:\w+\s+){0,3}"
    r"(?:information|claims?|items?|statements?|details?|facts?|issues?|errors?)\b(?!\s+(?:about|on|regarding|for)\b)"
    r"|\bno\s+(?:\w+,?\s+){0,5}(?:information|claims?|items?|statements?|details?|facts?)\s+(?:was|were|is|are)\s+(?:found|present)"
)
_ALL = re.compile(
    r"(?:all|both\s+of|everything|every\s+\w+)\b(?:(?!\bnot\b|\bno\b)[^.;])*"
    r"|(?:the\s+)?(?:\w+\s+){1,4}(?:covers|matches|mentions|includes)\s+all\b[^.;]*"
)
_REFERENCES = re.compile(
    r"(?:(?:all\s+of\s+)?(?:items?|points?|numbers?|nos?\.?|#)\s*)?#?\d{1,3}(?:\s*(?:,|and|&|[-–]|to)+\s*#?\d{1,3})*"
    r"(?:\s*\([^()]*\))?\.?",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(\d{1,3})(?:\s*(?:[-–]|to)\s*(\d{1,3}))?")
_INLINE = (
    re.compile(r"(?:^|(?<=[\s;,.:]))\(?(\d{1,2})[.)]\s+"),
    re.compile(r"(?:^|(?<=[\s;,.:]))\(([a-h])\)\s+"),
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|does|did|do|can|could|would|should|seems?|appears?|covers|mentions)\b"
)
# A clause that explains the entry before it and is none of its own.
_CLAUSE = re.compile(
    r"(?:which|who|whose|where|although|though|but|because|since|while|so|as|e\.g|i\.e|not|also|even)\b"
)
_TALLY = re.compile(
    r"[.;]\s+(?:(?:that|this|which)\s+(?:makes|is|gives)|total|count)\b[^.\d]{0,20}\d{1,3}(?:\s+\w+){0,3}\.?$"
    r"|\s*[(\[]?\s*(?:total:?\s*)?\d{1,3}\s*(?:(?:out\s+)?of|/)\s*\d{1,3}[^()\[\]]{0,20}[)\]]?\s*$|\s*\(\d{1,3}\)\s*$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[a-z)\"”])[.!?]\s+(?=[A-Z])")
_COUNT = re.compile(r"\(\s*(?:total:?\s*|count:?\s*)?(\d{1,3})(?:\s+[a-z ]{1,30})?\s*\)\s*$", re.IGNORECASE)
# A count with the entries behind it, after a colon or in brackets.
_COUNTED = re.compile(r"\d{1,3}(?:\s+[a-z]+){0,3}\s*(?:[:–—-]|(?=\())\s*\(?([^()]+?)\)?\.?", re.IGNORECASE)
_ENTRY_NAME = re.compile(
    r"(?:\w+\s+){0,2}(?:claim|statement|item|piece|information|detail|point|fact|feature|question|section|issue|opinion)"
    r"s?(?:\s+\w+){0,4}\W*\d*",
    re.IGNORECASE,
)
_LONGEST_GROUP_WORDS = 4
_LONGEST_PIECE_WORDS, _LONGEST_LINE_WORDS, _LONGEST_NONE_WORDS = 12, 14, 40


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, the other cells of its row of a table, and what is said of it below."""

    text: str
    cells: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The entries of a list; `is_all` where it says "all" in place of entries, `refers` where it names numbers only.

    `certainty`: entries on lines of their own (3) before a list in one line (2) and commas (1). Prose behind the
    entries may take some of them back: `is_open`.
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
        counted = _COUNT.search(part.title)
        announced = int(counted[1]) if counted else None
        if part.is_entry and part.rest and re.search(r"\d\s*$", part.title):
            # "Unsupported claim 2: ..." is a title of its own for each entry.
            return Listed((Entry(part.rest),), certainty=3)
        entries = self._read_entries(part)
        lines = _list_paragraph(part)
        leading = part.rest or " ".join(lines)
        real = tuple(each for each in entries if not self._is_no_entry(each.text, is_only=len(entries) == 1))
        conclusion = _find_conclusion(part)
        if real and not says_none(conclusion):
            return Listed(real, announced, certainty=3, is_open=conclusion != "")
        if entries or says_none(leading):
            return Listed((), announced, certainty=2)
        bare = leading.strip().lower()
        if _ALL.match(bare) and not _CONTRAST.search(bare) and len(bare.split()) < _LONGEST_NONE_WORDS:
            return Listed((), announced, is_all=True, certainty=1)
        if _REFERENCES.fullmatch(leading.strip()) and not leading.strip(" .").isdecimal():
            return Listed((), announced, refers=tuple(_read_references(leading)))
        if not part.rest and len(lines) > 1 and all(_is_phrase(line) for line in lines):
            return Listed(tuple(Entry(strip_emphasis(line)) for line in lines), announced, certainty=1)
        found = self._split_line(leading)
        if found is None:
            return None
        pieces, certainty = found
        return Listed(tuple(Entry(piece) for piece in pieces), announced, certainty=certainty)

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
        """The entries of a title itself, or else those of the groups under it, or else these groups.

        A second list behind prose or with numbers of its own, as a check of prices, is left out.
        """
        if part.kind == "table":
            return list(read_table(part))
        own: list[Entry] = []
        grouped: list[Entry] = []
        heads: list[Entry] = []
        is_over = False
        for child, following in zip(part.children, [*part.children[1:], None], strict=False):
            if child.row not in {None, part.row}:
                continue
            # Numbers that begin again count another list.
            is_over = is_over or bool(own and child.number == 1 and following and following.number == 2)
            if child.is_entry or child.kind == "table":
                if not is_over:
                    own += self._expand(child) if child.is_entry else read_table(child)
            elif child.kind == "text":
                is_over = is_over or bool(own)
            elif not own or self.is_group(child.title):
                inner = self._read_entries(child)
                if not inner and self.is_group(child.title) and (found := self._split_line(child.rest)):
                    inner = [Entry(piece) for piece in found[0]]
                grouped += inner
                heads += [_build_entry(child)] if child.is_heading and not inner else []
        return own + grouped or (heads if part.rest == "" else [])

    def _expand(self, node: Node) -> list[Entry]:
        """An entry, or those below it where it only announces them: "1. From the reviews:", a product's name.

        So does a short one of which the record says nothing, over several of which it speaks.
        """
        below = [child for child in node.children if child.is_entry]
        if not below:
            return [_build_entry(node)]
        words = len(node.text.split())
        is_name = words <= _LONGEST_PIECE_WORDS and not node.rest and self.is_group(node.text)
        is_foreign = words <= _LONGEST_GROUP_WORDS and len(below) > 1 and not keywords(node.text) & set(self.known)
        is_foreign = is_foreign and bool(keywords(below[0].text) & set(self.known))
        is_other = node.kind == "bullet" and below[0].kind == "number"
        is_opener = node.text.rstrip().endswith(":") and (
            words <= _LONGEST_GROUP_WORDS or not keywords(node.text) & set(self.known)
        )
        if is_opener or is_name or is_foreign or is_other:
            return [entry for child in below for entry in self._expand(child)]
        return [_build_entry(node)]

    def _split_line(self, text: str) -> tuple[list[str], int] | None:
        """The entries of a list in one line, and how certain they are ones."""
        for pattern in _INLINE:
            _, *pieces = pattern.split(text)
            counts = [int(each) if each.isdecimal() else ord(each) - ord("a") + 1 for each in pieces[::2]]
            if counts and counts == list(range(1, len(counts) + 1)):
                # What follows the last entry in the same line is no part of it.
                own = [*pieces[1:-1:2], _SENTENCE_END.split(pieces[-1])[0]]
                return [_trim(piece) for piece in own if _trim(piece)], 2
        if "•" in text:
            return [_trim(piece) for piece in text.split("•") if _trim(piece)], 2
        bare = text.strip()
        if _NONE.match(bare.lower()) and (contrast := _CONTRAST.search(bare.lower())):
            bare = bare[contrast.end() :].strip()
        behind_count = _COUNTED.fullmatch(bare)
        bare = bare.removeprefix("[").removesuffix("]") if bare.endswith("]") else bare
        body = (behind_count[1] if behind_count else _TALLY.sub("", bare)).rstrip(". ")
        if not body or re.search(r"[.!?]\s", body):
            return None
        if " / " in body and ";" not in body and "," not in body:
            body = body.replace(" / ", "; ")
        if ";" in body:
            return [_trim(re.sub(r"^and\s+", "", piece.strip())) for piece in body.split(";") if _trim(piece)], 2
        pieces = [piece for each in _split_commas(body) if (piece := _trim(re.sub(r"^(?:and|&)\s+", "", each.strip())))]
        is_plain = all(_is_plain(piece) for piece in pieces)
        is_told = not self.known or any(keywords(piece) & set(self.known) for piece in pieces)
        if not pieces or not is_plain or not is_told:
            return None
        return pieces, 1


def says_none(text: str) -> bool:
    if text.strip(" .") in {"[]", "{}", "-", "–", "—"}:
        return True
    bare = _SENTENCE_END.split(text)[0].strip(" .*_-–—:\"'“”()[]").lower()
    if len(bare.split()) > _LONGEST_NONE_WORDS or _CONTRAST.search(bare):
        return False
    return _NONE.match(bare) is not None or _FOUND_NONE.search(bare) is not None


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


def _find_conclusion(part: Node) -> str:
    """The first prose behind the entries of a list."""
    is_behind = False
    for child in part.children:
        if child.kind == "text" and is_behind:
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


def _read_references(text: str) -> Iterator[int]:
    for first, last in _SPAN.findall(re.sub(r"\([^()]*\)", "", text)):
        yield from range(int(first), int(last or first) + 1)


def _is_phrase(text: str) -> bool:
    is_quoted = re.match(r"[\"“][^\"“”]+[\"”]", text.strip()) is not None
    return is_quoted or (len(text.split()) <= _LONGEST_LINE_WORDS and not text.rstrip().endswith((".", ":", "?", "!")))


def _is_plain(piece: str) -> bool:
    """Short, and no sentence: a verb stands only in quotes or in a clause behind a comma."""
    head = re.split(r",\s", piece, maxsplit=1)[0]
    bare = re.sub(r"[\"“‘'][^\"”’']*[\"”’']", "", head.lower())
    return len(head.split()) <= _LONGEST_PIECE_WORDS and not _VERB.search(bare)


def _trim(text: str) -> str:
    return re.sub(r"[;,]\s*(?:and|or)$", "", strip_emphasis(text).strip(" ;,")).rstrip(".").strip()


def _split_commas(text: str) -> list[str]:
    """At commas outside brackets and quotes; the last two may be joined by "and"."""
    pieces, depth, start, quoted = [], 0, 0, False
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        quoted = (not quoted) if letter == '"' else letter == "“" or (quoted and letter != "”")
        is_number = text[place - 1 : place].isdigit() and text[place + 1 : place + 2].isdigit()
        is_clause = _CLAUSE.match(text[place + 1 :].lstrip().lower()) is not None
        if letter == "," and depth <= 0 and not quoted and not is_number and not is_clause:
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


def align(entries: Sequence[str], items: Sequence[str]) -> dict[int, int]:
    """For each entry that repeats an item, in whatever words, the place of that item; each item is taken once."""
    said, own = ([keywords(each) for each in texts[:_MOST_ALIGNED]] for texts in (entries, items))
    pairs = [
        (len(one & other) / min(len(one), len(other)), fold_words(entries[at]) == fold_words(items[to]), -to, -at)
        for at, one in enumerate(said)
        for to, other in enumerate(own)
        if one & other
    ]
    found: dict[int, int] = {}
    for share, _, to, at in sorted(pairs, reverse=True):
        if share >= _ALIKE and -at not in found and -to not in found.values():
            found[-at] = -to
    return found


# Two entries that share this part of their stems speak of the same thing.
_ALIKE = 0.34
# Nobody lists more.
_MOST_ALIGNED = 200
