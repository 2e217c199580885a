"""What an endpoint will not take, learned from its own rejections."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

# A parameter, and the words of a rejection that are about it. The order settles a text that names several.
_WORDS: Mapping[str, re.Pattern[str]] = {
    "max_tokens": re.compile(
        r"max_completion_tokens|(?:unsupported|unknown|unrecognized|unexpected)[^.]{0,60}max_tokens"
        r"|max_tokens.{0,20}(?:not supported|not permitted|deprecated)",
        re.IGNORECASE,
    ),
    "temperature": re.compile(r"temperature", re.IGNORECASE),
    "tool": re.compile(r"\btools?\b|tool_choice|input_schema|schema", re.IGNORECASE),
    "output_config": re.compile(r"output_config|output_format|structured output|schema", re.IGNORECASE),
    "json_schema": re.compile(r"response[_ ]format|structured output|schema|grammar", re.IGNORECASE),
    "json_object": re.compile(r"response[_ ]format|json_object|json mode|grammar", re.IGNORECASE),
}


@dataclass(slots=True)
class Lessons:
    """Only ever grows. Concurrent first calls may each learn the same lesson; none can learn it twice over."""

    refused: set[str] = field(default_factory=set)

    def takes(self, parameter: str) -> bool:
        return parameter not in self.refused

    def refused_of(self, *wanted: str) -> tuple[str, ...]:
        return tuple(parameter for parameter in wanted if parameter in self.refused)

    def first_taken(self, *ladder: str) -> str | None:
        """The best rung the endpoint has not refused, or None when all that is left is to ask in plain words."""
        return next((rung for rung in ladder if self.takes(rung)), None)

    def learn(self, rejection: str, sent: Collection[str]) -> bool:
        """Whether asking again is worth it: the rejection is about a parameter that this request really carried.

        A parameter once learned is never sent again, so a call asks at most once more per parameter.
        """
        for parameter, words in _WORDS.items():
            if parameter in sent and words.search(rejection):
                self.refused.add(parameter)
                return True
        return False
