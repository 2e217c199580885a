"""The outline of a reply: a tree of titles, entries, tables and prose, whatever signs they are written with."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assay.domain.shape import ShapeRow
from assay.replies.wrapping import to_half_width

Kind = Literal["title", "number", "letter", "bullet", "table", "row", "text", "count"]

_HASH = re.compile(r"\s{0,3}(#{1,6})\s*([^\s#].*)")
_ENTRY = re.compile(
    r"\s*(?:\(?(?P<number>\d{1,3})[.)](?=\s|\*\*)|(?P<decimal>\d{1,2}\.\d{1,2})\.?(?=\s+[\"“*A-Z])"
    r"|\(?(?P<letter>[a-h]|[ivx]{1,4})[.)](?=\s)|[-*–—+](?=\s)|[•◦▪‣·])\s*(?P<text>\S.*)",
    re.IGNORECASE,
)
_BOX = re.compile(r"^(\s*[-*+]\s+)\[([ xX✓✔])\]\s+", re.MULTILINE)
_STEP = re.compile(
    r"(?:step|part|schritt|paso|étape|etape|etapa|passo|stap|krok)\s*#?\s*(\d{1,2})\b\s*[:.)\-–—|]*\s*", re.IGNORECASE
)
_NUMBERED = re.compile(r"(\d{1,2})[.)]\s*")
_NAMED_ENTRY = re.compile(
    r"(?:issue|claim|item|point|problem|statement|finding)\s*#?(\d{1,2})\s*[:.)–—-]", re.IGNORECASE
)
_REMARK = re.compile(
    r"(?:verdict|status|result|label|assessment|evidence|note|why|reason\w*|explanation|justification)", re.IGNORECASE
)
_SCORE_LINE = re.compile(r"\W*(?:(?:final\s+|overall\s+)?score[\s:=-]*)?<\s*score", re.IGNORECASE)
_BOLD = re.compile(r"\W{0,3}(\*\*|__).+?\1\s*:?\s*(?P<rest>.*)", re.DOTALL)
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)[*_`](?=\S)|(?<=\S)[*_`](?!\w)")
_ESCAPED = re.compile(r"\\([.()*_\-#])")
_RULE_LINE = re.compile(r"\s*(?:[-*_=]\s*){3,}|\s*```\w*\s*|\s*\|?\s*:?-{2,}[\s:|-]*")
_DASH = re.compile(r"\s[-–—]\s")
_SENTENCE_END = re.compile(r"(?<=[a-z)\"”])[.!?]\s+(?=[A-Z])")
_ENTRY_TAGS = r"(?:li|item|entry|point|claim|statement)"
_MARKUP = (
    (re.compile(r"<br\s*/?>|</(?!score|b>|strong>|s>|del>|strike>)[a-z][\w -]{0,40}>", re.IGNORECASE), "\n"),
    (re.compile(rf"<{_ENTRY_TAGS}(?:\s[^<>]*)?>", re.IGNORECASE), "\n- "),
    (re.compile(r"<h[1-6][^<>]*>", re.IGNORECASE), "\n## "),
    (re.compile(r"</?(?:b|strong)>", re.IGNORECASE), "**"),
    (re.compile(r"</?(?:s|del|strike)>", re.IGNORECASE), "~~"),
    (re.compile(r"<(?:p|ul|ol|i|em|div|span|tr|td)(?:\s[^<>]*)?>", re.IGNORECASE), ""),
    (re.compile(r"<(?!score\b)([a-z][a-z0-9_ -]{3,40})>\s*", re.IGNORECASE), "\n## \\1\n"),
)
# "7 / 7", "Total: 3", "6 out of 8 (75%)".
_COUNT = re.compile(
    r"\W*(?:(?:total|count|sum|tally|so)\b[^\w]*\d{1,3}(?!\d)|\d{1,3}\s*(?:/|(?:out\s+)?of)\s*(?:the\s+)?\d{1,3})"
    r"\W*(?:\d{1,3}(?:\.\d+)?\s*%\W*)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LONGEST_TITLE_WORDS, _LONGEST_BARE_TITLE_WORDS = 22, 10
_DEEPEST_INDENT = 40
_STEP_LEVEL, _BOLD_LEVEL, _PLAIN_LEVEL, _ENTRY_LEVEL, _TABLE_LEVEL = 7.0, 7.5, 8.0, 10.0, 1000.0


@dataclass(slots=True)
class Node:
    """A line without its signs, and what stands under it.

    `title` is what it could be called and `rest` what follows in the same line; `row` is the part of the shape that it
    opens. `level` is its depth: headings have the lowest, entries one by their indent.
    """

    text: str
    kind: Kind = "text"
    title: str = ""
    rest: str = ""
    number: int | None = None
    is_step: bool = False
    indent: int = 0
    level: float = _ENTRY_LEVEL
    is_parted: bool = False
    """Whether an empty line stands before it."""
    cells: tuple[str, ...] = ()
    children: list["Node"] = field(default_factory=list)
    row: ShapeRow | None = None

    @property
    def is_entry(self) -> bool:
        return self.kind in {"number", "letter", "bullet"}

    @property
    def is_heading(self) -> bool:
        """Whether a sign, bold letters or "Step 2" make it a title, and not a colon alone."""
        return self.kind == "title" and self.level < _PLAIN_LEVEL

    def walk(self) -> Iterator["Node"]:
        """All nodes below, in their order."""
        for child in self.children:
            yield child
            yield from child.walk()


def fold_words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def strip_emphasis(text: str) -> str:
    return _EMPHASIS.sub("", text).strip()


def is_none(text: str) -> bool:
    return re.fullmatch(r"\W*(?:none|n/?a|nil|nothing)\W*", text, re.IGNORECASE) is not None


def parse_count(text: str) -> int:
    return int(text) if text.isdecimal() else NUMBERS.index(text.lower())


def is_count(text: str) -> bool:
    return _COUNT.fullmatch(text) is not None


def build_outline(text: str, is_known: Callable[[str], bool]) -> Node:
    """The tree of a reply. `is_known` tells the titles of the shape."""
    plain = to_half_width(text)
    for pattern, written in _MARKUP:
        plain = pattern.sub(written, plain)
    plain = _BOX.sub(lambda box: box[1] + ("✗ " if box[2] == " " else "✓ "), _ESCAPED.sub(r"\1", plain).expandtabs(4))
    raws = [raw for raw in plain.splitlines() if not _RULE_LINE.fullmatch(raw) or not raw.strip()]
    builder = _Builder()
    for place, raw in enumerate(raws):
        if raw.strip():
            node = _read_line(raw, is_known)
            node.is_parted = place == 0 or not raws[place - 1].strip()
            if _is_bare_title(node, raws[place + 1 : place + 3], is_known):
                node.kind, node.title, node.level = "title", node.text, _PLAIN_LEVEL
            builder.add(node)
    return builder.open[0]


def _is_bare_title(node: Node, following: Sequence[str], is_known: Callable[[str], bool]) -> bool:
    """Whether a short line without any sign stands alone over a list, or is a title that the shape knows."""
    if node.kind != "text" or not node.is_parted or len(node.text.split()) > _LONGEST_BARE_TITLE_WORDS:
        return False
    below = next((raw for raw in following if raw.strip()), "")
    if not (node.text[-1].isalnum() or node.text[-1] == ")") or not below:
        return False
    is_over_list = _ENTRY.fullmatch(below) is not None or below.lstrip().startswith("|") or is_none(below)
    return is_over_list or (not following[0].strip() and is_known(node.text))


def _read_line(raw: str, is_known: Callable[[str], bool]) -> Node:
    bare = raw.strip().lstrip(">").strip()
    indent = min(len(raw) - len(raw.lstrip()), _DEEPEST_INDENT)
    if (bare.startswith("|") and bare.count("|") > 1) or (" | " in bare and not _ENTRY.fullmatch(raw)):
        cells = tuple(strip_emphasis(cell) for cell in bare.strip("|").split("|"))
        return Node(bare, "row", indent=indent, cells=cells)
    kind: Kind = "text"
    number, level = None, _PLAIN_LEVEL
    if found := _HASH.fullmatch(raw):
        kind, level, bare = "title", float(len(found[1])), found[2].rstrip("# ")
    elif found := _ENTRY.fullmatch(raw):
        kind = "number" if found["number"] else "letter" if found["letter"] else "bullet"
        number = _parse_number(found["number"] or found["letter"] or "")
        level, bare = _ENTRY_LEVEL + indent, found["text"]
    bold = _BOLD.fullmatch(bare)
    words = strip_emphasis(bare)
    if kind == "text" and _SCORE_LINE.match(words):
        return Node(words, "title", "score", words, indent=indent, level=_STEP_LEVEL)
    if kind != "title" and is_count(words):
        return Node(words, "count", indent=indent)
    if kind != "bullet" and (named := _NAMED_ENTRY.match(words)):
        return Node(words, "number", number=int(named[1]), indent=indent)
    step = _STEP.match(words)
    inner = _NUMBERED.match(words) if kind == "title" or bold is not None else None
    if lead := step or inner:
        number, words = int(lead[1]), words[lead.end() :]
    title, rest = _split_title(words)
    if not title and (dash := _DASH.search(words)) and (step is not None or is_known(words[: dash.start()])):
        title, rest = words[: dash.start()].strip(), words[dash.end() :].strip()
    is_whole_bold = bold is not None and not bold["rest"].strip()
    if kind == "title" or ((is_whole_bold or step) and not title):
        title = title or words
    node = Node(words or bare, kind, title, rest, number, step is not None, indent, level)
    if kind == "text" and title and (bold is not None or step or not rest or is_known(title)):
        node.kind = "title"
        node.level = _STEP_LEVEL if number is not None else _BOLD_LEVEL if bold is not None else _PLAIN_LEVEL
    elif kind == "text" and (is_whole_bold or step):
        node.kind, node.level = "title", _STEP_LEVEL
    return node


def _parse_number(text: str) -> int | None:
    return int(text) if text.isdecimal() else ord(text.lower()[0]) - ord("a") + 1 if text else None


def _split_title(words: str) -> tuple[str, str]:
    """A title is what stands before a colon."""
    head, colon, rest = words.partition(":")
    if colon and not rest.startswith("//") and not (head[-1:].isdigit() and rest[:1].isdigit()):
        title = _SENTENCE_END.split(head)[-1].strip()
        if len(title.split()) <= _LONGEST_TITLE_WORDS:
            return title, rest.strip()
        if re.match(r"\s*\(?[1ai][.)]\s", rest, re.IGNORECASE):
            return title.rpartition(", ")[2].strip(), rest.strip()
    return "", ""


@dataclass(slots=True)
class _Builder:
    """Puts each line under the line that it belongs to; `open` are the nodes from the root to the last one."""

    open: list[Node] = field(default_factory=lambda: [Node("", "title", level=0)])

    def add(self, node: Node) -> None:
        if node.kind in {"text", "count"}:
            self._leave_entries(node)
            self.open[-1].children.append(node)
            return
        if node.kind == "row":
            if self.open[-1].kind == "table" and not node.is_parted:
                self.open[-1].children.append(node)
                return
            self._leave_entries(node)
            node.kind, node.level = "table", _TABLE_LEVEL
        elif node.kind == "title":
            node.level = self._place_title(node)
        elif node.kind == "bullet":
            node.level = _ENTRY_LEVEL + 0.5 + node.indent
        else:
            node.level = self._place_number(node)
        while self.open[-1].level >= node.level:
            self.open.pop()
        self.open[-1].children.append(node)
        self.open.append(node)

    def _leave_entries(self, node: Node) -> None:
        """Prose behind an empty line ends the entries above it, but for one that it is in."""
        while self.open[-1].kind == "table" or (
            self.open[-1].is_entry and node.is_parted and node.indent <= self.open[-1].indent
        ):
            self.open.pop()

    def _place_title(self, node: Node) -> float:
        """A heading by its sign; "Verdict:" in the line behind an entry is below that entry."""
        is_remark = node.level >= _STEP_LEVEL and _REMARK.fullmatch(node.title) and not node.is_parted
        return self.open[-1].level + 0.6 if is_remark and self.open[-1].is_entry else node.level

    def _place_number(self, node: Node) -> float:
        """By the numbers: the next of a list that is open, or the first of one inside the last entry."""
        number = node.number or 1
        lists = [each for each in self.open if each.kind == node.kind and abs(each.indent - node.indent) <= 1]
        if follows := [each for each in lists if each.number == number - 1]:
            return follows[-1].level
        if lists and number == 1 and (lists[-1].children or lists[-1].title):
            return lists[-1].level + 0.3
        return _ENTRY_LEVEL + node.indent
