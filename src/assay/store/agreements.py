"""How well judges agree with people: what `assay agree --save` measured, by judge, rubric and metric."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from assay.store.codec import dump, load, pack_bytes, to_cell, unpack_bytes
from assay.store.database import Database
from assay.store.digests import INTACT, insert, transaction
from assay.store.faults import reading, require_intact

_KEY = ("judge", "rubric_digest", "metric")
_PUT = insert("agreements", f"({', '.join(_KEY)})")


@dataclass(frozen=True, slots=True)
class KeptFigure:
    """A figure with the ends of its 95 % interval."""

    value: float
    low: float | None = None
    high: float | None = None


JudgeFinding = Literal[
    "too_few", "undefined", "no_better", "not_shown", "better", "unclear", "below_people", "as_people", "above_people"
]


@dataclass(frozen=True, slots=True)
class AgreementVerdict:
    """What labels show of a judge. `sentence` has the counts; `records` are claims where claims were labelled."""

    finding: JudgeFinding
    sentence: str
    records: int
    items: int
    people: int

    @property
    def is_better(self) -> bool:
        """Whether the judge is shown to be better than a constant guess."""
        return self.finding not in {"too_few", "undefined", "no_better", "not_shown"}


@dataclass(frozen=True, slots=True)
class KeptAgreement:
    """The main figure of a metric with its 95 % interval, beside that of a constant answer.

    It outlives its run, of which it holds no text. `judge` has the digest of its prompts, `rubric_digest` the rubric's.
    `in_place` is the judge's figure in a person's place, called `ceiling`, and `people` that of people: none where no
    record has two people's labels. An agreement that an earlier version kept has no verdict.
    """

    judge: str
    rubric_digest: str
    metric: str
    run: str
    n: int
    figure: str
    value: float | None
    low: float | None
    high: float | None
    constant: float
    rubric: str = ""
    name: str = ""
    ceiling: str = ""
    in_place: KeptFigure | None = None
    people: KeptFigure | None = None
    verdict: AgreementVerdict | None = None


@dataclass(frozen=True, slots=True)
class Agreements:
    """The agreements of one store. A later one takes the place of an earlier one."""

    database: Database

    def put(self, found: Iterable[KeptAgreement]) -> None:
        with self.database.alone() as connection, transaction(connection):
            for each in found:
                key = [to_cell(cell) for cell in (each.judge, each.rubric_digest, each.metric)]
                connection.execute(_PUT, (*key, pack_bytes(dump(each))))

    def all(
        self, judge: str | None = None, rubric_digest: str | None = None, metric: str | None = None
    ) -> list[KeptAgreement]:
        """Of every judge, rubric and metric, or of those named, in their order."""
        rows = self.database.read(
            f"SELECT judge, body, {INTACT['agreements']} FROM agreements"  # noqa: S608  # our own columns
            " WHERE judge = ifnull(?, judge) AND rubric_digest = ifnull(?, rubric_digest)"
            f" AND metric = ifnull(?, metric) ORDER BY {', '.join(_KEY)}",
            *(judge, rubric_digest, metric),
        )
        found = []
        for of, body, intact in rows:
            with reading(f"agreement of {of:.80}"):
                require_intact(intact)
                found.append(load(unpack_bytes(body), KeptAgreement, "agreement"))
        return found
