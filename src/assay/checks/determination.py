"""The eligibility determination an answer states, by its phrases."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from assay.checks.determination_mentions import Mention, find_mentions, occurs, speaks_of_exclusion
from assay.checks.determination_phrases import DETERMINATIONS, Determination
from assay.checks.determination_statuses import find_lone_statuses, find_values, read_status
from assay.domain.span import Span

__all__ = ["DETERMINATIONS", "Determination", "FoundDetermination", "find_determination"]

_MARKUP: Final = re.compile(r"[*_#`>~]")
_OPPOSITE: Final[dict[Determination, Determination]] = {
    "likely_eligible": "not_eligible",
    "not_eligible": "likely_eligible",
}


@dataclass(frozen=True, slots=True)
class FoundDetermination:
    determination: Determination
    span: Span


def find_determination(answer: str) -> FoundDetermination | None:
    """A labelled or lone status, else a status in title case, else what the sentences say about this patient.

    Wherever more than one reading is left there is no determination, and a judge has to decide: where two statements
    conflict, and where the sentences flatly deny a status.
    """
    text = _MARKUP.sub(" ", answer)
    prose = list(find_mentions(text))
    labelled = list(_read_values(text))
    final = [found for found, is_final in labelled if is_final]
    statuses = [*(found for found, _ in labelled), *find_lone_statuses(text)]
    if _states_any(statuses):
        return _uphold(_agree(final) or _agree(statuses), prose)
    titled = list(find_mentions(text, titled=True))
    if len({each.determination for each in titled}) > 1:
        return None
    said = _agree(titled) if _states_any(titled) else _agree([*statuses, *titled, *prose])
    if said is None or not _is_left_standing(text, said, [*titled, *prose]):
        return None
    return _uphold(said, prose)


def _report(mention: Mention) -> FoundDetermination:
    return FoundDetermination(mention.determination, mention.span)


def _states_any(mentions: Sequence[Mention]) -> bool:
    return any(each.standing == "stated" for each in mentions)


def _read_values(text: str) -> Iterator[tuple[Mention, bool]]:
    """The status behind each label, or what the sentence there says; and whether the label calls it final."""
    for value in find_values(text):
        found = read_status(text, value.span, with_end=False)
        if found is None:
            mentions = list(find_mentions(text, value.span))
            said = _agree(mentions)
            found = said if said is not None and _is_left_standing(text, said, mentions) else None
        if found is not None:
            yield found, value.is_final


def _agree(mentions: Sequence[Mention]) -> Mention | None:
    """The first statement where all say the same and nothing that is less than a statement makes it doubtful."""
    stated = [each for each in mentions if each.standing == "stated"]
    if len({each.determination for each in stated}) != 1:
        return None
    return None if any(_casts_doubt(each, stated[0].determination) for each in mentions) else stated[0]


def _casts_doubt(mention: Mention, on: Determination) -> bool:
    """To be called eligible wrongly is what harms, so there whatever is not understood casts doubt."""
    if on == "likely_eligible" and mention.standing == "unclear":
        return mention.reading != "maybe_eligible"
    doubting = ("reversed", "hypothetical") if on == "likely_eligible" else ("reversed",)
    return mention.standing in doubting and mention.determination == on


def _uphold(status: Mention | None, prose: Sequence[Mention]) -> FoundDetermination | None:
    """A status outranks the sentences, but not where one of them states the opposite of this patient."""
    if status is None:
        return None
    opposite = _OPPOSITE.get(status.determination)
    denied = any(
        each.standing == "stated" and each.reading != "meets_criteria" and each.determination == opposite
        for each in prose
    )
    return None if denied else _report(status)


def _is_left_standing(text: str, said: Mention, mentions: Sequence[Mention]) -> bool:
    """Whether no later sentence takes back what a sentence said for the patient; criteria met say nothing of others."""
    if said.determination != "likely_eligible":
        return True
    stated = [each for each in mentions if each.standing == "stated"]
    everything = Span(0, len(text))
    by_criteria_alone = all(each.reading == "meets_criteria" for each in stated)
    last = max(each.span.end for each in stated)
    if by_criteria_alone and speaks_of_exclusion(text, everything, said.phrases):
        return False
    if said.phrases.supposing.search(text, 0, last):
        return False
    return not occurs(said.phrases.retreats, text, Span(last, len(text)), said.phrases.deferrals)
