"""A line of a list of records: its scores as chips, and the gravest thing that was found in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.domain.outcome import FAILURE_STATUSES
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import in_words, say_scale
from assay.pages.tones import grade_tone
from assay.report.doubts import say_doubts
from assay.report.terminal import QUIET_FLAGS
from assay.serve.library import Library
from assay.store.browsing import Listed, Mark
from assay.store.store import RunRow

# A record whose stored size is beyond this is not opened for a line in a list.
_MOST_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class ScoreChip:
    """The fields that the pages' score chip prints; a list knows no derivation."""

    name: str
    scale: str
    tone: str
    score: str
    status: str
    why: str = ""
    raw: str = ""
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    id: str
    system: str | None
    chips: tuple[ScoreChip, ...]
    goodness: float | None
    scored: int
    asked: int
    flags: tuple[str, ...]
    doubts: tuple[str, ...]


def build_rows(library: Library, run: RunRow, listed: Sequence[Listed]) -> Iterator[Row]:
    rubric = library.rubric(run)
    sizes = library.store.browser.find_sizes(run.id, [each.position for each in listed])
    for each in listed:
        is_small = sizes.get(each.position, 0) < _MOST_BYTES
        doubts = say_doubts(library.open(run, each), most=1) if is_small else []
        flags = dict.fromkeys(flag for mark in each.marks.values() for flag in mark.flags if flag not in QUIET_FLAGS)
        yield Row(
            number=each.position + 1,
            id=each.record,
            system=each.system,
            chips=tuple(build_chips(rubric, each)),
            goodness=each.goodness,
            scored=each.scored,
            asked=each.asked,
            flags=tuple(flags),
            doubts=tuple(doubts),
        )


def build_chips(rubric: Rubric, listed: Listed) -> Iterator[ScoreChip]:
    for metric in rubric.metrics:
        mark = listed.marks.get(metric.id, Mark(metric.id, "not asked"))
        yield _build_chip(metric, mark)


def _build_chip(metric: Metric, mark: Mark) -> ScoreChip:
    tone = grade_tone(mark.goodness)
    if mark.goodness is None:
        tone = "failed" if mark.status in FAILURE_STATUSES else "abstained"
    score = "" if mark.score is None else in_words(Fraction(mark.score).limit_denominator(10**6))
    return ScoreChip(metric.name, say_scale(metric.scale), tone, score, mark.status, why=mark.status)
