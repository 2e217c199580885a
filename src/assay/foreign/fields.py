"""Reads a reply that says in headings, lists and tables what should have been JSON, into the objects of the shape."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from assay.checks.citations import find_source
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.foreign.lists import Entry, read_list
from assay.foreign.marks import read_marks
from assay.foreign.outline import Node, build_outline, fold_words, is_none
from assay.replies.salvage import Salvaged
from assay.replies.strict import join_members

SCORE_KEYS = ("score", "rating", "value", "overall_score", "grade")
REASON_KEYS = ("reasoning", "reason", "justification", "explanation", "rationale")
# "Overall score 4/10" needs no colon.
_BARE_AMOUNT = r"\s+(?=[*_]*\d{1,3}(?:\.\d+)?(?:/\d{1,3})?[*_]*\s*(?:$|[(\[,.;]))"
_FIELD = re.compile(
    rf"(?P<name>[A-Za-z][\w &/-]{{2,50}}?)(?:\s*(?:\([^()\n]*\))?\s*(?:[:=]|\s[–-])\s*|{_BARE_AMOUNT})(?P<rest>.*)",
    re.DOTALL,
)
_AMOUNT = re.compile(
    r"[\s*_(]*(?:[^=\n]{1,40}=\s*)?(-?\d{1,3}(?:\.\d+)?%?(?:\s*(?:/|out\s+of)\s*\d{1,3})?)(?=\s*(?:$|[\n*_()\[,.:;–—-]))"
    r"[\s*_).:,–—-]*(.*)",
    re.DOTALL,
)
_NEXT_FIELD = re.compile(rf"[,;.]\s+(?=[*_]*([A-Za-z][\w ]{{2,30}}?)(?:(?P<colon>[:=]\s)|\s[–-]\s|{_BARE_AMOUNT}))")
_NUMBER = re.compile(r"(?:metric\s*)?\d{0,2}\W*", re.IGNORECASE)
_UNCOUNTED_WORDS = {"evaluation", "metric", "the", "assessment", "most"}


def read_fields(text: str, shape: Shape, rubric: Rubric, record: Record) -> Salvaged:
    """An object per metric, or one with all; none where no score has a title that the shape knows."""
    members: dict[str, list[tuple[str, JSON]]] = {metric.id: [] for metric in rubric.metrics}
    last = None
    for row, node in _FieldFinder(shape, rubric, record).find(text):
        members[row.metric] += _read_field(row, node, shape)
        last = row
    bodies = {metric: _join(pairs) for metric, pairs in members.items() if pairs}
    scores = {row.metric: _name(row) for row in shape.rows if row.holds == "score"}
    if last is None or not any(scores.get(metric) in body for metric, body in bodies.items()):
        return Salvaged((), (), truncated=False)
    # A list at the end may be half of one, if a score or a metric should still follow.
    is_cut = last.holds == "unit" and (len(bodies) < len(members) or scores[last.metric] not in bodies[last.metric])
    values: list[JSON] = [{shape.named_by: metric, **body} for metric, body in bodies.items()]
    if shape.form == "object":
        values = [join_members(pair for body in bodies.values() for pair in body.items())]
    return Salvaged(tuple(values), ("no JSON",), truncated=is_cut)


def _join(pairs: Sequence[tuple[str, JSON]]) -> dict[str, JSON]:
    """The members of an object; the lists of several sources under one key are one list."""
    merged: dict[str, list[JSON]] = {}
    plain: list[tuple[str, JSON]] = []
    for key, value in pairs:
        if isinstance(value, list) and (not value or isinstance(value[0], Mapping)):
            merged.setdefault(key, []).extend(value)
        else:
            plain.append((key, value))
    return {**join_members(plain), **merged}


def _name(row: ShapeRow) -> str:
    """The key of a row outside lists: its last, or the name of the outermost list."""
    steps = row.listing.split(".") if row.listing else row.steps
    return next((step for step in steps if step.endswith("[]")), steps[-1]).removesuffix("[]")


@lru_cache(maxsize=1000)
def _fold(title: str) -> str:
    """The words of a title in the singular, without numbers and remarks."""
    words = fold_words(_NUMBER.sub("", re.sub(r"\([^()]*\)", "", title.replace("_", " ")), count=1))
    counted = [word for word in words if word not in _UNCOUNTED_WORDS] or words
    return " ".join(word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word for word in counted)


class _FieldFinder:
    """Finds what the titles of a reply stand for, which depends on the metric whose title stands above."""

    def __init__(self, shape: Shape, rubric: Rubric, record: Record) -> None:
        self.shape, self.record = shape, record
        self.metric, self.source = "", ""
        self.is_reasons = False
        """Whether a heading above says that reasons follow, each under the name of its metric."""
        self.known: dict[str, bool] = {}
        self.metrics: dict[str, str] = {}
        for metric in rubric.metrics:
            outer = {row.steps[0] for row in shape.of(metric.id) if len(row.steps) > 1 and "[]" not in row.steps[0]}
            self.metrics |= {_fold(name): metric.id for name in (metric.id, metric.name, *outer)}
        self.rows = {
            metric.id: [row for row in shape.of(metric.id) if row.holds != "label"] for metric in rubric.metrics
        }

    def find(self, text: str) -> Iterator[tuple[ShapeRow, Node]]:
        lines = [piece for line in text.splitlines() for piece in self._part(line)]
        root = build_outline("\n".join(lines), self._is_known)
        return self._visit(root, None)

    def _part(self, line: str) -> Iterator[str]:
        """A line, or as many as it has titles: "Bias score: 9, tox score: 10"."""
        start = 0
        for match in _NEXT_FIELD.finditer(line):
            before = line[start : match.start()]
            is_behind = _FIELD.fullmatch(before.strip(" *_-")) if match["colon"] else fold_words(before)[1:]
            if is_behind and self._is_known(match[1]):
                yield before
                start = match.end()
        yield line[start:]

    def _is_known(self, title: str) -> bool:
        if title not in self.known:
            self.known[title] = len(title) < 100 and any(self._match(title, metric) for metric in self.rows)
        return self.known[title]

    def _visit(self, parent: Node, inside: ShapeRow | None) -> Iterator[tuple[ShapeRow, Node]]:
        """What each title stands for, in their order; under a list by source its address is the title."""
        for child in parent.children:
            if child.kind == "table":
                yield from [] if inside is not None else self._read_table(child)
                continue
            is_part = inside is not None and child.is_entry
            row = None if is_part or child.kind == "row" else self._open(child)
            if row is not None:
                child.row = row
                yield row, child
            yield from self._visit(child, row if row is not None and row.listing else inside)
            if row is not None and row.holds == "score":
                yield from self._find_units(child, row.metric)

    def _open(self, node: Node) -> ShapeRow | None:
        title, rest = self._read_title(node)
        is_general = not rest and node.kind == "title" and _fold(title) in (*SCORE_KEYS, *REASON_KEYS)
        if is_general and any(self._match(self._read_title(child)[0], "") for child in node.walk()):
            # A heading over the metrics: all their scores follow, or all their reasons.
            self.metric, self.is_reasons = "", _fold(title) in REASON_KEYS
        row = self._match(title, self.metric) if title else None
        group = self._find_group(node) if row is None or row.holds == "source" else ""
        if row is None and not group:
            return None
        self.source = group or (self.source if row is not None and row.metric == self.metric else "")
        self.metric = row.metric if row is not None else self.metric
        if row is None or row.holds == "source":
            row, rest = next(each for each in self.rows[self.metric] if each.holds == "unit"), ""
        node.title, node.rest = (self.source or title) if self._is_by_source(row) else title, rest
        return row

    def _is_by_source(self, row: ShapeRow) -> bool:
        return row.holds == "unit" and any(each.holds == "source" for each in self.rows[row.metric])

    def _find_units(self, node: Node, metric: str) -> Iterator[tuple[ShapeRow, Node]]:
        """The units of a metric, where they stand under its own title, each with its verdict."""
        row = next((each for each in self.rows[metric] if each.holds == "unit" and each.label is None), None)
        if row is None or self._is_by_source(row) or any(each.row is row for each in node.walk()):
            return
        for holder in (node, *(child for child in node.children if child.row and not child.row.listing)):
            entries = [Entry(child.text) for child in holder.children if child.is_entry and child.row is None]
            if entries and all(mark.word for mark in read_marks(entries, row.unit, self.shape)):
                yield row, holder

    def _read_table(self, table: Node) -> Iterator[tuple[ShapeRow, Node]]:
        """A table with a column of units, or one with a metric or a figure in each row."""
        units = [row for row in self.rows.get(self.metric, []) if row.holds == "unit"]
        for row in units:
            if any(_is_called(row, _fold(cell)) for cell in table.cells):
                table.row, table.title = row, self.source
                yield row, table
                return
        for line in table.children:
            title, *others = [cell for cell in line.cells if cell] or [""]
            amount = next((cell for cell in others if _AMOUNT.fullmatch(cell)), None)
            if amount is not None and (found := self._match(title, self.metric)):
                self.metric = found.metric
                yield (
                    found,
                    Node(title, "title", title, " – ".join([amount, *(each for each in others if each != amount)])),
                )

    def _read_title(self, node: Node) -> tuple[str, str]:
        """What a line is called, and what stands behind it."""
        if node.kind != "text" and _fold(node.text) in self.metrics:
            bracket = re.search(r"\(([^()]*)\)\s*$", node.text)
            return node.text, bracket[1] if bracket and _AMOUNT.fullmatch(bracket[1]) else ""
        if node.title and self._is_known(node.title):
            return node.title, node.rest
        found = _FIELD.fullmatch(node.text)
        if found is not None:
            return found["name"], found["rest"]
        return (node.title, node.rest) if node.kind == "title" else ("", "")

    def _match(self, title: str, metric: str) -> ShapeRow | None:
        """By its whole key or the end of it among the rows of this metric, then as a metric, then as another's key."""
        folded = _fold(title)
        if not folded:
            return None
        own = self.rows.get(metric, [])
        for is_named in (_is_called, _abbreviates, _ends_alike):
            if found := next((row for row in own if is_named(row, folded)), None):
                return found
        bare = folded.removesuffix(" score")
        if bare in self.metrics:
            holds = "reason" if self.is_reasons and bare == folded else "score"
            return next((row for row in self.rows[self.metrics[bare]] if row.holds == holds), None)
        if self.shape.form == "objects":
            return None
        return next((row for rows in self.rows.values() for row in rows if _is_called(row, folded)), None)

    def _find_group(self, node: Node) -> str:
        """The source that a heading names, where the lists of a metric go by source."""
        if not any(row.holds == "source" for row in self.rows.get(self.metric, [])):
            return ""
        is_heading = node.kind == "title" or (node.is_entry and "://" in node.text)
        found = find_source(node.text, self.record) if is_heading else None
        return (found.url or found.title or found.id) if found is not None else ""


