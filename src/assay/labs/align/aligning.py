"""Brings a judge closer to people: replays edits of a rubric on labelled records, and tests them on a hidden half."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, zip_longest

from assay.agreement.alignment import (
    AgreementChange,
    AnswerPair,
    Mapped,
    fit_mapping,
    is_hidden,
    measure_change,
    measure_error,
    pair_with_labels,
)
from assay.agreement.labels import LabelRow
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.labs.align.criteria import Criterion
from assay.labs.align.edits import RubricEdit, apply_edits
from assay.report.display import shorten
from assay.report.mean import has_enough
from assay.report.result import encode
from assay.store.runs import RunRow
from assay.text.hostile import neutralise
from assay.text.keywords import keywords
from assay.units.passages import OUTPUT, number_record

FEWEST_LABELS = 40
# The paired interval needs as many on the hidden half.
FEWEST_GROUPS = 6
_TEXT, _SENTENCES = 400, 3


@dataclass(frozen=True, slots=True)
class Replayed:
    """A run over one half. `bank` is the run that lent it its banks."""

    row: RunRow
    cards: tuple[Scorecard, ...]
    bank: str | None = None


Replay = Callable[[Rubric, Sequence[Record], str, str | None], Replayed]
"""Judges records by a rubric. The texts are the name of the run, and the run that lends its banks."""


@dataclass(frozen=True, slots=True)
class Half:
    """Records of one half of the labels, with the judge's answers by the rubric as it is."""

    name: str
    records: tuple[Record, ...]
    rows: tuple[LabelRow, ...]
    replay: Replay

    @property
    def size(self) -> dict[str, int]:
        groups = {each.item for each in self.records}
        return {"source_groups": len(groups), "records": len(self.records), "labels": count_labels([self])}

    def judge(self, rubric: Rubric, name: str, bank: str | None) -> tuple[Replayed, list[AnswerPair]]:
        found = self.replay(rubric, self.records, f"align, {self.name} half, {name}", bank)
        return found, pair_with_labels(found.cards, self.rows, rubric)


def split_labels(records: Iterable[Record], rows: Sequence[LabelRow], replay: Replay) -> tuple[Half, Half]:
    """The tuning half and the hidden half, by source group, of the records with a label."""
    labelled = {row.label.record for row in rows}
    halves = []
    for name in ("tuning", "hidden"):
        kept = tuple(each for each in records if each.id in labelled and is_hidden(each.item) == (name == "hidden"))
        ids = {each.id for each in kept}
        halves.append(Half(name, kept, tuple(row for row in rows if row.label.record in ids), replay))
    return halves[0], halves[1]


def count_labels(halves: Iterable[Half]) -> int:
    """Questions with an answer, however many people answered them."""
    labels = (row.label for half in halves for row in half.rows)
    return len({(each.record, each.system, each.question) for each in labels})


@dataclass(frozen=True, slots=True)
class Alignment:
    """What became of edits: `tuning` has each candidate alone and then those that were kept, `hidden` those alone.

    The first of `hidden` is about the edited metrics, and decides; the others must not be worse. `mapping` takes the
    judge's levels to people's, fitted on the tuning half; `errors` are on the hidden half, without and with it.
    """

    verdict: str
    edits: tuple[RubricEdit, ...]
    tuning: tuple[AgreementChange, ...]
    hidden: tuple[AgreementChange, ...] = ()
    rubric: Rubric | None = None
    replayed: Replayed | None = None
    mapping: Mapping[str, Mapped] | None = None
    errors: Mapping[str, tuple[float, float] | None] | None = None


