"""The outcome of one metric on one record is a type, not a number: a verdict, an abstention or a failure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from assay.domain.ask import Fault
from assay.domain.findings import NO_FACT, Fact, Findings
from assay.domain.scale import Scale
from assay.domain.units import Unit
from assay.errors import FailureStatus

AbstentionStatus = Literal["abstained", "empty_input"]
FAILURE_STATUSES: tuple[str, ...] = get_args(FailureStatus)
LETTERS = "ABCDEF"
"""The outputs of one call; no call shows more."""
_SECOND = 0.05
"""The power of the second least supported claim in `weakest_support`: enough to break a tie."""


@dataclass(frozen=True, slots=True)
class Score:
    """`raw` is the value before any cap or limit; `interval` what uncertain units leave open; `computed` code's."""

    value: Fraction
    raw: Fraction
    interval: tuple[Fraction, Fraction]
    scale: Scale
    derivation: str
    figures: Mapping[str, Fraction] = field(default_factory=dict)
    computed: Fraction | None = None

    @property
    def goodness(self) -> Fraction:
        return self.scale.goodness(self.value)


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an output stood in a call that showed several: in which round and block, and at which place from 0."""

    round: int
    block: int
    position: int
    outputs: int

    @property
    def letter(self) -> str:
        return LETTERS[self.position]


@dataclass(frozen=True, slots=True)
class Trail:
    """How an outcome comes about: labels, repairs, flags, the model's own numbers, and the facts its rule rests on.

    `placement` is where the output stood, if several were judged side by side. It grows from the first ask on, and an
    outcome has none of its last four: `ended` is the outcome where none is to be computed from labels, `faults` are
    what no reply has mended, `unlabelled` the units that no reply has labelled. `unplaced_words` counts the words of
    texts that a whole reply lists as unsupported and that can't be found in the output; None without such a list.
    """

    units: tuple[Unit, ...] = ()
    findings: Findings = field(default_factory=Findings)
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    reported: Mapping[str, object] = field(default_factory=dict)
    replies: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    placement: Placement | None = None
    ended: "Outcome | None" = None
    faults: tuple[Fault, ...] = ()
    unlabelled: frozenset[str] = frozenset()
    unplaced_words: int | None = None

    def noted(self, flags: Iterable[str] = (), repairs: Iterable[str] = ()) -> "Trail":
        """With these behind its own, each once."""
        combined = tuple(dict.fromkeys((*self.flags, *flags))), tuple(dict.fromkeys((*self.repairs, *repairs)))
        return replace(self, flags=combined[0], repairs=combined[1])

    @property
    def weakest_support(self) -> float | None:
        """The probability of the least supported claim, 0 for one that code has disproved; for rankings, not a score.

        The second least supported breaks ties: two texts may share their weakest claim. No further claim can raise it.
        None where the judge gives no probabilities.
        """
        claims = [label for label in self.findings.of("claim") if label.label != NO_FACT]
        known = [label.probability for label in claims if label.probability is not None]
        disproved = any(label.by == "code" and label.label in {"absent", "contradicted"} for label in claims)
        if not known:
            return None
        least, *rest = sorted([0.0, *known] if disproved else known)
        return least * (rest[0] ** _SECOND if rest else 1.0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The metric has a score, and everything needed to derive it again."""

    score: Score
    trail: Trail

    @property
    def status(self) -> Literal["ok", "repaired"]:
        return "repaired" if self.trail.repairs else "ok"


@dataclass(frozen=True, slots=True)
class Abstention:
    """The judge, or the rule, declines to score. Counted in every report, never scored."""

    status: AbstentionStatus
    reason: str
    trail: Trail = field(default_factory=Trail)


@dataclass(frozen=True, slots=True)
class Failure:
    """A judge never got to answer, or its answer can't be read. Counted in every report, never scored."""

    status: FailureStatus
    reason: str
    trail: Trail = field(default_factory=Trail)


Outcome: TypeAlias = Verdict | Abstention | Failure


def add_flags(outcome: Outcome, *flags: str) -> Outcome:
    """The outcome with these flags behind its own, each once."""
    return replace(outcome, trail=outcome.trail.noted(flags))


def is_unpaid(outcome: Outcome) -> bool:
    """Whether a spent budget left it undone: neither a verdict nor a failure to count, but work still to do."""
    return isinstance(outcome, Failure) and outcome.status == "over_budget"
