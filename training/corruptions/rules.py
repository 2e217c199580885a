"""All corruption rules, and how one is chosen for a sentence."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from training.corruptions import additions, clinical, commerce, entities, numbers, polarity, relations, strength
from training.corruptions.rule import Rule
from training.pairs import Label

_FALSE: Final = Label.CONTRADICTED
_UNFOUNDED: Final = Label.NOT_IN_SOURCE

RULES: Final = (
    Rule("entity", _FALSE, entities.swap_name),
    Rule("role", _FALSE, entities.swap_own_names),
    Rule("number", _FALSE, numbers.change_number),
    Rule("figure", _FALSE, numbers.borrow_number),
    Rule("unit", _FALSE, numbers.swap_unit),
    Rule("date", _FALSE, numbers.shift_date),
    Rule("ordinal", _FALSE, numbers.shift_ordinal),
    Rule("negation_added", _FALSE, polarity.add_negation),
    Rule("negation_removed", _FALSE, polarity.remove_negation),
    Rule("direction", _FALSE, polarity.flip_direction),
    Rule("category", _FALSE, polarity.swap_category),
    Rule("cause_turned", _UNFOUNDED, relations.turn_cause),
    Rule("comparison", _FALSE, relations.turn_comparison),
    Rule("cause_made", _UNFOUNDED, relations.order_to_cause),
    Rule("hedge", _UNFOUNDED, strength.drop_hedge),
    Rule("quantifier", _UNFOUNDED, strength.widen_quantifier),
    Rule("cause", _UNFOUNDED, additions.insert_cause),
    Rule("detail", _UNFOUNDED, additions.insert_detail),
    Rule("borrowed", _UNFOUNDED, additions.borrow_clause),
    Rule("merge", _UNFOUNDED, additions.merge_facts),
    Rule("dose", _FALSE, clinical.change_dose),
    Rule("frequency", _FALSE, clinical.change_frequency),
    Rule("route", _FALSE, clinical.change_route),
    Rule("side", _FALSE, clinical.swap_side),
    Rule("finding", _FALSE, clinical.swap_finding),
    Rule("price", _FALSE, commerce.change_price),
    Rule("rating", _FALSE, commerce.change_rating),
)
_WEIGHTS: Final = {"cause": 0.35, "detail": 0.5, "borrowed": 0.35, "merge": 0.35, "negation_added": 0.6, "entity": 0.8}
"""Rules that fit nearly every sentence are held back, else the rare ones would hardly be seen."""


@dataclass(frozen=True, slots=True)
class Corruption:
    """A changed sentence, the rule that changed it, and its label."""

    text: str
    label: Label
    kind: str


OF_OTHER_TEXTS: Final = frozenset({"borrowed", "merge"})
"""Rules that would say something true if the other sentences were of the same text."""


def corrupt(
    sentence: str, others: Sequence[str], rng: random.Random, without: Collection[str] = ()
) -> Corruption | None:
    """One change by a rule that fits the sentence and is not left out, or None where none does."""
    usable = [rule for rule in RULES if rule.kind not in without]
    order = sorted(usable, key=lambda rule: rng.random() ** (1 / _WEIGHTS.get(rule.kind, 1.0)), reverse=True)
    for rule in order:
        changed = rule.change(sentence, others, rng)
        if changed is not None and changed != sentence:
            return Corruption(changed, rule.label, rule.kind)
    return None
