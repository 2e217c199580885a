"""The replies of a kept run, by the name of their prompt."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from assay.api.config import RunConfig
from assay.api.opening import Work, open_run
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.runner.run import Progress
from assay.store.store import Store
from assay.web.exchange import Exchange, build_exchanges
from assay.web.library import Library
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

AUDIT = {
    "article": "Die Brücke wurde am 3. Mai eröffnet. Sie kostete die Stadt zwei Millionen Euro. Viele Bürger kamen.",
    "summary": "Die neue Brücke wurde am 3. Mai eröffnet und kostete zwei Millionen Euro. Viele Bürger kamen zur Feier.",
}
TRIAL = {
    "user_input": "Is she eligible for this trial?",
    "patient_profile": "A woman of 54 with diabetes.",
    "trial_id": "NCT01234567",
    "trial_title": "A tablet",
    "eligibility_criteria": "Adults with diabetes.",
    "workflow_answer": "She is likely eligible. A woman of 54 with diabetes fits the criteria well.",
}


def judge(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    values: Mapping[str, str],
    *,
    joint: bool = False,
) -> dict[str, Exchange]:
    """The exchanges of one record, judged over the wire and read back from the store."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    rubric = open_rubric("article-audit" if "article" in values else "trial-eligibility")
    records = (build_record({"id": "r-1", **values}, rubric, Place(None, None)),)
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        request = RunConfig(judges=("openai:m",), base_url=server.base_url, joint=joint)
        run = open_run(request, Work(rubric, records, "r.jsonl"), store)
        run.begin()
        run.carry_out(lambda _card: None, Progress())
    row = store.find_run(run.plan.run)
    found = {each.ask: each for each in build_exchanges(Library(store), row, Library(store).card(row, 0))}
    assert all(each.replies for each in found.values())
    return found


@pytest.fixture
def store(tmp_path: Path):
    with Store(tmp_path / "assay.db") as store:
        yield store


def test_replies_to_one_call_stand_under_one_name(store, monkeypatch):
    found = judge(store, monkeypatch, AUDIT, joint=True)
    assert set(found) == {"key_points", "all"}


def test_a_metric_that_was_never_asked_has_no_reply(store, monkeypatch):
    assert "accuracy" in judge(store, monkeypatch, {**TRIAL, "ground_truth_label": "Eligible"})
    found = judge(store, monkeypatch, TRIAL)
    assert set(found) == {"hallucination", "clarity", "language_correction"}


def test_of_a_blank_output_nothing_was_asked(store, monkeypatch):
    assert judge(store, monkeypatch, {**AUDIT, "summary": " "}) == {}
