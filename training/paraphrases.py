"""Changes that keep a sentence true of its source: shorter, rounder or in other words."""

import random
import re

from training.corruptions.rule import build_words_pattern, choose_match, replace_match

_SAME = {
    "approximately": ["about", "around", "roughly"], "about": ["approximately", "around"], "around": ["about"],
    "began": ["started"], "started": ["began"], "received": ["got"], "located": ["situated"], "situated": ["located"],
    "film": ["movie"], "movie": ["film"], "also": ["additionally"], "primarily": ["mainly"], "mainly": ["mostly"],
    "due to": ["because of"], "because of": ["due to"], "however": ["nevertheless"], "during": ["in the course of"],
    "large": ["big"], "big": ["large"], "purchased": ["bought"], "bought": ["purchased"], "obtained": ["got"],
    "children": ["kids"], "physician": ["doctor"], "assisted": ["helped"], "helped": ["assisted"],
    "ended": ["finished"],
    "completed": ["finished"], "requires": ["needs"], "required": ["needed"], "needs": ["requires"],
    "released": ["put out"], "created": ["made"], "shows": ["displays"], "often": ["frequently"],
    "frequently": ["often"],
    "may": ["might"], "might": ["may"], "nearly": ["almost"], "almost": ["nearly"], "worldwide": ["around the world"],
    "as well as": ["and also"], "numerous": ["many"], "many": ["numerous"], "several": ["a number of"],
    "each year": ["every year"], "once daily": ["once a day"], "twice daily": ["twice a day"], "by mouth": ["orally"],
    "orally": ["by mouth"], "costs": ["is priced at"], "percent": ["per cent"], "United States": ["US"],
    "more than": ["over"],
    "over": ["more than"], "fewer than": ["less than"], "television": ["TV"], "TV": ["television"],
    "prior to": ["before"],
    "attempted": ["tried"], "died": ["passed away"], "commenced": ["began"], "whilst": ["while"], "injured": ["hurt"],
}  # fmt: skip
_SAME_FOLDED = {word.casefold(): others for word, others in _SAME.items()}
_SAME_WORD = build_words_pattern(_SAME)
_BRACKETS = re.compile(r" ?\([^()]{1,80}\)")
_OPENING = re.compile(r"^(?:In|On|At|After|During|By|Since|As of|From) [^,.]{2,40}, (?=\w)")
_TAIL = re.compile(
    r"(?:, (?:which|who|where|while|with|although|but|making|including)|; | but (?=\w+ \w+ \w+)| although) ?"
)
_COUNT = re.compile(r"(?<![\w.,/$€£-])(?:\d{1,3}(?:,\d{3})+|[2-9]\d{2}|[3-9]\d)(?![\w,%–/-]|\.\d)(?= [a-z])")
_BOUND = re.compile(
    r"(?:than|over|under|about|around|nearly|almost|approximately|least|most|to|number|"
    r"No\.|[A-Z]\w*|of|per|first|last) $"
)


def use_other_words(sentence: str, rng: random.Random) -> str | None:
    """A word replaced by one that says the same."""
    found = choose_match(_SAME_WORD, sentence, rng)
    return replace_match(sentence, found, rng.choice(_SAME_FOLDED[found.group().casefold()])) if found else None


def drop_brackets(sentence: str, _rng: random.Random) -> str | None:
    """What stood in brackets, left out."""
    out = _BRACKETS.sub("", sentence)
    return out if out != sentence and len(out.split()) > 3 else None


def drop_opening(sentence: str, _rng: random.Random) -> str | None:
    """An opening circumstance, left out."""
    out = _OPENING.sub("", sentence)
    return out[:1].upper() + out[1:] if out != sentence and len(out.split()) > 3 else None


def drop_tail(sentence: str, rng: random.Random) -> str | None:
    """What follows a comma and a relative or contrasting word, left out."""
    found = choose_match(_TAIL, sentence, rng)
    if found is None or len(sentence[: found.start()].split()) < 5:
        return None
    return sentence[: found.start()].rstrip(",; ") + "."


def round_count(sentence: str, rng: random.Random) -> str | None:
    """A count given as a bound or a round figure that it meets."""
    found = choose_match(_COUNT, sentence, rng)
    if found is None or _BOUND.search(sentence[: found.start()]):
        return None
    value = int(found.group().replace(",", ""))
    unit = 10 ** (len(str(value)) - 1)
    low = value // unit * unit
    spelled = f"{low:,}" if value != low and rng.random() < 0.6 else f"{low + unit:,}"
    bound = "more than" if spelled == f"{low:,}" else "fewer than"
    return replace_match(sentence, found, f"{bound} {spelled}")


_CHANGES = (use_other_words, drop_brackets, drop_opening, drop_tail, round_count)


def paraphrase(sentence: str, rng: random.Random, times: int = 2) -> str:
    """Up to `times` true changes; the sentence itself where none fits."""
    out = sentence
    for change in rng.sample(_CHANGES, len(_CHANGES))[: times + 1]:
        out = change(out, rng) or out
    return out
