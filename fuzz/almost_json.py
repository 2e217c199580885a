"""Replies as models write them: JSON with familiar keys, and with the faults that replies have."""

import json
from collections.abc import Sequence

from fuzz.choices import Choices

KEYS = (
    "claims", "unit", "label", "evidence", "quote", "sentence", "grade", "reason", "key_points", "questions", "items",
    "sections", "relevant_sources", "most_consequential", "tone", "issues_found", "bias_score", "determination",
    "metric", "coverage", "hallucination", "overall_score", "claims_checked", "extraneous", "text", "error",
    "accuracy", "clarity", "hallucination_evaluation", "summary_quality_evaluation", "questions_and_answers",
    "text_url", "is_answered", "score", "answer_relevancy_evaluation", "relevant_search_result_urls",
    "relevancy_score", "language_correction", "severity", "hallucination_reasoning", "c1", "c2", "k1", "p1", "q1",
    "i1", "level", "note", "sentences", "explanation", "qualifier",
)  # fmt: skip
WORDS = (
    "supported", "absent", "contradicted", "partial", "undecided", "no_fact", "Fully", "Partially", "Not", "High",
    "Some", "None", "covered", "missing", "answered", "minor", "significant", "neutral", "yes", "no", "c1", "c2",
    "[c1]", "1", "k1", "S1.1", "S1", "s1", "5", "4/5", "0.5", "80%", "four out of five", "-1", "99", "4.5", "3-4",
    "Likely Eligible", "",
)  # fmt: skip
BARE = (
    "true",
    "false",
    "null",
    "None",
    "NaN",
    "1e999",
    "-0",
    "5",
    "0",
    "3",
    "1.0",
    "07",
    "+2",
    ".5",
    "supported",
    "9" * 40,
)
OPENINGS = ("", "```json\n", "Here is my judgement:\n", "<think>\n{}\n</think>", "\ufeff", "{", "[1] ", "</think>")
CLOSINGS = ("", "\n```", "}", "]", "\nI hope this helps.", ",", '"', "\n{}")
_DEEPEST = 5


def write_reply(choices: Choices, keys: Sequence[str] = KEYS, words: Sequence[str] = WORDS) -> str:
    """A value in its wrapping, cut short where the next decision says so."""
    text = choices.pick(OPENINGS) + _write_value(choices, keys, words, 0) + choices.pick(CLOSINGS)
    cut = choices.number(8)
    return text[: choices.number(256) * len(text) // 256] if cut == 7 else text


def _write_value(choices: Choices, keys: Sequence[str], words: Sequence[str], depth: int) -> str:
    # The first option ends the value, so that the text ends where the bytes do.
    kind = choices.number(8) if depth else 4 + choices.number(4)
    if depth >= _DEEPEST or kind < 2:
        return _quoted(choices, choices.pick(words))
    if kind == 2:
        return choices.pick(BARE)
    if kind == 3:
        return _quoted(choices, choices.text()[:200])
    comma = choices.pick((", ", ",", ",\n", " ", ",,", "\n", "，", ",}"))
    if kind < 6:
        members = (
            _quoted(choices, choices.pick(keys)) + choices.pick((": ", ":", "：", " "))
            + _write_value(choices, keys, words, depth + 1)
            for _ in range(choices.number(5))
        )  # fmt: skip
        return "{" + comma.join(members) + choices.pick(("}", "}", "}", "}", "", "]", ",}", "// end\n}"))
    elements = (_write_value(choices, keys, words, depth + 1) for _ in range(choices.number(5)))
    return "[" + comma.join(elements) + choices.pick(("]", "]", "]", "]", "", "}", ",]", "…"))


def _quoted(choices: Choices, text: str) -> str:
    kind = choices.number(8)
    if kind < 4:
        return json.dumps(text)
    opener, closer = (('"', '"'), ("'", "'"), ("“", "”"), ("", ""))[kind - 4]
    return f"{opener}{text}{closer}"
