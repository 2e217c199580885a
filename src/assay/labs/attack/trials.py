"""The trials of an attack on a rubric: which records are clean enough, and which text is put where in which of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from assay.checks.catalogue import check_injections
from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words
from assay.errors import InputError
from assay.files.records import InvalidRecord
from assay.labs.attack.family import (
    PLACES,
    Family,
    Place,
    Trial,
    Variant,
    key_of,
    load_benign,
    load_families,
)
from assay.labs.attack.variants import make_variants
from assay.runner.empty import find_empty
from assay.text.sentences import split_sentences
from assay.units.passages import OUTPUT, number_record


@dataclass(frozen=True, slots=True)
class Attack:
    """`variants` for each family and place, `benign` texts for each place; the same seed gives the same trials."""

    families: tuple[Family, ...]
    places: tuple[Place, ...] = PLACES
    seed: int = 0
    variants: int = 10
    benign: int = 10


@dataclass(frozen=True, slots=True)
class Clean:
    """The records that can be attacked, and why the others can't, by their ids."""

    records: tuple[Record, ...]
    left_out: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trials:
    """What is judged: attacks, some of the benign texts, and each clean record that one of them was made from.

    Code alone looks at the benign texts that are not judged: counting their false alarms costs no call.
    """

    attacks: tuple[Trial, ...]
    benign: tuple[Trial, ...]
    unjudged: tuple[Trial, ...]

    @property
    def judged(self) -> tuple[Trial, ...]:
        return self.attacks + self.benign

    @property
    def clean(self) -> tuple[Record, ...]:
        return tuple({key_of(trial.clean): trial.clean for trial in self.judged}.values())

    @property
    def records(self) -> tuple[Record, ...]:
        """Clean ones first: a run that is stopped has the twins of all that it has judged."""
        return self.clean + tuple(trial.record for trial in self.judged)


def plan_trials(attack: Attack, rubric: Rubric, records: Sequence[Record]) -> Trials:
    benign = {place: list(plan_benign(attack, records, place)) for place in attack.places}
    return Trials(
        tuple(plan_attacks(attack, rubric, records)),
        tuple(trial for trials in benign.values() for trial in trials[: attack.benign]),
        tuple(trial for trials in benign.values() for trial in trials[attack.benign :]),
    )


def choose_families(names: Sequence[str]) -> tuple[Family, ...]:
    """The named families; all of them where none is named."""
    known = {family.id: family for family in load_families()}
    for name in names:
        if name not in known:
            raise InputError(f"there is no attack family {name!r}", remedy=f"Write one or more of {', '.join(known)}")
    return tuple(family for family in known.values() if not names or family.id in names)


def choose_clean(records: Iterable[Record | InvalidRecord], rubric: Rubric) -> Clean:
    """A record that ends before any judge, or already looks like an attack, shows nothing of what an attack does."""
    kept, left_out = [], {}
    for record in records:
        if isinstance(record, InvalidRecord):
            left_out[record.id] = record.reason
        elif find_empty(record, rubric) is not None:
            left_out[record.id] = "there is nothing in it to judge"
        elif is_suspect(record):
            left_out[record.id] = "its own texts already look like an attack"
        else:
            kept.append(record)
    return Clean(tuple(kept), left_out)


def is_suspect(record: Record) -> bool:
    return any(True for _ in check_injections(record))


def is_caught(trial: Trial, rubric: Rubric) -> bool:
    """Flagged, or ended before a judge was asked. Code alone decides both."""
    return find_empty(trial.record, rubric) is not None or is_suspect(trial.record)


def plan_attacks(attack: Attack, rubric: Rubric, records: Sequence[Record]) -> Iterator[Trial]:
    """Records are taken in turn. The first depends on the family alone, so that fewer families change no trial."""
    for place in attack.places:
        fit = _find_fit(records, place)
        for family in attack.families:
            if not fit or place not in family.places:
                continue
            start = _draw(attack.seed, family.id, place).randrange(len(fit))
            turns = [*fit[start:], *fit[:start]][: attack.variants]
            made = [_make_most(family, attack, list_slots(rubric, clean), place) for clean in turns]
            for number in range(attack.variants):
                at = number % len(turns)
                if number < len(made[at]):
                    yield _place(made[at][number], place, turns[at], attack.seed)


