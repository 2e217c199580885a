"""A record has so long and no longer: what is not there by then has timed out, what is there counts, the run goes on."""

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from clerks import AUDIT, Clerk, build, label, rubric_of

from assay import errors
from assay.domain.ask import Answer, BankAsk
from assay.domain.findings import Findings
from assay.domain.outcome import Verdict
from assay.judges.prompted.judge import PromptedJudge
from assay.models.openai import OpenAIChat
from assay.runner.banking import BankShelf
from assay.runner.deadline import Deadline
from assay.runner.panel import Panel
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Limits, Progress, run_panel
from assay.runner.walk import Walk
from assay.testing.faults import Fault, FaultRule
from assay.testing.scripted_server import ScriptedServer, answer_by_schema

SECONDS = 0.5


@pytest.fixture(scope="module", autouse=True)
def _warm():
    """What is loaded once per process is no part of the time that a record takes."""
    run([Clerk()], records(1), seconds=None)


@dataclass
class Stuck(Clerk):
    """Never answers these asks of these records; of an ask without a record named, those of every record."""

    stuck: frozenset[tuple[str, str]] = frozenset()
    given_up: list[str] = field(default_factory=list)

    async def answer(self, ask, passages):
        name = ask.record if isinstance(ask, BankAsk) else ask.record.id
        if {(name, ask.id), ("", ask.id)} & self.stuck:
            try:
                await asyncio.Event().wait()
            finally:
                self.given_up.append(f"{name} {ask.id}")
        return await super().answer(ask, passages)


def records(count, **more):
    return [
        build("article-audit", {**AUDIT, **more, "id": f"r-{number}", "summary": f"{AUDIT['summary']} {number}."})
        for number in range(count)
    ]


def run(judges, items, *, seconds=SECONDS, workers=8, rubric="article-audit"):
    shelf = BankShelf()
    panel = Panel(tuple(Walk(rubric_of(rubric), judge, shelf) for judge in judges), None, seconds)

    async def collect():
        async with asyncio.timeout(20):
            cards = [card async for card in run_panel(panel, items, Limits(workers), Progress())]
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
        return cards

    return asyncio.run(collect())


def statuses(card):
    return {name: outcome.status for name, outcome in card.outcomes.items()}


def test_a_metric_that_hangs_times_out_and_the_others_keep_their_scores():
    clerk = Stuck(stuck=frozenset({("r-1", "alignment")}))
    first, second, third = run([clerk], records(3))
    assert statuses(second) == {**dict.fromkeys(statuses(second), "ok"), "alignment": "timed_out"}
    assert second.outcomes["alignment"].reason == "the record was not done in 0.5 s"
    assert set(statuses(first).values()) == set(statuses(third).values()) == {"ok"}
    assert clerk.given_up == ["r-1 alignment"]


def test_a_reply_that_came_in_time_counts_though_its_re_ask_did_not():
    @dataclass
    class Slow(Clerk):
        async def answer(self, ask, passages):
            if ask.attempt:
                await asyncio.Event().wait()
            return await super().answer(ask, passages)

    def all_but_the_last(ask):
        units = [unit.id for unit in ask.units if ask.metric.labels(unit.kind) is not None]
        return Answer(Findings(tuple(label(ask, name) for name in units[:-1])), reply="all but one")

    [card] = run([Slow({"hallucination": [all_but_the_last]})], records(1))
    outcome = card.outcomes["hallucination"]
    assert outcome.status == "ok"
    assert "undecided_units" in outcome.trail.flags


def test_a_bank_that_hangs_times_out_every_record_that_waits_for_it_and_no_other():
    clerk = Stuck(stuck=frozenset({("r-0", "key_points"), ("r-1", "key_points")}))
    waiting = records(2)
    other = build("article-audit", {**AUDIT, "id": "r-2", "article": AUDIT["article"] + " It rained."})
    first, second, third = run([clerk], [*waiting, other])
    for card in (first, second):
        assert set(statuses(card).values()) == {"timed_out"}
    assert "key points could be had" in first.outcomes["coverage"].reason
    assert all(isinstance(outcome, Verdict) for outcome in third.outcomes.values())
    assert clerk.given_up == ["r-0 key_points"], "asked once for both, and ended with the run"


