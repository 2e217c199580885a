"""Sentences that speak to an evaluator: told by several cues that stand together and that no ordinary text combines."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from assay.domain.span import Span
from assay.text.injection_cues import compile_cue
from assay.text.injection_patterns import Family
from assay.text.injection_words import HINTS, WORDS
from assay.text.normal import Normal

_SIGNS = ".,;:!?\"'()[]{}<>*#|_=`~-"
_JOINTS = re.compile(r"[:=<>](?=\S)")
# The class comes first, so that texts are searched for it alone; a run of signs is read once, from its first.
_BREAK = re.compile(r"[.!?;。！？।](?:(?<=[。！？।])|(?<=[.!?;])(?<![.!?;][.!?;])[.!?;]*+[\"')\]]*+(?= |$))")
_CELL_BREAK = re.compile(r"(?<=\|) (?=\|)")
_LONGEST = 700


@dataclass(frozen=True, slots=True)
class Rule:
    """All of `cues` and none of `bars`. A cue may name two or more by `|`, of which one is enough."""

    family: Family
    cues: tuple[str, ...]
    bars: tuple[str, ...] = ("report", "opinion", "classroom")


_PROSE = ("report", "opinion", "classroom", "past")
_MARKED = "top|maximum"
RULES: tuple[Rule, ...] = (
    Rule("marks", ("top", "order")),
    Rule("marks", ("maximum", "order", "self|metric|judge|vocative|the_text|scale|ended")),
    Rule("marks", ("maximum", "metric", "you|self|order|approved|scale"), _PROSE),
    Rule("marks", (_MARKED, "self"), _PROSE),
    Rule("marks", ("give_number", "self|the_text"), _PROSE),
    Rule("marks", ("give_me", "you|bribe|order"), _PROSE),
    Rule("marks", ("below",), _PROSE),
    Rule("marks", ("bribe", f"{_MARKED}|self|judge|vocative|give_number"), _PROSE),
    Rule("marks", ("label_good", "order|claims"), (*_PROSE, "described")),
    Rule("marks", ("claims", "supported_word", "grade|order|concludes|key"), (*_PROSE, "described")),
    Rule("marks", ("rate_perfect", "order"), _PROSE),
    Rule("marks", ("only_with", "you|judge|vocative|claims|order"), _PROSE),
    Rule("marks", ("as_support", "order"), (*_PROSE, "described")),
    Rule("verdict", ("concludes", _MARKED), _PROSE),
    Rule("authority", ("key", f"supported_word|{_MARKED}|self|claims"), (*_PROSE, "described")),
    Rule("authority", ("self", "certified"), _PROSE),
    Rule("role", ("lenient",), ("report", "opinion")),
    Rule("evidence", ("trust_text",), _PROSE),
    Rule("evidence", ("the_text", "self_good", "justifies"), _PROSE),
    Rule("authority", ("strong_vocative",), ("opinion",)),
    Rule("marks", ("others_said", f"{_MARKED}|supported_word"), ("report", "opinion", "classroom")),
    Rule("praise", ("thanks", f"self|{_MARKED}"), ("opinion", "classroom")),
    Rule("criteria", ("new", "points_for|counts_toward"), _PROSE),
    Rule("criteria", ("drop", "sources", "self|the_text"), _PROSE),
    Rule("marks", (_MARKED, "judge|vocative", "deontic|order|self|metric|you"), _PROSE),
    Rule("marks", (_MARKED, "you", "judge|vocative|praise|metric"), _PROSE),
    Rule("marks", ("call_good", "claims|self", "order|deontic|receive"), _PROSE),
    Rule("marks", ("order", "claims", "supported_word"), _PROSE),
    Rule("marks", ("answer_number", "metric|you|self|judge|ended|void|claims|the_text")),
    Rule("marks", ("grade_is",), _PROSE),
    Rule("marks", ("deduct", "judge|vocative|self|order|top_words"), _PROSE),
    Rule("marks", ("uncheck", "judge|vocative|self|call_good|top_words|claims"), _PROSE),
    Rule("marks", ("faultless", "self|judge|vocative|the_text"), _PROSE),
    Rule("authority", ("official", f"{_MARKED}|call_good|uncheck|deduct|answer_number"), _PROSE),
    Rule("authority", ("official", "grade|metric", "self|claims", "deontic|number|good|approved"), _PROSE),
    Rule("authority", ("official|vocative", "judge|vocative", "grade|claims|self|sources|approved"), _PROSE),
    Rule("authority", ("commands", "grade|self|claims|good|order|new"), _PROSE),
    Rule("criteria", ("drop", "told", "self|grade|order|the_text|sources")),
    Rule("criteria", ("drop", "rules", "self|grade|order|the_text"), ("report", "opinion", "classroom", "condition")),
    Rule("criteria", ("void", "rules|scale", "you|self|order|number"), _PROSE),
    Rule("criteria", ("new", "scale", f"{_MARKED}|call_good|meets|claims|answer_number"), _PROSE),
    Rule("criteria", ("redefined",), _PROSE),
    Rule("completion", ("ended", f"{_MARKED}|answer_number|grade|call_good"), _PROSE),
    Rule("role", ("speaker", f"{_MARKED}|call_good|grade_is|answer_number|agreed"), ("opinion",)),
    Rule("role", ("speaker_judge", "supported"), ("opinion",)),
    Rule("role", ("conversation", f"{_MARKED}|grade|call_good|answer_number"), ("opinion",)),
    Rule("role", ("asks_view", "self|metric"), ("opinion",)),
    Rule("evidence", ("this_source", "backs", "claims|self|the_text|text_claims"), _PROSE),
    Rule("evidence", ("text_claims", "backs"), _PROSE),
    Rule("evidence", ("the_text", "backs", "claims|whole"), _PROSE),
    Rule("evidence", ("whole", "backs"), _PROSE),
    Rule("evidence", ("confirms_text",), _PROSE),
    Rule("evidence", ("self", "self_good"), _PROSE),
    Rule("evidence", ("quote_use", "claims|text_claims|self|the_text|good"), _PROSE),
    Rule("evidence", ("summarised", "any"), _PROSE),
    Rule("evidence", ("posing", "self|the_text|text_claims|claims"), _PROSE),
    Rule("praise", ("flawless", "self|the_text"), _PROSE),
    Rule("praise", ("praise", "you", "judge|brilliant_judge"), _PROSE),
)


@cache
def _gates() -> tuple[tuple[frozenset[str], ...], ...]:
    """For each rule the sets of words of which a sentence must hold one each."""
    gates = []
    for rule in RULES:
        names = [cue.split("|") for cue in rule.cues]
        sets = [
            frozenset().union(*(WORDS[name] for name in each)) for each in names if all(name in WORDS for name in each)
        ]
        gates.append(tuple(sets))
    return tuple(gates)


@dataclass(frozen=True, slots=True)
class Openings:
    """A bit for every gate: those that a word opens, those that a part of a word opens, and those that a rule needs."""

    by_word: Mapping[str, int]
    by_part: Mapping[str, int]
    needed: tuple[int, ...]
    count: int


@cache
def openings() -> Openings:
    """Besides its gates a rule needs a part of a word for each cue that has no list of words, and is hinted at."""
    by_word: dict[str, int] = {}
    by_part: dict[str, int] = {}
    needed = []
    count = 0
    for rule, gates in zip(RULES, _gates(), strict=True):
        hints = [HINTS[cue] for cue in rule.cues if cue in HINTS]
        needed.append(((1 << len(gates) + len(hints)) - 1) << count)
        for opened, gate in (*((by_word, gate) for gate in gates), *((by_part, hint) for hint in hints)):
            for each in gate:
                opened[each] = opened.get(each, 0) | 1 << count
            count += 1
    return Openings(by_word, by_part, tuple(needed), count)


def open_rules(bits: int) -> tuple[int, ...]:
    """The rules whose gates are all open."""
    closed = ~bits
    return tuple(position for position, needed in enumerate(openings().needed) if not closed & needed)


def split_words(text: str) -> Iterator[str]:
    """The words by which gates are opened, without the signs around them."""
    return (word.strip(_SIGNS) for word in _JOINTS.sub(" ", text).split())


def find_sentences(
    text: str, normal: Normal, rules: Sequence[int], words: AbstractSet[str]
) -> Iterator[tuple[Span, Family]]:
    """Each sentence that meets one of the open rules, by its place in the original text; by `words` gates are open.

    A rule is tried only on sentences that hold a word of each kind that it needs.
    """
    if not rules:
        return
    starts = _cut(text, normal)
    tried: dict[int, list[int]] = {}
    for position, place in _find_candidates(normal.text, starts, rules, words):
        tried.setdefault(place, []).append(position)
    for place in sorted(tried):
        start, end = starts[place - 1], starts[place] if place < len(starts) else len(normal.text)
        sentence = normal.text[start:end]
        if len(sentence) <= _LONGEST and (family := _match(sentence.strip(), tried[place])) is not None:
            yield normal.span(start + len(sentence) - len(sentence.lstrip()), end), family


def _find_candidates(
    text: str, starts: Sequence[int], rules: Sequence[int], words: AbstractSet[str]
) -> Iterator[tuple[int, int]]:
    """Each rule with each sentence that it is worth trying on; a word or a gate is looked for once, and if need be."""
    by_word: dict[str, set[int]] = {}
    by_gate: dict[frozenset[str], set[int]] = {}
    for position in rules:
        places: set[int] | None = None
        for gate in _gates()[position]:
            if gate not in by_gate:
                for word in words & gate:
                    if word not in by_word:
                        by_word[word] = _place(text, word, starts)
                by_gate[gate] = set().union(*(by_word[word] for word in words & gate))
            places = by_gate[gate] if places is None else places & by_gate[gate]
            if not places:
                break
        yield from ((position, place) for place in places or ())


def _place(text: str, word: str, starts: Sequence[int]) -> set[int]:
    """The sentences that hold the word as one of its own."""
    size = len(word)
    return {
        bisect_right(starts, at)
        for at in find_all(text, word)
        if not (text[at - 1 : at].isalnum() or text[at + size : at + size + 1].isalnum())
    }


def find_all(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def _match(sentence: str, positions: Sequence[int]) -> Family | None:
    known: dict[str, bool] = {}

    def has(name: str) -> bool:
        if name not in known:
            known[name] = compile_cue(name).search(sentence) is not None
        return known[name]

    for position in positions:
        rule = RULES[position]
        if all(any(has(name) for name in cue.split("|")) for cue in rule.cues) and not any(map(has, rule.bars)):
            return rule.family
    return None


def cut_sentences(text: str, normal: Normal) -> Iterator[tuple[int, int]]:
    """Sentences and lines that are short enough for one."""
    starts = _cut(text, normal)
    return ((start, end) for start, end in pairwise([*starts, len(normal.text)]) if 0 < end - start <= _LONGEST)


def _cut(text: str, normal: Normal) -> list[int]:
    """Where sentences and lines of the normalised text begin; its lines are those of the original."""
    starts = {0, *(match.end() for match in _BREAK.finditer(normal.text))}
    if "| |" in normal.text:
        starts.update(match.end() for match in _CELL_BREAK.finditer(normal.text))
    breaks = find_all(text, "\n")
    # Where each character stands for itself, so does a line break.
    starts.update(breaks if isinstance(normal.starts, range) else (bisect_left(normal.starts, at) for at in breaks))
    return sorted(starts)