def _is_called(row: ShapeRow, folded: str) -> bool:
    lists = [step.removesuffix("[]") for step in row.steps if step.endswith("[]")]
    names = [row.key] if row.holds == "source" else [*lists, row.key] if row.holds == "unit" else lists
    return folded in {_fold(each) for each in (row.name, *(names or row.steps[-1:]))}


def _abbreviates(row: ShapeRow, folded: str) -> bool:
    """Toxicity is tox_score."""
    key, words = (each.removesuffix(" score").split() for each in (_fold(row.name), folded))
    is_short = len(key) == len(words) and all(long.startswith(short) for long, short in zip(words, key, strict=True))
    return row.holds == "grade" and is_short


def _ends_alike(row: ShapeRow, folded: str) -> bool:
    """Theme is article_theme, relevant results are relevant_search_result_urls, Score is whatever key holds it."""
    keys = {"score": SCORE_KEYS, "reason": REASON_KEYS}.get(row.holds, ())
    name, words = _fold(_name(row)), folded.split()
    is_within = len(words) > 1 and row.listing != "" and set(words) <= set(name.split())
    is_end = name.endswith(f" {folded}") and not (row.holds == "grade" and folded in SCORE_KEYS)
    return is_end or is_within or folded in {_fold(key) for key in keys}


