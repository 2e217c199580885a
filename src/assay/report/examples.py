"""What the demo shows: one example with its correction, and of all others what is seeded and what is found."""

from typing import NamedTuple

from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.report.display import NEUTRAL, PARTIAL, SUPPORTED, UNSURE, Tone, shorten
from assay.report.findings import Finding, list_doubts

_SEEDED, _NOTHING = "seeded", "nothing"
_LONGEST = 60


class Example(NamedTuple):
    """One record, judged by the built-in judge and, where its pack has them, by replies written by hand."""

    embedded: Scorecard
    scripted: Scorecard | None

    @property
    def seeded(self) -> str:
        return self.embedded.record.facets.get(_SEEDED, "")

    @property
    def is_faulty(self) -> bool:
        return self.seeded != _NOTHING

    @property
    def order(self) -> tuple[bool, float]:
        """Good ones first; by the weakest claim, or by the total of the replies where there is none."""
        by_replies = float((self.scripted or self.embedded).total.goodness or 0)
        return self.is_faulty, -(by_replies if self.embedded.weakest_support is None else self.embedded.weakest_support)

    @property
    def found(self) -> tuple[Tone, str]:
        """What the built-in judge and code found, the gravest first; what the replies say where that is nothing."""
        doubts = list_doubts(self.embedded)
        decided = [doubt for doubt in doubts if doubt.shown.label.decided]
        if decided:
            more = f" (and {len(decided) - 1} more)" if len(decided) > 1 else ""
            return decided[0].tone, _format_doubt(decided[0]) + more
        measured = _find_lowest(self.embedded, by_code=True)
        placed = [f"{plain(each.check)}: {each.note}" for each in self.embedded.notices if each.span is not None]
        if measured or placed:
            return PARTIAL, measured or placed[0]
        held, _ = count_supported(self.embedded)
        if doubts:
            return (
                UNSURE,
                f"{len(doubts)} of {held + len(doubts)} uncertain: “{shorten(doubts[0].unit.text, _LONGEST)}”",
            )
        if self.is_faulty:
            missed = self.scripted and _find_lowest(self.scripted, by_code=False)
            return NEUTRAL, f"not found (scripted reply: {missed})" if missed else "not found"
        if held:
            return SUPPORTED, f"{held} of {held} claims supported"
        return NEUTRAL, "nothing found"


def count_supported(card: Scorecard) -> tuple[int, int]:
    """How many claims are supported, and how many there are."""
    labels = [label for outcome in card.outcomes.values() for label in outcome.trail.findings.of("claim")]
    return sum(label.label == SUPPORTED.name for label in labels), len(labels)


def _format_doubt(doubt: Finding) -> str:
    label = doubt.shown.label
    words = ", ".join(piece.words for piece in label.pieces) or doubt.unit.text
    said = f"“{shorten(words, _LONGEST)}”"
    if label.evidence:
        return f"{said}; source: “{shorten(label.evidence[0].quote, _LONGEST)}”"
    return f"{doubt.shown.title}: {said}"


def _find_lowest(card: Scorecard, *, by_code: bool) -> str:
    """The lowest score that is below the best whatever is undecided; `by_code` of those that no label stands behind."""
    verdicts = [
        (outcome.score, metric)
        for metric in card.rubric.metrics
        if isinstance(outcome := card.outcomes[metric.id], Verdict)
        and max(map(metric.scale.goodness, outcome.score.interval)) < 1
        and not (by_code and outcome.trail.units)
    ]
    if not verdicts:
        return ""
    score, metric = min(verdicts, key=lambda each: each[0].goodness)
    best = score.scale.high if score.scale.best == "high" else score.scale.low
    return f"{metric.name} {score.scale.say(score.value)}, best {score.scale.say(best)}"
