"""Sources that do not fit a model's context are judged on windows, visibly, or not at all."""

import asyncio
import json

import pytest

from assay.errors import TooLong
from assay.judges.prompted.judge import PromptedJudge
from assay.judges.prompted.material import choose_windows
from assay.models.chat import Call, Completion
from assay.models.recording import Recorder, Recording
from assay.runner.banks import BankCache
from assay.runner.planning import cut_record
from assay.runner.walk import Walk
from equipment.chat_server.exchange import list_units
from foreign.harness import record_of, rubric_of

NAME = "article-audit"
FILLER = [
    f"Paragraph {number} speaks of ferries, harbours and the price of fish in port {number}." for number in range(400)
]
NEEDLE = "The wing of the museum cost 3 million euros."
ARTICLE = " ".join([*FILLER[:200], NEEDLE, *FILLER[200:]])
SUMMARY = "The wing of the museum cost 3 million euros."
# Every fortieth sentence of the article is about it, so that there is much to choose from and little room.
TARN = "The ferry to Tarn leaves at dawn, and whoever misses it walks round the lake, past the old mill and the ruined chapel."
MUCH_ABOUT_TARN = " ".join(TARN if number % 40 == 0 else each for number, each in enumerate(FILLER))


class Narrow:
    """A chat that takes prompts up to a size, and supports every claim with the needle if it can see it."""

    name = "narrow"

    def __init__(self, most_characters: int, context_tokens: int | None = None) -> None:
        self.context_tokens = context_tokens
        self.reasons = False
        self.shares_schema = False
        self.most_characters = most_characters
        self.sizes: list[tuple[str, int]] = []

    async def complete(self, call: Call) -> Completion:
        prompt = "".join(message.text for message in call.messages)
        self.sizes.append((call.key.ask, len(prompt)))
        if len(prompt) > self.most_characters:
            raise TooLong("the prompt is too long")
        shown = prompt.splitlines()
        cited = next((line[1:].partition("]")[0] for line in shown if line.startswith("[S") and NEEDLE in line), "")
        evidence = [{"sentence": cited, "quote": NEEDLE}] if cited else []
        label = {"evidence": evidence, "label": "supported" if cited else "absent", "note": ""}
        text = json.dumps({"claims": [{"unit": unit, **label} for unit in list_units(prompt, "claims")]})
        return Completion(text, "stop", None, self.name)

    def accept(self, key) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


def judge(chat, summary=SUMMARY, article=ARTICLE):
    async def run():
        walk = Walk(rubric_of(NAME), PromptedJudge(chat, joint=False), BankCache())
        card = await walk.judge_record(record_of(NAME, article=article, summary=summary))
        await chat.close()
        return card.outcomes

    return asyncio.run(run())


def sizes_of(chat, ask="hallucination"):
    return [size for name, size in chat.sizes if name.split(".")[0] == ask]


def test_a_source_that_fits_is_shown_whole():
    chat = Narrow(200_000)
    outcome = judge(chat)["hallucination"]
    assert outcome.score.value == 10
    assert "windowed" not in outcome.trail.flags
    assert len(sizes_of(chat)) == 1


def test_a_source_that_does_not_fit_is_judged_on_windows_and_says_so():
    chat = Narrow(20_000)
    outcome = judge(chat)["hallucination"]
    assert outcome.score.value == 10, "retrieval finds the sentence among four hundred"
    assert "windowed" in outcome.trail.flags
    assert any("passages, found by retrieval" in repair for repair in outcome.trail.repairs)
    assert len(sizes_of(chat)) == 2


def test_each_part_of_many_claims_is_judged_on_windows_of_its_own():
    chat = Narrow(20_000)
    summary = " ".join(f"The wing of the museum cost 3 million euros in room {number}." for number in range(45))
    outcome = judge(chat, summary)["hallucination"]
    asked = [name for name, _ in chat.sizes if name.startswith("hallucination")]
    windowed = {"hallucination.windows-1", "hallucination.part-2.windows-1"}
    assert windowed <= set(asked), asked
    assert "windowed" in outcome.trail.flags


def test_windows_that_are_still_too_long_are_narrowed_until_they_fit():
    chat = Narrow(4_000)
    outcome = judge(chat, "The ferry to Tarn leaves at dawn.", MUCH_ABOUT_TARN)["hallucination"]
    assert "windowed" in outcome.trail.flags
    sizes = sizes_of(chat)
    assert len(sizes) >= 3
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] <= 4_000 < sizes[-2]


def test_after_three_narrowings_at_most_it_is_too_long():
    chat = Narrow(100)
    outcome = judge(chat, "The ferry to Tarn leaves at dawn.", MUCH_ABOUT_TARN)["hallucination"]
    assert outcome.status == "too_long"
    assert 3 <= len(sizes_of(chat)) <= 1 + 1 + 3
    assert len(set(sizes_of(chat))) == len(sizes_of(chat)), "nothing is sent twice"


def test_a_metric_that_looks_for_nothing_in_the_source_is_too_long_at_once():
    chat = Narrow(20_000)
    outcomes = judge(chat)
    assert outcomes["alignment"].status == "too_long"
    assert outcomes["coverage"].status == "too_long", "its key points come from the whole source"
    assert len(sizes_of(chat, "alignment")) == 1


def test_a_known_context_is_kept_to_before_any_call():
    chat = Narrow(1_000_000, context_tokens=6_000)
    outcome = judge(chat)["hallucination"]
    assert "windowed" in outcome.trail.flags
    assert outcome.score.value == 10
    assert all(size // 3 <= 6_000 for size in sizes_of(chat))
    assert [ask for ask, _ in chat.sizes if ask == "alignment"] == [], "what can't fit is never sent"


def test_a_recording_of_a_windowed_walk_replays_exactly(tmp_path):
    path = tmp_path / "replies.jsonl"
    live = judge(Recorder(Narrow(20_000), path))
    again = judge(Recording(path))
    assert again["hallucination"] == live["hallucination"]
    assert again["alignment"].status == live["alignment"].status == "too_long"


@pytest.mark.parametrize("room", [0, 40])
def test_no_window_is_chosen_where_not_one_fits_for_each_unit(room):
    cut = cut_record(record_of(NAME, article=ARTICLE, summary=SUMMARY), rubric_of(NAME))
    assert not choose_windows(cut.units[:1], cut.passages, room)


def test_a_window_holds_the_neighbours_of_what_it_is_about():
    cut = cut_record(record_of(NAME, article=ARTICLE, summary=SUMMARY), rubric_of(NAME))
    chosen = choose_windows(cut.units[:1], cut.passages, 100_000)
    assert chosen is not None
    at = next(position for position, each in enumerate(cut.passages.all) if each.text == NEEDLE)
    assert {cut.passages.all[at + step].id for step in (-1, 0, 1)} <= chosen
    assert not any(name.startswith("O.") for name in chosen), "the output is no evidence"
