"""Many units are asked about in parts, and models that think before they reply get the room for it."""

import asyncio
import json

import pytest

from assay.api.forecast import build_calls
from assay.judges.prompted.judge import PromptedJudge
from assay.models.chat import Call, Completion, Usage
from assay.packs import find_hooks
from assay.runner.banks import BankCache
from assay.runner.walk import Walk
from equipment.chat_server.exchange import build_instance, is_asked, list_units
from foreign.harness import ID, RECORDS, record_of, rubric_of

NAME = "article-audit"
CHARACTERS_PER_TOKEN = 4


class Thinker:
    """A chat that spends hidden tokens before every reply; where they and the reply exceed the limit, it is cut off."""

    name = "thinker"
    context_tokens = None

    def __init__(self, thinking_tokens: int = 0, *, reasons: bool = False, shares_schema: bool = False) -> None:
        self.thinking_tokens = thinking_tokens
        self.reasons = reasons
        self.shares_schema = shares_schema
        self.calls: list[Call] = []
        self.cut: list[str] = []

    async def complete(self, call: Call) -> Completion:
        self.calls.append(call)
        await asyncio.sleep(0)
        text = json.dumps(self._reply(call))
        room = (call.max_tokens - self.thinking_tokens) * CHARACTERS_PER_TOKEN
        if len(text) > room:
            self.cut.append(call.key.ask)
            return Completion(text[: max(0, room)], "length", Usage(1, call.max_tokens), self.name)
        return Completion(text, "stop", Usage(1, 1), self.name)

    def _reply(self, call: Call) -> dict[str, object]:
        prompt = call.messages[-1].text
        reply: dict[str, object] = {}
        for key, either in call.schema["properties"].items():
            form = either["anyOf"][0] if "anyOf" in either else either
            if not is_asked(prompt, key):
                reply[key] = None
            elif form["type"] == "array":
                reply[key] = [{"sentences": ["S1.1"], "text": f"Point {at}", "weight": "main"} for at in range(4)]
            else:
                reply[key] = self._fill(form, prompt)
        return reply

    def _fill(self, form, prompt):
        filled = build_instance(form)
        for key, part in form["properties"].items():
            fields = part.get("items", {}).get("properties", {})
            if "unit" in fields:
                label = {**build_instance(part["items"]), "label": fields["label"]["enum"][2], "note": "x" * 200}
                filled[key] = [{**label, "unit": unit} for unit in list_units(prompt, key)]
        return filled

    def accept(self, key) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        """Nothing is open."""


def judge(chat, *, joint=False, **changes):
    async def run():
        walk = Walk(rubric_of(NAME), PromptedJudge(chat, joint=joint), BankCache(), hooks=find_hooks(rubric_of(NAME)))
        card = await walk.judge_record(record_of(NAME, **changes))
        await walk.banks.close()
        return card.outcomes

    return asyncio.run(run())


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("thinking", [2_000, 7_000])
def test_a_model_that_thinks_is_cut_off_once_per_ask_at_most_and_every_metric_is_scored(thinking, joint):
    chat = Thinker(thinking)
    outcomes = judge(chat, joint=joint)
    assert {outcome.status for outcome in outcomes.values()} <= {"ok", "repaired"}
    assert chat.cut, "the first reply found no room"
    assert max(chat.cut.count(ask) for ask in chat.cut) == 1


def test_a_model_that_is_known_to_think_has_the_room_from_the_start():
    chat = Thinker(2_000, reasons=True)
    assert {outcome.status for outcome in judge(chat).values()} <= {"ok", "repaired"}
    assert chat.cut == []


def test_the_room_grows_only_so_far():
    chat = Thinker(100_000)
    outcomes = judge(chat)
    assert {outcome.status for outcome in outcomes.values()} == {"truncated"}
    assert max(call.max_tokens for call in chat.calls) == 32_000


@pytest.mark.parametrize("shares", [True, False])
def test_one_schema_is_sent_with_every_call_where_the_provider_puts_it_in_front(shares):
    chat = Thinker(shares_schema=shares)
    judge(chat)
    schemas = {json.dumps(call.schema) for call in chat.calls}
    assert len(schemas) == (1 if shares else len(rubric_of(NAME).metrics) + 1)


MANY = " ".join(f"Room {number} of the new wing holds a painting." for number in range(1, 96))


@pytest.mark.parametrize("joint", [True, False])
def test_more_than_forty_units_are_asked_about_in_parts_and_all_else_only_once(joint):
    chat = Thinker()
    outcome = judge(chat, joint=joint, summary=MANY)["hallucination"]
    asked = [call for call in chat.calls if call.key.ask.startswith("hallucination")]
    assert [call.key.ask for call in asked] == ["hallucination", "hallucination.part-2", "hallucination.part-3"]
    sizes = [len(list_units(call.messages[-1].text, "claims")) for call in asked]
    assert sizes == [40, 40, 15]
    assert ["most_consequential" in json.dumps(call.schema) for call in asked] == [True, False, False]
    assert len(outcome.trail.findings.of("claim")) == 95
    assert all(label.decided for label in outcome.trail.findings.of("claim"))


@pytest.mark.parametrize("summary", [RECORDS[NAME]["summary"], MANY])
@pytest.mark.parametrize("joint", [True, False])
def test_a_dry_run_plans_the_calls_that_a_run_sends(joint, summary):
    chat = Thinker()
    judge(chat, joint=joint, summary=summary)
    planned = [call.key.ask for call, _ in build_calls(record_of(NAME, summary=summary), rubric_of(NAME), joint=joint)]
    assert sorted(planned) == sorted(call.key.ask for call in chat.calls if call.key.attempt == 0)


def test_the_units_of_a_part_keep_their_ids():
    chat = Thinker()
    judge(chat, summary=MANY)
    last = next(call for call in chat.calls if call.key.ask == "hallucination.part-3")
    assert list_units(last.messages[-1].text, "claims") == [f"c{number}" for number in range(81, 96)]
    assert last.key.record == ID
    assert RECORDS[NAME]["article"].split(". ")[0] in last.messages[-1].text
