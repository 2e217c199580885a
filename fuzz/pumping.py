"""Attacks on one regular expression: a repeated piece that fits its repetitions, and an end that fits nothing.

python -m fuzz.pumping    tries every pattern of the package, and writes what it found to bench/results/patterns.md
"""

import importlib
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import inf, isinf
from time import process_time
from types import FrameType
from typing import Any

from fuzz.run import give_way
from fuzz.uses import Use

_parser: Any = importlib.import_module("re._parser")
_SIZE = 3000
_GROWTH = 4
# Below this a text of 3,000 characters has cost no square of its length, whatever the machine is doing.
_IDLE_SECONDS = 0.012
# Four times the text may cost four times the steps, with room for a busy machine; a square costs sixteen times.
_MOST_GROWTH = 9.0
_LIMIT_SECONDS = 1.0
_MOST_ATTACKS = 60
_ENDS = ("\x00", "")


@dataclass(frozen=True, slots=True)
class Suspect:
    """`way` is how the pattern was used; `growth` what four times the text cost, infinite where it did not end.

    Where the pattern only ever sees short texts there is no growth to measure: it cost too much on the longest of them.
    """

    way: str
    opening: str
    piece: str
    seconds: float
    growth: float | None


class _TookTooLong(BaseException):
    """Not an Exception, so that nothing on the way can swallow it."""


def pump(pattern: re.Pattern[str], use: Use, most: int = _MOST_ATTACKS) -> Suspect | None:
    """The first attack that makes the pattern cost more than in proportion to the text."""
    for opening, piece in islice(attacks(pattern), most):
        for way in use.ways:
            for end in _ENDS:
                suspect = _try(pattern, way, (opening, piece, end), use.most)
                if suspect is not None:
                    return suspect
    return None


def _try(pattern: re.Pattern[str], way: str, attack: tuple[str, str, str], longest: int | None) -> Suspect | None:
    size = _SIZE if longest is None else min(_SIZE, longest)
    first = _cost(pattern, way, attack, size)
    if first < _IDLE_SECONDS:
        return None
    if isinf(first):
        return Suspect(way, attack[0], attack[1], _LIMIT_SECONDS, inf)
    # The least of three, since a pause of the machine is no step of the pattern.
    first = min(first, *(_cost(pattern, way, attack, size) for _ in range(2)))
    if first < _IDLE_SECONDS:
        return None
    if longest is not None:
        return Suspect(way, attack[0], attack[1], first, None)
    growth = _cost(pattern, way, attack, _SIZE * _GROWTH) / first
    if growth > _MOST_GROWTH:
        growth = min(growth, _cost(pattern, way, attack, _SIZE * _GROWTH) / first)
    return Suspect(way, attack[0], attack[1], first, growth) if growth > _MOST_GROWTH else None


def _cost(pattern: re.Pattern[str], way: str, attack: tuple[str, str, str], size: int) -> float:
    opening, piece, end = attack
    text = opening + piece * (size // len(piece)) + end
    began = process_time()
    previous = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, _LIMIT_SECONDS)
    try:
        if way == "search":
            # As finditer, sub and split do: search on after every match.
            for _ in pattern.finditer(text):
                pass
        else:
            getattr(pattern, way)(text)
    except _TookTooLong:
        return inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
    return process_time() - began


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise _TookTooLong


def attacks(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Openings and pieces: for each repetition what leads to it and what it repeats, then all of it over and over."""
    tree = _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if pattern.flags & re.ASCII else pattern.flags)
    seen: dict[tuple[str, str], None] = {}
    for opening, body in _repetitions(tree, ""):
        for piece in body:
            for attack in ((opening, piece), ("", opening + piece)):
                if attack[1] and attack not in seen:
                    seen[attack] = None
                    yield attack
    for piece in (*_samples(tree), " ", "\n", "a", "1", "a ", "1 ", "\t "):
        if piece and ("", piece) not in seen:
            seen["", piece] = None
            yield "", piece


def _repetitions(tree: Any, before: str) -> Iterator[tuple[str, list[str]]]:
    opening = before
    for node in tree:
        name, argument = str(node[0]), node[1]
        if name.endswith("REPEAT"):
            if int(argument[1]) > 3:
                yield opening, _samples(argument[2])
            yield from _repetitions(argument[2], opening)
        elif name == "SUBPATTERN":
            yield from _repetitions(argument[-1], opening)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _repetitions(branch, opening)
        elif name in {"ASSERT", "ASSERT_NOT"}:
            yield from _repetitions(argument[1], opening)
        elif name == "ATOMIC_GROUP":
            yield from _repetitions(argument, opening)
        opening += next(iter(_samples([node])), "")


def _samples(tree: Any) -> list[str]:
    """A few texts that fit: other characters for the sets of each, and each branch once."""
    texts = [""]
    for node in tree:
        pieces = _pieces(str(node[0]), node[1])
        texts = [text + pieces[at % len(pieces)] for at, text in enumerate(_spread(texts, len(pieces)))][:6]
    return list(dict.fromkeys(texts))


def _spread(texts: list[str], width: int) -> list[str]:
    return [texts[at % len(texts)] for at in range(max(len(texts), min(width, 6)))]


def _pieces(name: str, argument: Any) -> list[str]:
    if name == "LITERAL":
        return [chr(argument)]
    if name in {"NOT_LITERAL", "ANY"}:
        return ["a", " "]
    if name == "IN":
        return _members(argument)
    if name.endswith("REPEAT"):
        return _samples(argument[2]) if int(argument[1]) else [""]
    if name == "SUBPATTERN":
        return _samples(argument[-1])
    if name == "ATOMIC_GROUP":
        return _samples(argument)
    if name == "BRANCH":
        return [sample for branch in argument[1] for sample in _samples(branch)[:1]] or [""]
    return [""]


_OF_CATEGORY = {"DIGIT": "1", "SPACE": " ", "WORD": "a", "NOT_DIGIT": "a", "NOT_SPACE": "a", "NOT_WORD": "-"}


def _members(items: Any) -> list[str]:
    """A letter, a digit, a space and a mark where the set has them, and its own first members."""
    negated = str(items[0][0]) == "NEGATE"
    own: list[str] = []
    for kind, value in items:
        if str(kind) == "LITERAL":
            own.append(chr(value))
        elif str(kind) == "RANGE":
            own.append(chr(value[0]))
        elif str(kind) == "CATEGORY":
            own.append(_OF_CATEGORY[str(value).removeprefix("CATEGORY_").removeprefix("UNI_")])
    if negated:
        return [each for each in "a 1-\n" if each not in own][:3] or ["\u4e00"]
    return list(dict.fromkeys([*own[:2], *own[-1:]]))


def main() -> None:
    from fuzz.pattern_report import RESULTS, scan

    give_way()
    RESULTS.write_text(scan(), encoding="utf-8")


if __name__ == "__main__":
    main()
