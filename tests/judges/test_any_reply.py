"""Whatever a model writes, the walk ends in lawful outcomes and never in an exception."""

import asyncio
import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judges.prompted.judge import PromptedJudge
from assay.models.chat import Call, Completion
from assay.packs import find_hooks
from assay.runner.banks import BankCache
from assay.runner.walk import Walk
from equipment.chat_server.exchange import build_instance
from foreign.harness import RECORDS, REPLIES, assert_lawful, record_of, rubric_of
from foreign.test_article_audit_replies import reply as audit_reply
from foreign.test_scored_explanation_replies import ITEMS, comparison
from foreign.test_search_summary_replies import reply as search_reply
from foreign.test_trial_eligibility_replies import reply as trial_reply

WHOLE = {
    "article-audit": audit_reply(),
    "search-summary": search_reply(),
    "comparison-faithfulness": comparison(ITEMS[:1]),
    "trial-eligibility": trial_reply(),
    "opinion-relevance": (REPLIES / "s4-two-needless-details.txt").read_text(encoding="utf-8"),
}
WORDS = [
    "supported", "absent", "contradicted", "undecided", "Fully", "Not", "High", "None", "true", "false", "null",
    "5", "0", "-1", "99", "4.5", "NaN", "1e999", '"', "{", "}", "[", "]", ",", ":", "<score>", "</score>", "S1.1", "c1", "\\",
]  # fmt: skip
SETTINGS = settings(max_examples=40, deadline=None, derandomize=True)


class Scribe:
    """A chat that writes what it is given: a text, or a reply that its schema allows, spoilt."""

    name = "scribe"
    context_tokens = None
    reasons = False
    shares_schema = False

    def __init__(self, text: str | None, spoil, finish_reason: str) -> None:
        self._text = text
        self._spoil = spoil
        self._finish_reason = finish_reason

    async def complete(self, call: Call) -> Completion:
        text = self._text
        if text is None:
            chance = random.Random(call.key.ask)
            text = json.dumps(build_instance(call.schema, chance)) if call.schema else "yes"
        return Completion(self._spoil(text), self._finish_reason, None, self.name)

    def accept(self, key) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


@st.composite
def spoilings(draw):
    """A change to a text: a piece taken out, the end cut off, a piece put in, or a word put in another's place."""
    places, sizes = st.floats(0, 1), st.floats(0, 0.3)
    steps = draw(st.lists(st.tuples(st.sampled_from("dtis"), places, sizes, st.sampled_from(WORDS)), max_size=3))

    def spoil(text: str) -> str:
        for kind, place, size, word in steps:
            start = int(place * len(text))
            end = start + int(size * len(text))
            if kind == "d":
                text = text[:start] + text[end:]
            elif kind == "t":
                text = text[:start]
            elif kind == "i":
                text = text[:start] + word + text[start:]
            else:
                pieces = text.split(" ")
                pieces[start % len(pieces)] = word
                text = " ".join(pieces)
        return text

    return spoil


class Teller(PromptedJudge):
    """Answers every record by a whole reply."""

    def answers_whole(self, record, rubric):  # noqa: ARG002  # the port's arguments
        return True


def judge(name, text, mode, *, spoil=str, finish_reason="stop"):
    """Without a text the reply is a valid one, before it is spoilt."""

    async def run():
        chat = Scribe(WHOLE[name] if mode == "whole" and text is None else text, spoil, finish_reason)
        teller = Teller(chat) if mode == "whole" else PromptedJudge(chat, joint=mode == "joint")
        walk = Walk(rubric_of(name), teller, BankCache(), hooks=find_hooks(rubric_of(name)))
        assert_lawful(await walk.judge_record(record_of(name)))
        await walk.banks.close()

    asyncio.run(run())


MODES = st.sampled_from(["apart", "joint", "whole"])
NAMES = st.sampled_from(sorted(RECORDS))
FINISHES = st.sampled_from(["stop", "length", "refusal", "other"])


@SETTINGS
@given(name=NAMES, mode=MODES, text=st.text(max_size=200), finish_reason=FINISHES)
def test_any_text_at_all_ends_in_lawful_outcomes(name, mode, text, finish_reason):
    judge(name, text, mode, finish_reason=finish_reason)


@SETTINGS
@given(name=NAMES, mode=MODES, spoil=spoilings(), finish_reason=FINISHES)
def test_a_valid_reply_that_was_spoilt_ends_in_lawful_outcomes(name, mode, spoil, finish_reason):
    judge(name, None, mode, spoil=spoil, finish_reason=finish_reason)


@SETTINGS
@given(name=NAMES, mode=MODES, pieces=st.lists(st.sampled_from(WORDS), max_size=30))
def test_a_heap_of_words_from_replies_ends_in_lawful_outcomes(name, mode, pieces):
    judge(name, " ".join(pieces), mode)


KEYS = st.sampled_from(
    [
        "claims", "unit", "label", "evidence", "quote", "sentence", "grade", "reason", "key_points", "questions", "items",
        "sections", "relevant_sources", "most_consequential", "tone", "issues_found", "bias_score", "determination",
        "metric", "coverage", "hallucination", "overall_score", "claims_checked", "extraneous", "text", "error",
        "hallucination_evaluation", "summary_quality_evaluation", "questions_and_answers", "text_url", "is_answered",
        "answer_relevancy_evaluation", "relevant_search_result_urls", "relevancy_score", "accuracy", "clarity",
    ]
)  # fmt: skip
JSONS = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@SETTINGS
@given(name=NAMES, mode=MODES, value=st.dictionaries(KEYS, JSONS, max_size=6))
def test_any_object_with_familiar_keys_ends_in_lawful_outcomes(name, mode, value):
    judge(name, json.dumps(value), mode)
