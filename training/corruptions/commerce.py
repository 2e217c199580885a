"""Prices and ratings changed to others a shop could show."""

import random
import re
from collections.abc import Sequence

from training.corruptions.rule import choose_match

_PRICE = re.compile(r"(?P<sign>[$€£] ?)(?P<amount>\d{1,3}(?:,\d{3})+(?:\.\d\d)?|\d+(?:\.\d\d)?)(?![\d,]|\.\d)")
_RATING = re.compile(r"(?<![\d.–-])(?P<stars>[1-5](?:\.\d)?)(?P<rest> out of 5| stars?|/5|-star)(?!\d|\.\d)")
_CENT = 0.005


def change_price(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Dearer or cheaper, ten times as much, or in another currency."""
    found = choose_match(_PRICE, sentence, rng)
    if found is None:
        return None
    sign, spelled = found.group("sign"), found.group("amount")
    old = float(spelled.replace(",", ""))
    if rng.random() < 0.15:
        sign = rng.choice([other for other in "$€£" if other != sign.strip()])
        return sentence[: found.start()] + sign + spelled + sentence[found.end() :]
    new = old * 10 if rng.random() < 0.15 else max(1.0, old + rng.choice((-1, 1)) * rng.choice((1, 5, 10, 20, 50, 100)))
    if abs(new - old) < _CENT:
        new = old + 10
    decimals = 2 if "." in spelled else 0
    separator = "," if new >= 1000 else ""
    return f"{sentence[: found.start()]}{sign}{new:{separator}.{decimals}f}{sentence[found.end() :]}"


def change_rating(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """Other stars, in the same spelling."""
    found = choose_match(_RATING, sentence, rng)
    if found is None:
        return None
    spelled = found.group("stars")
    step = 0.1 if "." in spelled else 1.0
    grid = [1 + step * place for place in range(round(4 / step) + 1)]
    options = [f"{value:.1f}" if "." in spelled else f"{value:.0f}" for value in grid]
    new = rng.choice([option for option in options if option != spelled])
    return sentence[: found.start("stars")] + new + sentence[found.end("stars") :]
