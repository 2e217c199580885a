"""What is wrong with an output: the units that did not hold, the most serious first, each with what the source says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from assay.domain.findings import Evidence, Label
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES, Unit
from assay.report.display import (
    Tone,
    clip_name,
    format_faults,
    format_label,
    name_texts,
    shorten,
    show_hidden,
    tone_of,
)
from assay.report.nearest import Nearest, is_only_near
from assay.report.votes import Votes, collect_votes

_LONGEST = 110
_LONGEST_EXPLAINED, _MOST_EXPLAINED = 240, 5
# Sections overlap claims, and an unanswered question is not a fault by itself.
_CONTEXT = {"section", "question"}


@dataclass(frozen=True, slots=True)
class Doubt:
    """A unit that did not hold; `names` are those of the record's texts, `quotes` what was found nearest if undecided.

    Where judges or samples differ, `label` is the one that the fewest gave.
    """

    unit: Unit
    label: Label
    tone: Tone
    names: Mapping[str, str]
    quotes: tuple[Evidence, ...]
    votes: Votes

    @property
    def said(self) -> str:
        return self._format_said(with_author=False)

    @property
    def is_only_near(self) -> bool:
        return is_only_near(self.label)

    @property
    def evidence(self) -> tuple[tuple[str, str], ...]:
        """Pairs of a text's name and a quote."""
        return tuple((self.names.get(each.source, clip_name(each.source)), each.quote) for each in self.quotes)

    @property
    def line(self) -> str:
        """For terminals and lists."""
        place = f"{self.unit.context}: " if self.unit.context else ""
        quotes = "; ".join(f"{each.source} “{shorten(each.quote, _LONGEST)}”" for each in self.quotes[:2])
        if quotes and self.is_only_near:
            quotes = f"nearest: {quotes}"
        said = f"{self._format_said(with_author=True)}: “{shorten(f'{place}{self.unit.text}', _LONGEST)}”"
        faults = f" — at fault: {format_faults(self.label)}" if self.label.pieces and self.label.by == "judge" else ""
        return said + faults + (f" — {quotes}" if quotes else "")

    def _format_said(self, *, with_author: bool) -> str:
        kind = "" if self.unit.kind == "claim" else f"{NAMES[self.unit.kind][0]}: "
        label = self.votes.said if self.votes.is_split else format_label(self.label, with_author=with_author)
        return f"{kind}{label}"


def list_doubts(card: Scorecard, metric: str | None = None) -> list[Doubt]:
    """Of all metrics or one, the gravest first, of equals claims before what is missing; those that read alike once."""
    doubtful = sorted(_find_doubts(card, metric), key=lambda doubt: (doubt.tone.gravity, doubt.unit.kind != "claim"))
    return list({doubt.line: doubt for doubt in doubtful}.values())


def format_doubts(card: Scorecard, most: int = 3) -> list[str]:
    """One line each, and how many more there are; empty where everything held."""
    lines = [doubt.line for doubt in list_doubts(card)]
    return lines[:most] + ([f"and {len(lines) - most} more"] if len(lines) > most else [])


def explain_doubts(card: Scorecard, metric: str | None = None) -> Iterator[str]:
    """A line for each unit that did not hold, and below it what the source says or has nearest."""
    doubts, nearest = list_doubts(card, metric), Nearest(card)
    for doubt in doubts[:_MOST_EXPLAINED]:
        at_fault = f", at fault: {format_faults(doubt.label)}" if doubt.label.pieces else ""
        yield show_hidden(f"{doubt.said}: “{shorten(doubt.unit.text, _LONGEST_EXPLAINED)}”{at_fault}")
        verb = "has nearest" if doubt.is_only_near else "says"
        found = ((doubt.names[each.source], each.quote) for each in nearest.find(doubt.unit.text, 1))
        for where, quote in doubt.evidence[:2] or found:
            said = f"{shorten(where, _LONGEST_EXPLAINED)} {verb} “{shorten(quote, _LONGEST_EXPLAINED)}”"
            yield show_hidden(f"  {said}")
    if len(doubts) > _MOST_EXPLAINED:
        yield f"and {len(doubts) - _MOST_EXPLAINED} more"


def _find_doubts(card: Scorecard, only: str | None) -> Iterator[Doubt]:
    names, nearest = name_texts(card), Nearest(card)
    for metric in card.rubric.metrics if only is None else [card.rubric.metric(only)]:
        trail, votes = card.outcomes[metric.id].trail, collect_votes(card, metric)
        units = {unit.id: unit for unit in trail.units if unit.kind not in _CONTEXT}
        for label in trail.findings.labels:
            if unit := units.get(label.unit):
                given = votes.get((label.part, label.unit), Votes())
                tone = given.find_tone(tone_of(label, metric.labels(unit.kind)))
                if tone.is_doubtful:
                    shown = given.all[0].label if given.is_split else label
                    quotes = shown.evidence if shown.decided else nearest.cite(unit, shown)
                    yield Doubt(unit, shown, tone, names, quotes, given)