def _list_texts(node: Node) -> Iterator[str]:
    """What is said under a title, up to the next."""
    for child in node.children:
        if child.row is None and not child.is_heading:
            yield child.text
            yield from _list_texts(child)


def _read_field(row: ShapeRow, node: Node, shape: Shape) -> Iterator[tuple[str, JSON]]:
    if row.listing:
        listed = read_list(node)
        if listed is None:
            return
        entries = [each for each in listed.entries if not is_none(each.text)]
        made: list[JSON] = [each.text for each in entries]
        if row.holds == "unit":
            made = list(_build_entries(entries, row, shape))
        origin = next((each for each in shape.of(row.metric) if each.holds == "source"), None)
        if origin is not None and made and row.holds == "unit":
            inner = row.listing.removeprefix(origin.listing).strip(".[]")
            made = [{origin.key: node.title, inner: made}]
        yield _name(row), made
        return
    said = "\n".join(each for each in (node.rest, *_list_texts(node)) if each).strip()
    if row.holds in {"score", "grade", "figure"}:
        found = _AMOUNT.fullmatch(said)
        if found is not None:
            yield _name(row), found[1]
            reason = next((each for each in shape.of(row.metric) if each.holds == "reason"), None)
            behind = found[2].strip()
            if row.holds == "score" and reason is not None and len(behind.split()) > 2:
                yield _name(reason), " ".join(behind.split())
    elif said:
        yield _name(row), " ".join(said.split()) if row.holds == "reason" else said.split("\n", 1)[0].rstrip(".")


def _build_entries(entries: Sequence[Entry], row: ShapeRow, shape: Shape) -> Iterator[dict[str, JSON]]:
    """The text of an entry under the unit's key, its verdict under the label's, and what else is said as the note."""
    beside = {each.holds: each.key for each in shape.of(row.metric) if each.listing == row.listing}
    for mark in read_marks(entries, row.unit, shape, beside.get("label", "")):
        text = re.sub(rf"^{re.escape(_fold(row.key))}\s*:\s*", "", mark.text, flags=re.IGNORECASE)
        built: dict[str, JSON] = {row.key: text.strip(' "“”')}
        built |= {beside["label"]: mark.word} if "label" in beside else {}
        yield built | ({beside["note"]: mark.note} if mark.note and "note" in beside else {})
