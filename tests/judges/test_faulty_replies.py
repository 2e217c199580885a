"""Every faulty reply that the scripted server knows, one per record of a run: each harms its own ask and no other."""

import asyncio
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from assay.domain.outcome import Verdict
from assay.engine.breaker import Breaker
from assay.engine.chat import EngineChat
from assay.engine.retries import Retries
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.judges.prompted.judge import PromptedJudge
from assay.models.anthropic import AnthropicChat
from assay.models.openai import OpenAIChat
from assay.runner.run import Limits, Plan, Progress, judge_records
from equipment.chat_server.exchange import Asked, is_asked
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.faulty_replies import FaultyReply, list_faulty_replies
from equipment.tea_rubric import CLARITY, GROUNDEDNESS, TEA

CLAIMS = {"claims": [{"evidence": [], "unit": "c1", "label": "absent", "note": "not there"}]}
GRADE = {"grade": 4, "reason": "plain"}
CHATS = {"openai": OpenAIChat, "anthropic": AnthropicChat}
TRUE = {"groundedness": Fraction(0), "clarity": Fraction(4)}


def fill(asked: Asked, *, joint: bool) -> dict:
    if joint:
        return {"groundedness": CLAIMS, "clarity": GRADE}
    return CLAIMS if is_asked(asked.prompt, "groundedness") else GRADE


def list_cases(api: str, *, joint: bool) -> list[FaultyReply]:
    replies = [{"groundedness": CLAIMS, "clarity": GRADE}] if joint else [CLAIMS, GRADE]
    return list(dict.fromkeys(case for reply in replies for case in list_faulty_replies(api, reply)))


def harmed_by(case: FaultyReply, *, joint: bool) -> set[str]:
    """The metrics whose judgement is gone."""
    part, _, path = case.place.partition(":")
    if not case.harms:
        return set()
    first = path.split(".")[0]
    if part != "reply" or not path:
        return set(TRUE)
    return {first} if joint else {"groundedness" if first == "claims" else "clarity"}


@pytest.mark.parametrize(("api", "joint"), [("openai", False), ("anthropic", True)], ids=["openai", "anthropic"])
def test_no_faulty_reply_ends_a_run_or_leads_to_a_wrong_score(api, joint, tmp_path):
    cases = list_cases(api, joint=joint)
    assert len(cases) > 300
    Path(tmp_path / "tea.md").write_text(TEA + GROUNDEDNESS + CLARITY)

    def answer(asked):
        number = int(re.search(r"Tin (\d+) holds", asked.prompt)[1])
        good = fill(asked, joint=joint)
        part, _, path = cases[number].place.partition(":") if number < len(cases) else ("", "", "")
        if not part or (part == "reply" and path and path.split(".")[0] not in good):
            return json.dumps(good)
        return cases[number].build(asked, good)

    numbers = range(len(cases) + 1)
    rubric = open_rubric(str(tmp_path / "tea.md"))
    given = [{"id": str(number), "tin": "Tea.", "note": f"Tin {number} holds green tea."} for number in numbers]
    records, cards = records_from(given, rubric), []
    with run_in_thread(ScriptedServer(answer)) as server:
        chat = CHATS[api]("m", base_url=server.base_url)
        judge = PromptedJudge(EngineChat(chat, retries=Retries(sends=1), breaker=Breaker(1_000)), joint=joint)
        plan = Plan(rubric, (judge,), Limits(workers=100), owned=(judge,))
        asyncio.run(judge_records(plan, records, cards.append, Progress()))
    wrong = []
    for number, card in enumerate(cards):
        case = cases[number] if number < len(cases) else None
        lost = set() if case is None else harmed_by(case, joint=joint)
        for name, outcome in card.outcomes.items():
            if isinstance(outcome, Verdict) and (name in lost or outcome.score.value != TRUE[name]):
                wrong.append((case, name, outcome.score))
            elif not isinstance(outcome, Verdict) and case is None:
                wrong.append((case, name, outcome))
    assert not wrong
    assert len(cards) == len(records)