def try_edits(
    rubric: Rubric,
    halves: tuple[Half, Half],
    begun: tuple[Replayed, Sequence[AnswerPair]],
    candidates: Sequence[Sequence[RubricEdit]],
    level: float = 0.05,
    shown: frozenset[str] = frozenset(),
) -> Alignment:
    """Keeps the candidates that agree better on the tuning half, and tests them together, once, on the hidden half.

    `begun` is the tuning half as it was judged; source groups that are `shown` to the judge are left out of it.
    """
    tuning, hidden = halves
    before = [each for each in begun[1] if each.item not in shown]
    after: list[AnswerPair] = []
    changes: list[AgreementChange] = []

    def tune(edits: Sequence[RubricEdit], name: str) -> bool:
        after[:] = tuning.judge(apply_edits(rubric, edits), name, begun[0].row.id)[1]
        changes.append(measure_change(f"tuning half, {name}", before, after, {each.metric for each in edits}))
        return changes[-1].difference.mean > 0

    kept = [each for number, each in enumerate(candidates, 1) if tune(each, f"edit {number}")]
    edits = tuple(chain.from_iterable(kept))
    if not kept or (len(candidates) > 1 and not tune(edits, "kept edits")):
        verdict = "Refused: no edit raised agreement on the tuning half. The hidden half was not used."
        return Alignment(verdict, (), tuple(changes))
    changed = apply_edits(rubric, edits)
    first, earlier = hidden.judge(rubric, "before", begun[0].bank)
    second, later = hidden.judge(changed, "after", first.row.id)
    edited = {each.metric for each in edits}
    others = sorted({each.metric for each in earlier} - edited)
    found = tuple(
        measure_change(hidden.name, earlier, later, each, level) for each in (edited, *({name} for name in others))
    )
    refusal = _find_refusal(found)
    by_metric = {name: [each for each in after if each.metric == name] for name in sorted({*edited, *others})}
    mapping = {name: mapped for name, pairs in by_metric.items() if (mapped := fit_mapping(pairs))}
    errors = {name: measure_error([each for each in later if each.metric == name], mapping[name]) for name in mapping}
    verdict = f"Refused: {refusal}." if refusal else "Accepted: agreement rose on the hidden half."
    accepted = None if refusal else changed
    return Alignment(verdict, edits, tuple(changes), found, accepted, second, mapping, errors)


def _find_refusal(hidden: Sequence[AgreementChange]) -> str:
    main, asked = hidden[0], hidden[0].answers + hidden[0].failed
    if not has_enough(main.answers, asked):
        return f"only {main.answers} of {asked} questions on the hidden half were answered"
    if main.difference.interval is None:
        return f"the hidden half has {main.difference.n} source groups, too few for an interval"
    if not main.is_better:
        return "the interval of the change on the hidden half does not exclude 0"
    worse = [name for each in hidden[1:] if each.is_worse for name in each.metrics]
    return f"agreement fell under {', '.join(worse)}" if worse else ""


def digest_edits(rubric: Rubric, judge: str, candidates: Sequence[Sequence[RubricEdit]]) -> str:
    edits = sorted(encode(edit.plain).decode() for each in candidates for edit in each)
    return sha256(encode([rubric.digest, judge, edits])).hexdigest()[:24]


def build_examples(
    criteria: Sequence[Criterion], records: Iterable[Record], count: int
) -> tuple[tuple[RubricEdit, ...], frozenset[str]]:
    """Labelled examples for the judge, and their source groups: disagreements, of each criterion in turn."""
    by_key = {(each.id, each.system): each for each in records}
    chosen: dict[str, AnswerPair] = {}
    for pair in chain.from_iterable(zip_longest(*(each.disagreements for each in criteria))):
        if pair is not None and pair.agreement is not None and len(chosen) < count:
            chosen.setdefault(pair.item, pair)
    return tuple(_write_example(each, by_key[each.record]) for each in chosen.values()), frozenset(chosen)


def _write_example(pair: AnswerPair, record: Record) -> RubricEdit:
    """With the sentences of the sources that share most words with what was judged."""
    wanted = keywords(pair.text, "en")
    sentences = [each for each in number_record(record).all if each.source != OUTPUT]
    nearest = sorted(sentences, key=lambda each: -len(wanted & keywords(each.text, "en")))[:_SENTENCES]
    material = " ".join(each.text for each in sentences if each in nearest)
    said = f"Source: “{shorten(material, _TEXT)}” Output: “{shorten(pair.text, _TEXT)}” {pair.expected}. "
    return RubricEdit(pair.metric, "example", " ".join(neutralise(said + pair.expected_reason).text.split()))
