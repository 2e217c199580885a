"""The record list of a run: its query, parsed from the address, and its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from urllib.parse import quote, unquote, urlencode

from assay.domain.outcome import FAILURE_STATUSES
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import in_words, say_scale
from assay.report.display import QUIET_FLAGS, goodness_tone
from assay.report.doubts import format_doubts
from assay.store.browsing import TOTAL, Listed, MetricScore, RecordQuery
from assay.store.runs import RunRow
from assay.web.library import Library
from assay.web.record_view import ScoreChip

PAGE_ROWS = 50
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Query:
    """As it was typed; a metric or an order that the rubric does not have is left out."""

    q: str = ""
    metric: str = ""
    status: str = ""
    flag: str = ""
    facet: str = ""
    system: str = ""
    order: str = ""
    down: str = ""
    page: int = 1

    def address(self, **changes: object) -> str:
        """The query of an address; another order or another filter begins on its first page."""
        changed = replace(self, **({"page": 1} | changes))  # type: ignore[arg-type]  # names are those of the fields
        pairs = [(name, getattr(changed, name)) for name in _FIELDS]
        return urlencode([pair for pair in pairs if pair[1] not in {"", 1}], errors="replace")

    @property
    def is_filtered(self) -> bool:
        return any(getattr(self, name) for name in ("q", "status", "flag", "facet", "system"))


_FIELDS = ("q", "metric", "status", "flag", "facet", "system", "order", "down", "page")


def parse_query(given: Mapping[str, str], rubric: Rubric) -> Query:
    texts = {name: given.get(name, "").strip()[:_LONGEST] for name in _FIELDS if name != "page"}
    names = {metric.id for metric in rubric.metrics}
    known = {"metric": names, "order": names | {"id", "total"}}
    texts |= {name: "" for name, values in known.items() if texts[name] not in values}
    return Query(**texts, page=max(1, parse_digits(given.get("page", "")) or 1))


def build_wanted(query: Query) -> RecordQuery:
    name, _, value = query.facet.partition("=")
    return RecordQuery(
        text=query.q,
        metric=query.metric or TOTAL,
        status=query.status,
        flag=query.flag,
        facet=(unquote(name), unquote(value)) if query.facet else None,
        system=query.system or None,
        order={"": "place", "total": TOTAL}.get(query.order, query.order),
        descending=bool(query.down),
    )


def format_facet(name: str, value: str) -> str:
    return f"{quote(name, safe='', errors='replace')}={quote(value, safe='', errors='replace')}"


def parse_digits(text: str) -> int | None:
    """A number of an address; None where it is not one, or too long for any list."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


@dataclass(frozen=True, slots=True)
class ListedRecord:
    listed: Listed
    chips: tuple[ScoreChip, ...]
    flags: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def number(self) -> int:
        return self.listed.position + 1


def build_rows(library: Library, run: RunRow, listed: Sequence[Listed]) -> Iterator[ListedRecord]:
    """Each record with its scores, and the most serious doubt about it."""
    rubric = library.rubric(run)
    for each, card in library.small_cards(run, listed):
        doubts = () if card is None else tuple(format_doubts(card, most=1))
        flags = dict.fromkeys(flag for score in each.scores.values() for flag in score.flags if flag not in QUIET_FLAGS)
        yield ListedRecord(each, tuple(build_chips(rubric, each)), tuple(flags), doubts)


def build_chips(rubric: Rubric, listed: Listed) -> Iterator[ScoreChip]:
    unasked = {metric.id: MetricScore(metric.id, "not asked") for metric in rubric.metrics}
    return (build_chip(metric, listed.scores.get(metric.id, unasked[metric.id])) for metric in rubric.metrics)


def build_chip(metric: Metric, found: MetricScore) -> ScoreChip:
    tone = goodness_tone(found.goodness)
    if found.goodness is None:
        tone = "failed" if found.status in FAILURE_STATUSES else "abstained"
    score = "" if found.score is None else in_words(Fraction(found.score).limit_denominator(10**6))
    return ScoreChip(metric.name, say_scale(metric.scale), tone, score, found.status, why=found.status)
