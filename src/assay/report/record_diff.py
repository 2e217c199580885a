"""What changed in a record between two runs: words of its output, and claims added, removed and relabelled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Literal

from assay.domain.rubric import WEAKEST_SUPPORT
from assay.domain.scorecard import Scorecard
from assay.domain.units import NAMES
from assay.report.display import shorten
from assay.report.findings import Finding, list_findings
from assay.text.word_diff import WordEdit, clip_edits, diff_words, list_words

# Words and claims beyond these are not compared; what is left out is said.
_MOST_CHARACTERS = 60_000
_MOST = 200
# The least share of words that two texts have in common to be the same claim, reworded.
_LEAST_OVERLAP = 0.5
_CONTEXT, _SHOWN, _UNLIMITED = 60, 500, 1_000_000
_MARKS = {"deleted": ("[-", "-]"), "inserted": ("{+", "+}"), "same": ("", "")}


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """`claim` is as the second run has it, one that was removed as the first had it. `before` is a relabelled one's.

    A relabelled claim may be reworded too.
    """

    kind: Literal["added", "removed", "relabelled"]
    claim: Finding
    before: Finding | None = None

    @property
    def title(self) -> str:
        return f"{NAMES[self.claim.unit.kind][0]} {self.kind}"

    @property
    def old_text(self) -> str:
        """The text in the first run, where it was another."""
        return "" if self.before is None or self.before.unit.text == self.claim.unit.text else self.before.unit.text


@dataclass(frozen=True, slots=True)
class RecordDiff:
    """`edits` is empty where the outputs have the same words. `unread` counts characters that were not compared."""

    edits: tuple[WordEdit, ...] = ()
    unread: int = 0
    claims: tuple[ClaimChange, ...] = ()

    def clip(self, most: int = _SHOWN) -> tuple[tuple[WordEdit, ...], int]:
        """The changed words with a few around them, and how many changes are left out."""
        return clip_edits(self.edits, _CONTEXT, most)


def diff_cards(metric: str, first: Scorecard, second: Scorecard) -> RecordDiff:
    """Of the outputs, and of the claims under one metric or its weakest claims."""
    name = metric.removesuffix(WEAKEST_SUPPORT)
    before, after = (
        list_findings(card, card.rubric.metric(name)) if name in card.outcomes else [] for card in (first, second)
    )
    words = diff_outputs(first.record.output, second.record.output)
    return replace(words, claims=tuple(_compare_claims(before, after)))


def diff_outputs(first: str, second: str) -> RecordDiff:
    if first == second:
        return RecordDiff()
    edits = diff_words(first[:_MOST_CHARACTERS], second[:_MOST_CHARACTERS])
    unread = max(0, len(first) - _MOST_CHARACTERS) + max(0, len(second) - _MOST_CHARACTERS)
    return RecordDiff(edits if any(edit.kind != "same" for edit in edits) else (), unread)


def list_lines(diff: RecordDiff, most_characters: int | None, most_claims: int | None) -> Iterator[str]:
    """The changed words of the output on one line, then a line for each claim; None for no limit."""
    edits, left = diff.clip(_UNLIMITED if most_characters is None else most_characters)
    if edits:
        yield f"output: {format_words(edits)}{f' ({left} more changes)' if left else ''}"
    if diff.unread:
        yield f"{diff.unread:,} characters of the outputs were not compared"
    shown = diff.claims[:most_claims]
    yield from map(format_claim, shown)
    if len(shown) < len(diff.claims):
        yield f"{len(diff.claims) - len(shown)} more claims changed"


def format_words(edits: Sequence[WordEdit]) -> str:
    """On one line, as `[-deleted-]` and `{+inserted+}`."""
    shown = []
    for edit in edits:
        bare = edit.text.rstrip()
        before, after = _MARKS[edit.kind if bare else "same"]
        shown.append(f"{before}{bare}{after}{' ' if bare != edit.text else ''}")
    return " ".join("".join(shown).split())


def format_claim(change: ClaimChange) -> str:
    """`claim relabelled, supported → absent: "It is."`."""
    labels = change.claim.said if change.before is None else f"{change.before.said} → {change.claim.said}"
    was = f' (was "{shorten(change.old_text)}")' if change.old_text else ""
    return f'{change.title}, {labels}: "{shorten(change.claim.unit.text)}"{was}'


def _compare_claims(before: list[Finding], after: list[Finding]) -> Iterator[ClaimChange]:
    """Matched by their text, then the others by the most words in common; in the order of the second run."""
    matches: dict[int, int] = {}
    free = dict(enumerate(before))
    places: dict[tuple[str, str], list[int]] = {}
    for at, claim in free.items():
        places.setdefault((claim.label.part, claim.unit.text), []).append(at)
    for at, claim in enumerate(after):
        if same := places.get((claim.label.part, claim.unit.text)):
            matches[at] = same.pop(0)
            del free[matches[at]]
    rest = {at: claim for at, claim in enumerate(after) if at not in matches}
    matches |= _match_reworded(free, rest)
    for at, claim in enumerate(after):
        if at not in matches:
            yield ClaimChange("added", claim)
        elif before[matches[at]].said != claim.said:
            yield ClaimChange("relabelled", claim, before[matches[at]])
    kept = set(matches.values())
    yield from (ClaimChange("removed", claim) for at, claim in enumerate(before) if at not in kept)


def _match_reworded(before: dict[int, Finding], after: dict[int, Finding]) -> dict[int, int]:
    """From places in the second run to places in the first, the closest pairs first."""
    theirs, ours = (
        [(at, each.label.part, set(list_words(each.unit.text.casefold()))) for at, each in islice(side.items(), _MOST)]
        for side in (before, after)
    )
    pairs = (
        (-len(words & other_words) / len(words | other_words), at, other)
        for (at, part, words), (other, other_part, other_words) in product(ours, theirs)
        if part == other_part and words | other_words
    )
    found: dict[int, int] = {}
    for overlap, at, other in sorted(pairs):
        if -overlap >= _LEAST_OVERLAP and at not in found and other not in found.values():
            found[at] = other
    return found
