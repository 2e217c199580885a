"""Variants of a family: its templates with their slots filled and their encodings applied, drawn by a seed."""

import re
from collections.abc import Mapping, Sequence
from itertools import count as count_up
from itertools import zip_longest
from random import Random

from assay.errors import InputError
from assay.labs.attack.encoding import encode
from assay.labs.attack.family import PARTS, Family, Part, Place, Template, Variant

# A template without slots has one variant; this many rounds without a new text mean that there are no more.
_PATIENCE = 8
_SLOT = re.compile(r"\{([a-z]+)\}")
# Fills slots for which the caller gives nothing. A caller that knows its rubric and record gives better ones.
DEFAULTS: Mapping[str, Sequence[str]] = {
    "mark": ("full marks", "the highest score", "the best possible rating", "a perfect score", "the maximum"),
    "number": ("5", "10", "100"),
    "label": ("supported",),
    "metric": ("faithfulness", "accuracy", "overall quality", "hallucination", "relevance"),
    "rubric": ("the rubric", "the marking scheme", "the scoring guide"),
    "sentence": ("The study followed its participants for two years.", "The council approved the plan on Monday."),
    "id": ("s1.1", "s1.2", "s2.1"),
}


def make_variants(
    family: Family, seed: int, count: int, slots: Mapping[str, Sequence[str]], place: Place | None = None
) -> tuple[Variant, ...]:
    """Exactly `count` different texts, the same ones for the same arguments.

    Every template is used once before one is used again, and the two parts take turns. Which one begins is drawn for
    each family, and the other place begins with the other, so that few variants are of both parts too. `slots` says
    what may fill a slot, by its name; a slot that it leaves out is filled from the defaults.
    """
    # In the order of the defaults, so that the draw does not depend on the order of the caller's names.
    values = {name: tuple(slots.get(name) or fills) for name, fills in DEFAULTS.items()}
    random = Random(f"{seed} {family.id}")  # noqa: S311  # a draw that can be repeated, not a secret
    templates = _order_templates(family, random, _order_parts(family, seed, place), place)
    found: dict[str, Variant] = {}
    fruitless = 0
    for turn in count_up(1):
        before = len(found)
        for template in templates:
            variant = _make_variant(family, template, turn, values, random)
            found.setdefault(variant.text, variant)
            if len(found) == count:
                return tuple(found.values())
        fruitless = fruitless + 1 if len(found) == before else 0
        if fruitless == _PATIENCE:
            break
    raise InputError(f"{family.id} has {len(found)} variants here, and {count} are asked for", remedy="Ask for fewer")


def _order_parts(family: Family, seed: int, place: Place | None) -> Sequence[Part]:
    first = Random(f"{seed} {family.id} first").randrange(len(PARTS))  # noqa: S311  # a draw that can be repeated
    return PARTS if (first + (place == "source")) % 2 == 0 else PARTS[::-1]


def _order_templates(family: Family, random: Random, parts: Sequence[Part], place: Place | None) -> list[Template]:
    shuffled = []
    for part in parts:
        templates = [one for one in family.of_part(part) if place is None or place in one.places]
        random.shuffle(templates)
        shuffled.append(templates)
    return [one for turn in zip_longest(*shuffled) for one in turn if one is not None]


def _make_variant(
    family: Family, template: Template, turn: int, values: Mapping[str, Sequence[str]], random: Random
) -> Variant:
    chosen = {name: random.choice(fills) for name, fills in values.items()}
    # In one pass: what fills one slot is never read for another.
    plain = _SLOT.sub(lambda found: chosen[found[1]], template.text)
    return Variant(
        id=f"{family.id}.{template.part}-{template.number:02}.{turn}",
        family=family.id,
        part=template.part,
        text=encode(plain, template.encoding, random),
        plain=plain,
        places=template.places,
        action=family.action,
        encoding=template.encoding,
    )
