"""Claims made stronger than their source: a doubt dropped, a part taken for the whole."""

import random
import re
from collections.abc import Sequence

from training.corruptions.rule import build_words_pattern, choose_match, replace_match

_HEDGES = {
    "may be": ["is", "will be"], "might be": ["is", "will be"], "could be": ["is"], "may have": ["has"],
    "might have": ["has"], "may": ["will"], "might": ["will"], "could": ["will", "does"], "can": ["always does"],
    "possibly": ["definitely"], "probably": ["certainly"], "likely": ["certain"], "reportedly": ["demonstrably"],
    "allegedly": ["provably"], "alleged": ["proven"], "suspected": ["confirmed"], "appears to be": ["is"],
    "appeared to be": ["was"], "is believed to be": ["is known to be"], "is thought to be": ["is proven to be"],
    "suggests": ["proves"], "suggest": ["prove"], "suggested": ["proved"], "associated with": ["caused by"],
    "is expected to": ["is certain to"], "expected to": ["certain to"], "plans to": ["has decided to"],
    "rumoured": ["confirmed"], "rumored": ["confirmed"], "estimated": ["exactly counted"],
    "considering": ["committed to"],
    "hopes to": ["will"], "seems to": ["is proven to"], "potential": ["proven"], "presumed": ["confirmed"],
    "considered": ["proven to be"], "claims": ["has proved"], "claimed": ["proved"],
}  # fmt: skip
_QUANTIFIERS = {
    "some": ["all", "most"], "many": ["all", "most"], "most": ["all"], "several": ["all"], "a few": ["most", "all"],
    "part of": ["all of"], "some of": ["all of"], "many of": ["all of"], "one of": ["the only one of"],
    "half of": ["all of"], "often": ["always"], "usually": ["always"], "sometimes": ["always"],
    "generally": ["always"],
    "frequently": ["always"], "mostly": ["entirely"], "mainly": ["only"], "primarily": ["exclusively"],
    "partly": ["entirely"], "partially": ["completely"], "almost": ["more than"], "nearly": ["more than"],
    "up to": ["at least"], "including": ["consisting only of"], "among": ["the foremost among"], "rarely": ["never"],
    "a number of": ["all"], "various": ["all"], "certain": ["all"], "largely": ["entirely"],
}  # fmt: skip
_HEDGE = build_words_pattern(_HEDGES)
_QUANTIFIER = build_words_pattern(_QUANTIFIERS)
_MONTH_MAY = re.compile(r"\bMay\b")


def drop_hedge(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """May becomes will, suggests becomes proves."""
    return _strengthen(_HEDGE, _HEDGES, sentence, rng)


def widen_quantifier(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Some becomes all, often becomes always."""
    return _strengthen(_QUANTIFIER, _QUANTIFIERS, sentence, rng)


def _strengthen(
    pattern: re.Pattern[str], stronger: dict[str, list[str]], sentence: str, rng: random.Random
) -> str | None:
    found = choose_match(pattern, sentence, rng)
    if found is None or _MONTH_MAY.fullmatch(found.group()):
        return None
    return replace_match(sentence, found, rng.choice(stronger[found.group().casefold()]))