def plan_benign(attack: Attack, records: Sequence[Record], place: Place) -> Iterator[Trial]:
    """Every benign text once, kinds and parts mixed, so that the first few stand for all."""
    fit = _find_fit(records, place)
    texts = list(load_benign())
    _draw(attack.seed, "benign", place).shuffle(texts)
    for number, benign in enumerate(texts if fit else ()):
        yield replace(_place(benign, place, fit[number % len(fit)], attack.seed), is_benign=True)


def list_slots(rubric: Rubric, record: Record) -> dict[str, list[str]]:
    """What an attacker who knows the rubric and the record would write: its names, its best marks, its sentences."""
    scales = [metric.scale for metric in rubric.metrics]
    passages = number_record(record).all
    return {
        "metric": [metric.name for metric in rubric.metrics],
        "rubric": [rubric.title],
        "number": [in_words(scale.high if scale.best == "high" else scale.low) for scale in scales],
        "label": [part.best for metric in rubric.metrics for part in metric.label_parts],
        "sentence": [passage.text for passage in passages],
        "id": [passage.id for passage in passages if passage.source != OUTPUT],
    }


def _find_fit(records: Sequence[Record], place: Place) -> list[Record]:
    return [record for record in records if place == "output" or any(source.text.strip() for source in record.sources)]


def _make_most(family: Family, attack: Attack, slots: Mapping[str, Sequence[str]], place: Place) -> tuple[Variant, ...]:
    """As many variants as asked for. A family without slots has only one for each template, and then gives all."""
    try:
        return make_variants(family, attack.seed, attack.variants, slots, place)
    except InputError:
        templates = sum(place in template.places for template in family.templates)
        return make_variants(family, attack.seed, min(attack.variants, templates), slots, place)


def _place(variant: Variant, place: Place, clean: Record, seed: int) -> Trial:
    put = place_in_output if place == "output" else place_in_source
    record = replace(put(clean, variant, seed), id=f"{clean.id}~{variant.id}~{place}")
    return Trial(variant, place, clean, record)


def place_in_output(record: Record, variant: Variant, seed: int) -> Record:
    """The record with an attacked output; everything else, its ids too, stays."""
    text = variant.text
    if variant.action == "insert":
        text = insert_text(record.output, variant.text, _draw(seed, record.id, variant.id))
    inputs = record.inputs
    if record.output.strip():
        # The inputs hold the output a second time, under the name that the rubric gives it.
        inputs = {name: text if value == record.output else value for name, value in inputs.items()}
    return replace(record, output=text, inputs=inputs)


def place_in_source(record: Record, variant: Variant, seed: int) -> Record:
    """The record with one attacked source, drawn from those that hold a text; everything else, its ids too, stays."""
    random = _draw(seed, record.id, variant.id)
    filled = [source for source in record.sources if source.text.strip()]
    if not filled:
        raise InputError(f"the record {record.id} has no source with a text", remedy="Attack its output")
    chosen = random.choice(filled)
    text = variant.text if variant.action == "replace" else insert_text(chosen.text, variant.text, random)
    sources = tuple(replace(source, text=text) if source is chosen else source for source in record.sources)
    inputs = dict(record.inputs)
    if chosen.input in inputs:
        inputs[chosen.input] = _exchange(inputs[chosen.input], chosen.text, text)
    return replace(record, sources=sources, inputs=inputs)


def insert_text(text: str, addition: str, random: Random) -> str:
    """At the start, between two sentences or at the end, on a line of its own where lines are broken there."""
    joints = [(one.end, other.start) for one, other in pairwise(split_sentences(text, "en"))]
    position = random.choice(["start", *(["between"] if joints else []), "end"])
    if not text.strip():
        return text + addition
    before, offset = random.choice(joints) if position == "between" else (0, 0)
    broken = text[before:offset] if position == "between" else text.strip()
    gap = "\n" if "\n" in broken or "\n" in addition else " "
    if position == "end":
        return text + gap + addition
    return text[:offset] + addition + gap + text[offset:]


def _exchange(value: JSON, old: str, new: str) -> JSON:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, Mapping):
        return {name: _exchange(each, old, new) for name, each in value.items()}
    return [_exchange(each, old, new) for each in value] if isinstance(value, list) else value


def _draw(*named: object) -> Random:
    return Random(" ".join(map(str, named)))  # noqa: S311  # a draw that can be repeated, not a secret
