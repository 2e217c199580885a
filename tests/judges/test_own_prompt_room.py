"""The room of a reply to a prompt of one's own: it grows with the sources, and doubles once where a reply was cut off."""

import asyncio
from pathlib import Path

import pytest

from assay.domain.scorecard import Scorecard
from assay.errors import JudgeError, OverBudget, TimedOut, TooLong
from assay.judges.own_prompt import OwnPromptJudge, count_reply_tokens, open_own_prompt
from assay.models.chat import Call, CallKey, Completion
from assay.packs import find_hooks
from assay.runner.banks import BankCache
from assay.runner.walk import Walk
from foreign.harness import RECORDS, REPLIES, record_of, rubric_of, say_all

SEARCH, OPINION = "search-summary", "opinion-relevance"
REPLY = (REPLIES / "s0-complete.txt").read_text(encoding="utf-8")
SCORES = {"hallucination": "ok 0 reported_only", "summary_quality": "ok 29", "answer_relevancy": "ok 2"}


class Cutter:
    """A chat that cuts off the replies to its first calls, and may fail the second call."""

    name = "cutter"
    reasons = False
    shares_schema = False

    def __init__(self, cuts: int = 1, context_tokens: int | None = None, second: JudgeError | None = None) -> None:
        self.cuts = cuts
        self.context_tokens = context_tokens
        self.second = second
        self.calls: list[Call] = []
        self.accepted: list[CallKey] = []

    async def complete(self, call: Call) -> Completion:
        await asyncio.sleep(0)
        self.calls.append(call)
        if self.second is not None and len(self.calls) == 2:
            raise self.second
        is_cut = len(self.calls) <= self.cuts
        return Completion(REPLY[:600] if is_cut else REPLY, "length" if is_cut else "stop", None, self.name)

    def accept(self, key: CallKey) -> None:
        self.accepted.append(key)

    async def close(self) -> None:
        """Nothing is open."""


def judge(chat: Cutter, folder: Path) -> Scorecard:
    rubric = rubric_of(SEARCH)
    (folder / "p.txt").write_text("Judge {summary} by {search_results}", encoding="utf-8")
    own = OwnPromptJudge(chat, open_own_prompt(folder / "p.txt", {}, rubric))
    walk = Walk(rubric, own, BankCache(), hooks=find_hooks(rubric))
    return asyncio.run(walk.judge_record(record_of(SEARCH)))


def test_the_room_of_a_reply_grows_with_the_number_of_results() -> None:
    results = RECORDS[SEARCH]["search_results"]
    many = [{**results[0], "url": f"https://clinic.example/{number}"} for number in range(20)]
    few, more = (
        count_reply_tokens(rubric_of(SEARCH), record_of(SEARCH, search_results=each)) for each in (results, many)
    )
    assert more - few == 18 * 800
    # Where nothing is written about each source, their number makes no difference.
    reviews = [f"Review {number}." for number in range(20)]
    assert count_reply_tokens(rubric_of(OPINION), record_of(OPINION, reviews=reviews)) == 4_000


def test_a_reply_cut_off_by_length_is_asked_for_again_with_twice_the_room(tmp_path: Path) -> None:
    chat = Cutter()
    assert say_all(judge(chat, tmp_path)) == SCORES
    first, second = chat.calls
    assert second.max_tokens == 2 * first.max_tokens
    assert (first.key.attempt, second.key.attempt) == (0, 1)
    assert first.messages == second.messages
    assert chat.accepted == [second.key]


def test_a_whole_reply_is_asked_for_once(tmp_path: Path) -> None:
    chat = Cutter(cuts=0)
    assert say_all(judge(chat, tmp_path)) == SCORES
    assert len(chat.calls) == 1


def test_a_reply_that_is_cut_off_twice_is_truncated_and_not_asked_for_a_third_time(tmp_path: Path) -> None:
    chat = Cutter(cuts=9)
    assert say_all(judge(chat, tmp_path))["summary_quality"] == "truncated"
    assert len(chat.calls) == 2
    assert chat.accepted == []


@pytest.mark.parametrize(("error", "status"), [(TimedOut("late"), "truncated"), (OverBudget("spent"), "over_budget")])
def test_a_second_call_that_fails_takes_nothing_away_unless_the_run_would_not_send_it(
    error: JudgeError, status: str, tmp_path: Path
) -> None:
    said = say_all(judge(Cutter(second=error), tmp_path))
    assert said["summary_quality"] == status


@pytest.mark.parametrize(("beyond", "calls"), [(0, 1), (1_000, 2)])
def test_the_second_room_is_at_most_what_the_context_leaves(beyond: int, calls: int, tmp_path: Path) -> None:
    probe = Cutter(cuts=0)
    judge(probe, tmp_path)
    prompt = sum(len(message.text) for message in probe.calls[0].messages) // 3
    room = probe.calls[0].max_tokens
    chat = Cutter(context_tokens=prompt + room + beyond)
    judge(chat, tmp_path)
    assert [call.max_tokens - room for call in chat.calls] == [0, beyond][:calls]


def test_a_prompt_that_leaves_no_room_for_a_reply_is_too_long(tmp_path: Path) -> None:
    chat = Cutter(context_tokens=1_000)
    assert set(say_all(judge(chat, tmp_path)).values()) == {TooLong.status}
    assert chat.calls == []
