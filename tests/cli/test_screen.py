"""`assay judge --screen` and `assay.judge(screen=…)`: fewer claims in the prompts, no call where none is left."""

from pathlib import Path

import pytest
from shell import Ended, run, write_lines

import assay
from assay.errors import InputError
from assay.store.store import open_store
from assay.testing.exchange import Asked, list_units
from assay.testing.scripted_server import ScriptedServer, answer_by_schema, run_in_thread
from assay.web.exchange import build_exchanges
from assay.web.library import Library
from equipment.tea_rubric import GROUNDEDNESS, TEA

KEY = {"OPENAI_API_KEY": "sk-test"}
TIN = "The leaves were picked in April on the north slope. They are dried over pine smoke. Keep the tin in a dry place."
COPIED = {"id": "copied", "tin": TIN, "note": "They are dried over pine smoke. Keep the tin in a dry place."}
MIXED = {"id": "mixed", "tin": TIN, "note": "They are dried over pine smoke. The leaves come from the north."}


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    path = tmp_path / "tea.md"
    path.write_text(TEA + GROUNDEDNESS, encoding="utf-8")
    return path


def judge(rubric: Path, *more: object, records: tuple[dict, ...] = (COPIED, MIXED)) -> tuple[Ended, list[Asked]]:
    path = write_lines(rubric.parent / "r.jsonl", list(records))
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        asked = ("judge", path, "--rubric", rubric, "--judge", "openai:m", "--base-url", server.base_url)
        ended = run(*asked, "--format", "jsonl", *more, environment=KEY)
        return ended, list(server.asked)


def list_claims(asked: list[Asked]) -> list[list[str]]:
    return [list_units(each.prompt, "claims") for each in asked]


def test_only_claims_that_no_source_says_word_for_word_are_sent(rubric):
    _, everything = judge(rubric, "--store", "all.db")
    assert sorted(map(len, list_claims(everything)))[-2:] == [2, 2]
    ended, asked = judge(rubric, "--screen", "--store", "screened.db")
    assert all(claims == ["c2"] for claims in list_claims(asked)), "about the second record, and its re-asks"
    copied, mixed = ended.results
    findings = copied["metrics"]["groundedness"]["findings"] + mixed["metrics"]["groundedness"]["findings"]
    assert [each["by"] for each in findings] == ["code", "code", "code", "judge"]
    assert findings[0]["evidence"][0]["quote"] == "They are dried over pine smoke"
    assert "Screened: 3 of 4 claims settled, 1 call and about " in ended.err


def test_nothing_is_sent_where_every_claim_is_settled(rubric):
    ended, asked = judge(rubric, "--screen", records=(COPIED,))
    assert ended.code == 0
    assert asked == []
    [result] = ended.results
    assert result["metrics"]["groundedness"]["score"] == 10
    assert result["metrics"]["groundedness"]["status"] == "ok"
    again = run("runs", "rescore", "last")
    assert "1 score" in again.out + again.err


def test_a_dry_run_shows_what_is_left_to_ask(rubric):
    path = write_lines(rubric.parent / "r.jsonl", [MIXED, COPIED])
    shown = run("judge", path, "--rubric", rubric, "--judge", "openai:m", "--screen", "--dry-run", environment=KEY).out
    assert "2 records" in shown
    assert ", 1 call (up to 3 with" in shown
    assert list_units(shown, "claims") == ["c2"]
    copied = write_lines(rubric.parent / "c.jsonl", [COPIED])
    shown = run(
        "judge", copied, "--rubric", rubric, "--judge", "openai:m", "--screen", "--dry-run", environment=KEY
    ).out
    assert "--- groundedness: settled before the judge is asked, no call" in shown


def test_the_pages_show_who_settled_a_claim_and_the_prompt_as_it_was_sent(rubric):
    _, asked = judge(rubric, "--screen", records=(MIXED,))
    assert "supported, by code" in run("runs", "show", "last", "--explain", "mixed").out
    run("report", "last", "--html", "page.html")
    assert "found by code" in Path("page.html").read_text(encoding="utf-8")
    with open_store(Path(".assay/assay.db"), read_only=True) as store:
        row = store.find_run("last")
        [exchange] = build_exchanges(Library(store), row, Library(store).card(row, 0))
    assert exchange.messages[-1][1] in asked[0].prompt


def test_verifying_sends_every_claim_and_says_how_many_labels_differ(rubric):
    ended, asked = judge(rubric, "--screen", "--screen-verify", records=(COPIED,))
    assert list_claims(asked)[0] == ["c1", "c2"]
    assert "Without --screen-verify: 2 of 2 claims settled, 1 call and about " in ended.err
    assert "The judge labels " in ended.err


def test_a_run_is_resumed_with_the_same_screen_only(rubric):
    path = write_lines(rubric.parent / "r.jsonl", [COPIED])
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        asked = ("judge", path, "--rubric", rubric, "--judge", "openai:m", "--base-url", server.base_url)
        assert run(*asked, "--screen", environment=KEY).code == 0
        ended = run(*asked, "--resume", "last", environment=KEY)
        assert list(server.asked) == []
    assert ended.code == 2
    assert "was begun with other settings: `screen` word for word" in ended.err.replace("--screen", "`screen`")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--judge", "embedded", "--screen"), "saves calls to a language model, and none is named"),
        (("--judge", "openai:m", "--screen", "1.5"), "between 0 and 1"),
        (("--judge", "openai:m", "--screen-verify"), "is about what --screen settles"),
        (("--judge", "openai:m", "--screen", "often"), "'often' is no probability"),
        (("--judge", "openai:m", "--screen", "--prompt", "own.txt"), "lists no claims"),
    ],
)
def test_a_screen_that_makes_no_sense_is_refused(rubric, flags, said):
    Path("own.txt").write_text("Judge it.\n", encoding="utf-8")
    path = write_lines(rubric.parent / "r.jsonl", [COPIED])
    ended = run("judge", path, "--rubric", rubric, *flags, environment=KEY)
    assert ended.code == 2
    assert said in ended.err


def test_python_takes_the_same_options_and_has_the_figures(rubric, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        asked = assay.judge([COPIED], rubric, "openai:m", base_url=server.base_url, screen=0.95)
        assert list(server.asked) == []
    assert asked["copied"].metrics["groundedness"].score == 10
    assert asked.screened is not None
    assert (asked.screened.claims, asked.screened.settled, asked.screened.likely) == (2, 2, 0)
    with pytest.raises(InputError, match="between 0 and 1"):
        assay.judge([COPIED], rubric, "openai:m", screen=0.0)
