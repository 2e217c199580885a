"""A reply in Markdown to a prompt that asks for JSON: its headings, lists and tables as the shape's objects."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from assay.checks.citations import find_source
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.shape import Shape, ShapeRow
from assay.foreign.lists import Entry, read_list
from assay.foreign.marks import split_mark
from assay.foreign.outline import Line, Mark, Part, fold_words, is_none, read_lines
from assay.replies.salvage import Salvaged
from assay.replies.strict import join_members

SCORE_KEYS = ("score", "rating", "value", "overall_score", "grade")
REASON_KEYS = ("reasoning", "reason", "justification", "explanation", "rationale")
_FIELD = re.compile(
    r"(?P<name>[A-Za-z][\w &/-]{2,50}?)\s*(?:\([^()\n]*\))?\s*(?:[:=]|\s[–-])\s*(?P<rest>.*)", re.DOTALL
)
_AMOUNT = re.compile(
    r"[\s*_(]*(?:[^=\n]{1,40}=\s*)?(-?\d{1,3}(?:\.\d+)?%?(?:\s*(?:/|out\s+of)\s*\d{1,3})?)(?=\s*(?:$|[\n*_(),.:;–—-]))"
    r"[\s*_).:,–—-]*(.*)",
    re.DOTALL,
)
_NEXT_FIELD = re.compile(r"[,;.|]\s+(?=[A-Z][\w ]{2,30}[:=]\s)")
_REASON_NAME = re.compile(rf"(?:{'|'.join(REASON_KEYS)})s?\s*:\s*", re.IGNORECASE)
_NUMBER = re.compile(r"(?:metric\s*)?\d{0,2}\W*", re.IGNORECASE)
_UNCOUNTED_WORDS = {"evaluation", "metric", "the", "assessment"}


def read_markdown(text: str, shape: Shape, rubric: Rubric, record: Record) -> Salvaged:
    """An object per metric, or one with all; none where no score has a title that the shape knows."""
    members: dict[str, list[tuple[str, JSON]]] = {metric.id: [] for metric in rubric.metrics}
    last = None
    for row, part in _Reader(shape, rubric, record).split(text):
        members[row.metric] += _read_part(row, part, shape)
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
    words = fold_words(_NUMBER.sub("", re.sub(r"\([^()]*\)", "", title.replace("_", " ")), count=1))
    return " ".join(word for word in words if word not in _UNCOUNTED_WORDS) or " ".join(words)


class _Reader:
    """Finds the titles of a reply. What a title means depends on the metric whose title stands above it."""

    def __init__(self, shape: Shape, rubric: Rubric, record: Record) -> None:
        self.shape, self.record = shape, record
        self.is_reasons = False
        """Whether a heading above says that reasons follow, each under the name of its metric."""
        self.metrics: dict[str, str] = {}
        for metric in rubric.metrics:
            outer = {row.steps[0] for row in shape.of(metric.id) if len(row.steps) > 1 and "[]" not in row.steps[0]}
            self.metrics |= {_fold(name): metric.id for name in (metric.id, metric.name, *outer)}
        self.units = {_fold(row.key) for row in shape.rows if row.holds == "unit"}
        self.rows = {
            metric.id: [row for row in shape.of(metric.id) if row.holds != "label"] for metric in rubric.metrics
        }

    def split(self, text: str) -> Iterator[tuple[ShapeRow, Part]]:
        """What each title stands for, and the lines under it; under a list by source its address is the title."""
        metric, source, rank = "", "", 0
        current: tuple[ShapeRow, Part] | None = None
        for line in self._part_lines(text):
            title, rest = self._read_title(line)
            if (
                not rest
                and line.rank < rank
                and (bare := _fold(title).removesuffix("s")) in (*SCORE_KEYS, *REASON_KEYS)
            ):
                # A heading over the metrics: all their scores follow, or all their reasons.
                metric, self.is_reasons = "", bare in REASON_KEYS
            row = None if current and self._is_inside(title, current[0]) else self._find(title, metric)
            group = self._find_group(line, metric) if row is None or row.holds == "source" else ""
            if row is not None or group or (current and _closes(line, current[1])):
                yield from [current] if current else []
                current = None
            elif current:
                current[1].lines.append(line)
            if row is None and not group:
                continue
            source = group or (source if row is not None and row.metric == metric else "")
            if row is not None and row.metric != metric:
                metric, rank = row.metric, line.rank
            if row is None or row.holds == "source":
                row, rest = next(each for each in self.rows[metric] if each.holds == "unit"), ""
            is_by_source = any(each.holds == "source" for each in self.rows[metric]) and row.holds == "unit"
            mark: Mark = "table" if line.mark == "table" and not rest else ""
            heading = replace(line, mark=mark, title=source if is_by_source else title, rest=rest)
            current = row, Part(row, heading)
        yield from [current] if current else []

    def _part_lines(self, text: str) -> Iterator[Line]:
        """The lines, where one with several titles, "Bias score: 9, Tox score: 10", is as many."""
        for line in read_lines(text, ()):
            pieces = _NEXT_FIELD.split(line.text) if line.mark != "table" else []
            names = [_fold(found["name"]) for each in pieces if (found := _FIELD.fullmatch(each))]
            if len(names) > 1 and any(self._find(name, metric) for name in names for metric in self.rows):
                yield from (Line(each, line.mark, line.indent) for each in pieces)
            else:
                yield line

    def _read_title(self, line: Line) -> tuple[str, str]:
        """What a line is called, and what stands behind it. A row of a table is called what its first cell says."""
        if line.mark == "table":
            cells = [cell for cell in line.cells if cell]
            if header := next((cell for cell in cells if _fold(cell) in self.units), ""):
                return header, ""
            return (cells[0], " – ".join(cells[1:])) if len(cells) > 1 and _AMOUNT.match(cells[1]) else ("", "")
        if line.form and _fold(line.text) in self.metrics:
            return line.text, ""
        if line.form == "inline" and _fold(line.title):
            return line.title, line.rest
        found = _FIELD.fullmatch(line.text)
        if found is not None:
            return found["name"], found["rest"]
        return (line.title, "") if line.form == "heading" else ("", "")

    def _is_inside(self, title: str, row: ShapeRow) -> bool:
        """Whether a title is a key of the entries of the list that it stands in."""
        keys = {_fold(each.key) for each in self.shape.of(row.metric) if each.listing and each.listing == row.listing}
        return row.listing != "" and _fold(title) in keys - {""}

    def _find(self, title: str, metric: str) -> ShapeRow | None:
        """By its whole key or the end of it among the rows of this metric, then as a metric, then as another's key."""
        folded = _fold(title)
        if not folded:
            return None
        own = self.rows.get(metric, [])
        for is_named in (_is_called, _ends_alike):
            if found := next((row for row in own if is_named(row, folded)), None):
                return found
        bare = folded.removesuffix(" score")
        if bare in self.metrics:
            holds = "reason" if self.is_reasons and bare == folded else "score"
            return next((row for row in self.rows[self.metrics[bare]] if row.holds == holds), None)
        if self.shape.form == "objects":
            return None
        return next((row for rows in self.rows.values() for row in rows if _is_called(row, folded)), None)

    def _find_group(self, line: Line, metric: str) -> str:
        """The source that a heading names, where the lists of a metric go by source."""
        if line.form not in {"heading", "inline"} or not any(
            row.holds == "source" for row in self.rows.get(metric, [])
        ):
            return ""
        words = re.sub(r"^(?:text|source|result|document|article)\s*#?(?=\d)", "", line.text, flags=re.IGNORECASE)
        found = find_source(words, self.record) if not line.is_entry or "://" in words else None
        return (found.url or found.title or found.id) if found is not None else ""