def test_a_bank_that_comes_too_late_for_one_record_is_there_for_the_next():
    @dataclass
    class Late(Clerk):
        async def answer(self, ask, passages):
            if isinstance(ask, BankAsk):
                await asyncio.sleep(1.5 * SECONDS)
            return await super().answer(ask, passages)

    clerk = Late()
    first, second = run([clerk], records(2), workers=1)
    assert first.outcomes["coverage"].status == "timed_out"
    assert second.outcomes["coverage"].status == "ok"
    assert len(clerk.asked("key_points")) == 1


def test_all_judges_of_a_record_share_its_deadline():
    quick, stuck = Clerk(name="quick"), Stuck(name="stuck", stuck=frozenset({("", "alignment")}))
    [card] = run([quick, stuck], records(1))
    voices = {voice.judge: voice.outcome.status for voice in card.voices["alignment"]}
    assert voices == {"quick": "ok", "stuck": "timed_out"}
    assert card.outcomes["alignment"].status == "ok"


def test_past_the_deadline_nothing_is_begun():
    async def main():
        begun = []

        async def work():
            begun.append(1)

        deadline = Deadline.begin(0.01)
        await asyncio.sleep(0.02)
        with pytest.raises(errors.TimedOut, match=r"not done in 0\.01 s"):
            await deadline.hold(work)
        return begun

    assert asyncio.run(main()) == []


def test_a_time_out_of_the_work_itself_is_not_taken_for_the_deadline():
    async def main():
        async def work():
            raise TimeoutError("mine")

        with pytest.raises(TimeoutError, match="mine"):
            await Deadline.begin(60).hold(work)

    asyncio.run(main())


def test_without_a_deadline_there_is_none():
    assert Deadline.begin(None) is None


def test_a_time_of_nothing_is_an_input_error():
    with pytest.raises(errors.InputError, match="more than 0 seconds"):
        Plan(rubric_of("article-audit"), (Clerk(),), Limits(record_seconds=0))


def answer_bank(asked):
    """A bank that names a sentence, and whatever else the schema allows."""
    fields = asked.schema["properties"].get("items", {}).get("items", {}).get("properties", {}) if asked.schema else {}
    if "sentences" in fields:
        return json.dumps({"items": [{"sentences": ["S1.1"], "text": "The lamp is bright."}]})
    return answer_by_schema(1)(asked)


@pytest.mark.parametrize("joint", [False, True])
def test_a_server_that_hangs_for_one_record_costs_that_record_its_time_and_the_run_nothing_more(joint):
    """The call itself would be waited for two minutes."""
    fault = FaultRule(Fault.HANG, always=True, containing="It is the third lamp.")

    async def judge():
        async with ScriptedServer(answer_bank, [fault]) as server:
            chat = OpenAIChat("scripted", base_url=server.base_url)
            limits = Limits(workers=2, record_seconds=1.0)
            plan = Plan(rubric_of("opinion-relevance"), (PromptedJudge(chat, joint=joint),), limits)
            lamps = ("first", "second", "third", "fourth", "fifth", "sixth")
            items = [
                build(
                    "opinion-relevance",
                    {
                        "id": lamp,
                        "reviews": ["The lamp is bright."],
                        "product_opinion_summary": f"It is the {lamp} lamp.",
                    },
                )
                for lamp in lamps
            ]
            cards = []
            async with asyncio.timeout(20):
                await carry_out(plan, items, cards.append, Progress())
            return cards

    cards = asyncio.run(judge())
    assert len(cards) == 6
    failed = [card.record.id for card in cards if card.outcomes["relevance"].status == "timed_out"]
    assert failed == ["third"]
    assert "1 s" in cards[2].outcomes["relevance"].reason
