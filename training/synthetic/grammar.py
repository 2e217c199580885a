"""Facts with slots: each can be said in several ways, and a wrong slot makes a wrong sentence in any of them."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.pairs import Label, Pair

_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing to say about a subject: its wordings, and the slots whose change makes it false."""

    kind: str
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class World:
    """Facts a document of one sort may hold, with the words that fill their slots."""

    name: str
    subjects: Mapping[str, Sequence[str]]
    """Slots filled once per document and never changed: what the text is about."""
    slots: Mapping[str, Sequence[str]]
    facts: tuple[Fact, ...]
    open_slots: frozenset[str] = frozenset()
    """Slots with room for more than one true word: another allergy is unfounded, not contradicted."""


@dataclass(frozen=True, slots=True)
class Document:
    """What a made text holds: its chosen facts, the words in their slots, and the sentences that say so."""

    world: World
    facts: tuple[Fact, ...]
    values: Mapping[str, str]
    said: tuple[int, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(fill(fact.forms[form], self.values) for fact, form in zip(self.facts, self.said, strict=True))


def fill(form: str, values: Mapping[str, str]) -> str:
    """A wording with its slots filled, opened with a capital."""
    out = _SLOT.sub(lambda slot: values[slot.group(1)], form)
    return out[:1].upper() + out[1:]


def build_document(world: World, rng: random.Random) -> Document:
    """Two to five facts of a world about one subject."""
    values = {name: rng.choice(words) for name, words in {**world.subjects, **world.slots}.items()}
    facts = tuple(rng.sample(world.facts, rng.randint(2, min(5, len(world.facts) - 1))))
    return Document(world, facts, values, tuple(rng.randrange(len(fact.forms)) for fact in facts))


def build_pair(document: Document, label: Label, rng: random.Random) -> Pair | None:
    """A hypothesis with the wanted label about the whole document, or None where chance found none."""
    if label == Label.NOT_IN_SOURCE and rng.random() < 0.6:
        hypothesis = _say_unsaid(document, rng)
    else:
        hypothesis = _say_again(document, label, rng)
    if hypothesis is None:
        return None
    premise = " ".join(document.sentences)
    return Pair(premise, hypothesis, label, "corruption", f"synthetic:{premise}")


def _say_unsaid(document: Document, rng: random.Random) -> str | None:
    """A fact the document leaves out."""
    said = {slot for fact in document.facts for form in fact.forms for slot in _find_slots(form)}
    silent = [fact for fact in document.world.facts if fact not in document.facts]
    fresh = [
        fact
        for fact in silent
        if not {s for f in fact.forms for s in _find_slots(f)} & set(document.world.slots) <= said
    ]
    return fill(rng.choice(rng.choice(fresh).forms), document.values) if fresh else None


def _say_again(document: Document, label: Label, rng: random.Random) -> str | None:
    """A fact of the document in any of its wordings; for another label than supported, with one slot changed."""
    place = rng.randrange(len(document.facts))
    fact = document.facts[place]
    form = rng.choice(fact.forms)
    told = _find_slots(fact.forms[document.said[place]])
    asked = _find_slots(form)
    if label == Label.SUPPORTED:
        known = {
            slot
            for each, said in zip(document.facts, document.said, strict=True)
            for slot in _find_slots(each.forms[said])
        }
        return fill(form, document.values) if asked <= told | (known & set(document.world.subjects)) else None
    changeable = asked & told & set(document.world.slots)
    is_open = changeable & document.world.open_slots
    slots = sorted(is_open if label == Label.NOT_IN_SOURCE else changeable - is_open)
    if not slots:
        return None
    slot = rng.choice(slots)
    words = [word for word in document.world.slots[slot] if word != document.values[slot]]
    return fill(form, {**document.values, slot: rng.choice(words)})


def _find_slots(form: str) -> set[str]:
    return set(_SLOT.findall(form))
