"""The turns of a conversation: the assistant's answers joined into one output, and where each stands in it.

A line such as "Turn 4 (assistant):" stands above each answer. It is found again by its form alone, so the answers can't
hold one themselves.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.domain.record import Source
from assay.domain.span import Span
from assay.domain.units import Unit

ASSISTANT = "assistant"
_HEAD = re.compile(rf"^Turn (\d+) \({ASSISTANT}\):\n\n", re.MULTILINE)
_NUMBER = re.compile(r"turn (\d+)", re.IGNORECASE)
_LIKE_A_HEAD = re.compile(r"\b(turn\W{0,3}\d{1,9}\W{0,3})\(", re.IGNORECASE)


class Turn(NamedTuple):
    """The answer of the assistant that is message `number` of the conversation, from 1."""

    number: int
    span: Span

    @property
    def name(self) -> str:
        return f"turn {self.number}"


def name_turn(number: int, role: str, name: str = "") -> str:
    return f"Turn {number} ({f'{role} {name}'.strip()})"


def join_answers(answers: Sequence[tuple[int, str]]) -> str:
    """The answers that say something, each under its head. What looks like a head in them loses its parenthesis."""
    told = ((number, _LIKE_A_HEAD.sub(r"\1[", text.strip())) for number, text in answers)
    return "\n\n".join(f"{name_turn(number, ASSISTANT)}:\n\n{text}" for number, text in told if text)


def find_turns(output: str) -> tuple[Turn, ...]:
    heads = list(_HEAD.finditer(output))
    ends = [head.start() for head in heads[1:]] + [len(output)]
    return tuple(
        Turn(int(head[1]), Span(head.end(), head.end() + len(output[head.end() : end].rstrip())))
        for head, end in zip(heads, ends, strict=True)
    )


def list_earlier(claim: Unit, sources: Sequence[Source], conversation: str) -> tuple[str, ...]:
    """The sources that a claim may rest on: of the input `conversation`, only turns before its own, if it names one."""
    if (turn := _NUMBER.fullmatch(claim.context)) is None:
        return ()
    numbers = {each.id: _NUMBER.match(each.title or "") for each in sources if each.input == conversation}
    later = {name for name, number in numbers.items() if number is not None and int(number[1]) > int(turn[1])}
    return tuple(each.id for each in sources if each.id not in later) or ("",)


def list_turns(turns: Sequence[Turn], output: str) -> Iterator[Unit]:
    """Each answer as a unit, under the number of its turn."""
    for turn in turns:
        unit = Unit("", "turn", turn.span.of(output), turn.span, context=turn.name)
        yield unit.numbered(turn.number)
