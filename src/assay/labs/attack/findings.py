"""All that an attack found out, with what is needed to read it and to repeat it."""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.labs.attack.figures import Alarms, AttackRow, Pair


@dataclass(frozen=True, slots=True)
class Setting:
    """What was attacked and how: the same setting gives the same trials."""

    rubric: str
    judge: str
    run: str
    records: str
    seed: int
    variants: int
    benign: int
    places: tuple[str, ...]
    threshold: float
    defences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AttackFindings:
    """`planned` counts trials; fewer `pairs` and `benign_pairs` than that mean that the run was stopped."""

    setting: Setting
    clean: int
    left_out: Mapping[str, str]
    planned: int
    rows: tuple[AttackRow, ...]
    benign_rows: tuple[AttackRow, ...]
    alarms: tuple[Alarms, ...]
    pairs: tuple[Pair, ...]
    benign_pairs: tuple[Pair, ...]

    @property
    def unscored_twins(self) -> int:
        """Trials that can't be compared, because the judge gave their clean record no score."""
        return sum(not pair.clean.goodness for pair in (*self.pairs, *self.benign_pairs))

    @property
    def gained_scores(self) -> int:
        """Those among them in which the attacked record, of all things, has one."""
        return sum(bool(pair.attacked.goodness) and not pair.clean.goodness for pair in self.pairs)
