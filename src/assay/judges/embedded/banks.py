"""Writes banks without a language model: key points and items are sentences of the sources, questions ask for them."""

import re
from collections.abc import Sequence
from typing import Final

from assay.domain.ask import BankAsk, Written
from assay.judges.embedded.salience import choose_salient
from assay.text.keywords import jaccard, keywords
from assay.units.passages import Passage, Passages

_WORDS_PER_UNIT: Final = 60
_SAME_POINT: Final = 0.34
_LEADING: Final = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")


def write_bank(ask: BankAsk, passages: Passages, language: str) -> tuple[Written, ...]:
    if ask.bank.unit == "item":
        return _write_items(ask, passages, language)
    words = sum(len(source.text.split()) for source in ask.sources)
    most = max(ask.bank.least, min(ask.bank.most, 2 + words // _WORDS_PER_UNIT))
    chosen = choose_salient(passages.all, most, language)
    if ask.bank.unit == "question":
        return tuple(Written(ask_about(passage.text), (passage.id,)) for passage in chosen)
    return tuple(Written(_bare(passage.text), (passage.id,)) for passage in chosen)


def ask_about(fact: str) -> str:
    """A question that holds its own answer, so that it can be told whether an output gives it."""
    return f"Does it say that: {_bare(fact)}?"


def answer_of(question: str) -> str:
    return question.removeprefix("Does it say that: ").removesuffix("?")


def _write_items(ask: BankAsk, passages: Passages, language: str) -> tuple[Written, ...]:
    """What several sources say alike, and what stands in an input that decides alone."""
    deciding = {source.id for source in ask.sources if source.input in ask.bank.stated_in}
    voices = {source.id for source in ask.sources if source.input == ask.bank.discussed_in}
    stems = {passage.id: keywords(passage.text, language) for passage in passages.all}
    groups: list[list[Passage]] = []
    for passage in passages.all:
        if passage.source not in voices or len(stems[passage.id]) < 2:
            continue
        twin = next((group for group in groups if _is_alike(stems[passage.id], stems[group[0].id])), None)
        if twin is None:
            groups.append([passage])
        else:
            twin.append(passage)
    raised = [group for group in groups if len({passage.source for passage in group}) >= ask.bank.discussed_times]
    raised.sort(key=lambda group: -len({passage.source for passage in group}))
    stated = [[passage] for passage in passages.all if passage.source in deciding]
    return tuple(
        Written(_bare(_shortest(group).text), tuple(passage.id for passage in group))
        for group in [*stated, *raised][: ask.bank.most]
    )


def _is_alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return float(jaccard(first, second) or 0) >= _SAME_POINT


def _shortest(group: Sequence[Passage]) -> Passage:
    return min(group, key=lambda passage: len(passage.text))


def _bare(text: str) -> str:
    return _LEADING.sub("", " ".join(text.split())).rstrip()