def _closes(line: Line, part: Part) -> bool:
    """Whether a heading that the shape does not know ends what stands above it."""
    if line.is_entry or not line.form or not line.is_heading or line.rank > part.heading.rank:
        return False
    is_list = part.row is not None and part.row.listing != ""
    return not is_list or (line.form == "heading" and any(each.is_entry for each in part.lines))


def _is_called(row: ShapeRow, folded: str) -> bool:
    lists = [step.removesuffix("[]") for step in row.steps if step.endswith("[]")]
    names = [row.key] if row.holds == "source" else [*lists, row.key] if row.holds == "unit" else lists
    return folded in {_fold(each) for each in names or [row.steps[-1]]}


def _ends_alike(row: ShapeRow, folded: str) -> bool:
    """Theme is article_theme, and Score or Reason whatever key holds the score or the reason."""
    keys = {"score": SCORE_KEYS, "reason": REASON_KEYS}.get(row.holds, ())
    return _fold(_name(row)).endswith(f" {folded}") or folded in {_fold(key) for key in keys}


def _read_part(row: ShapeRow, part: Part, shape: Shape) -> Iterator[tuple[str, JSON]]:
    said = "\n".join(each for each in (part.heading.rest, *(line.text for line in part.lines)) if each).strip()
    if row.listing:
        listed = read_list(part, (), ())
        if listed is None or listed.is_all:
            return
        entries = [each for each in listed.entries if not is_none(each.text)]
        made: list[JSON] = [_build_entry(each, row, shape) if row.holds == "unit" else each.text for each in entries]
        origin = next((each for each in shape.of(row.metric) if each.holds == "source"), None)
        if origin is not None and made and row.holds == "unit":
            inner = row.listing.removeprefix(origin.listing).strip(".[]")
            made = [{origin.key: part.heading.title, inner: made}]
        yield _name(row), made
    elif row.holds in {"score", "grade", "figure"}:
        found = _AMOUNT.fullmatch(said)
        if found is not None:
            yield _name(row), found[1]
            reason = next((each for each in shape.of(row.metric) if each.holds == "reason"), None)
            behind = _REASON_NAME.sub("", found[2].strip(), count=1)
            if row.holds == "score" and reason is not None and len(behind.split()) > 2:
                yield _name(reason), " ".join(behind.split())
    elif said:
        yield _name(row), " ".join(said.split()) if row.holds == "reason" else said.split("\n", 1)[0].rstrip(".")


def _build_entry(entry: Entry, row: ShapeRow, shape: Shape) -> dict[str, JSON]:
    """The text of an entry under the unit's key, its verdict under the label's, and what else is said as the note."""
    beside = {each.holds: each.key for each in shape.of(row.metric) if each.listing == row.listing}
    text, verdict, note = split_mark(entry, row.unit, shape, beside.get("label", ""))
    text = re.sub(rf"^{re.escape(_fold(row.key))}\s*:\s*", "", text, flags=re.IGNORECASE)
    built: dict[str, JSON] = {row.key: text.strip(' "“”')}
    built |= {beside["label"]: verdict} if "label" in beside else {}
    return built | ({beside["note"]: note} if note and "note" in beside else {})
