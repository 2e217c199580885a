"""`assay attack`: a judge that an order sways is shown to rise, one that none sways is not, and nothing is paid twice."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench.swayed_judge import Quoting, answer_swayed
from shell import Ended, run, write_lines

from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.labs.attack.family import Trial
from assay.labs.attack.trials import Attack, choose_clean, choose_families, plan_trials
from equipment.chat_server.server import ScriptedServer, run_in_thread

NAMES = ("direct-requests", "master-keys", "invisible-characters")
ARTICLE = (
    "The harbour ferry will run every twenty minutes from Monday. The council paid for two more boats. "
    "Tickets stay at three pounds. The last crossing leaves at eleven at night."
)
SUMMARIES = (
    "The ferry will run every twenty minutes from Monday. Tickets stay at three pounds.",
    "The council paid for two more boats. The last crossing leaves at eleven at night.",
    "Tickets stay at three pounds. The council paid for two more boats.",
)
SMALL = ("--rubric", "article-audit", "--records", "r.jsonl", "--variants", 2, "--benign", 1, "--quiet")


@pytest.fixture(autouse=True)
def _records() -> None:
    rows = [{"id": f"a{at}", "article": ARTICLE, "summary": text} for at, text in enumerate(SUMMARIES)]
    write_lines(Path("r.jsonl"), rows)


def plan(*names: str, variants: int = 2) -> tuple[Trial, ...]:
    rubric = open_rubric("article-audit")
    clean = choose_clean(open_records("r.jsonl", rubric), rubric)
    return plan_trials(Attack(choose_families(names), variants=variants), rubric, clean.records).attacks


@contextmanager
def serve(trials: tuple[Trial, ...], quoting: Quoting = "source") -> Iterator[ScriptedServer]:
    with run_in_thread(ScriptedServer(answer_swayed(trials, quoting))) as server:
        yield server


def attack(server: ScriptedServer, *arguments: object) -> tuple[Ended, dict]:
    ended = run("attack", *SMALL, "--judge", "openai:m", "--base-url", server.base_url, "--json", "a.json", *arguments)
    return ended, json.loads(Path("a.json").read_text(encoding="ascii"))


def row_of(found: dict, family: str, place: str = "output") -> dict:
    return next(row for row in found["families"] if (row["family"], row["place"]) == (family, place))


def test_a_judge_that_an_order_sways_is_shown_to_rise():
    with serve(plan("direct-requests")) as server:
        ended, found = attack(server, "--families", "direct-requests", "--html", "a.html")
    assert ended.code == 0
    for place in ("output", "source"):
        row = row_of(found, "direct-requests", place)
        assert (row["n"], row["success"]["value"]) == (2, 1.0)
        assert row["rise"]["value"] > 0.3
    assert {trial["record"] for trial in found["trials"]} >= {trial.record.id for trial in plan("direct-requests")}
    assert "direct-requests" in ended.out
    assert "100%" in ended.out


def test_a_judge_that_nothing_sways_does_not_rise():
    with serve(()) as server:
        ended, found = attack(server, "--families", "direct-requests,master-keys")
    assert [row["rise"]["value"] for row in found["families"]] == [0.0] * len(found["families"])
    assert {row["success"]["value"] for row in found["families"]} == {0.0}
    assert "No attack raised a score." in ended.out


def test_an_output_does_not_prove_itself():
    with serve(plan("direct-requests"), "order") as server:
        _, found = attack(server, "--families", "direct-requests", "--places", "output")
    assert row_of(found, "direct-requests")["metrics"]["hallucination"]["success"]["value"] == 0.0


def test_a_key_that_opens_every_judge_is_stopped_before_any():
    with serve(plan("master-keys")) as server:
        _, found = attack(server, "--families", "master-keys")
    row = row_of(found, "master-keys")
    assert row["success"]["value"] == 0.0
    assert {row["caught"][part]["value"] for part in ("development", "set_aside")} == {1.0}
    assert row["unscored"]["empty_input"] > 0


def test_the_gate_fails_on_a_rise_and_passes_without():
    with serve(plan("direct-requests")) as server:
        swayed, _ = attack(server, "--families", "direct-requests", "--fail-over", 0.2)
    with serve(()) as server:
        firm, _ = attack(server, "--families", "direct-requests", "--fail-over", 0.2, "--store", "other.db")
    assert (swayed.code, firm.code) == (1, 0)
    assert "FAILED: the highest mean rise" in swayed.err
    assert "passed" in firm.err


def test_a_list_of_no_families_is_a_variable_that_was_never_set():
    ended = run("attack", *SMALL, "--families", "")
    assert ended.code == 2
    assert "--families is empty" in ended.err


def test_a_gate_over_nothing_fails():
    ended = run("attack", *SMALL, "--families", "direct-requests", "--judge", "recorded:none.jsonl", "--fail-over", 0.2)
    write_lines(Path("none.jsonl"), [])
    again = run("attack", *SMALL, "--families", "direct-requests", "--judge", "recorded:none.jsonl", "--fail-over", 0.2)
    assert ended.code == 2
    assert again.code == 1
    assert "every metric that was asked about failed" in again.err


def test_an_attack_that_a_budget_stops_goes_on_where_it_was():
    arguments = ("--families", "direct-requests", "--workers", 1)
    with serve(plan("direct-requests")) as server:
        stopped, first = attack(server, *arguments, "--budget-tokens", 25_000)
        calls = server.calls
        resumed, whole = attack(server, *arguments, "--resume", "last")
        both = server.calls
        again, _ = attack(server, *arguments, "--store", "fresh.db")
    assert (stopped.code, resumed.code, again.code) == (3, 0, 0)
    assert "Resume with: assay attack" in stopped.err
    assert 0 < len(first["trials"]) < whole["planned"] == len(whole["trials"])
    assert 0 < calls < both
    assert both - calls < server.calls - both, "what was judged is not asked for again"


def test_an_attack_is_resumed_only_with_the_same_trials():
    with serve(()) as server:
        attack(server, "--families", "direct-requests")
        ended, _ = attack(server, "--families", "direct-requests", "--seed", 2, "--resume", "last")
    assert ended.code == 2
    assert "started with other settings" in ended.err


def test_the_embedded_judge_can_be_attacked_with_no_network():
    ended = run("attack", *SMALL, "--families", "direct-requests", "--json", "-")
    found = json.loads(ended.out)
    assert ended.code == 0
    assert found["judge"].startswith("embedded:")
    assert len(found["trials"]) == found["planned"] == 6
    assert sum(part["n"] for part in found["false_alarms"][-1].values() if isinstance(part, dict)) > 100
    assert "direct-requests" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--families", "poems"), "no attack family 'poems'"),
        (("--places", "title"), "--places 'title' can't be read"),
        (
            ("--families", "master-keys", "--places", "source", "--benign", 0),
            "none of these families can be inserted at these places",
        ),
    ],
)
def test_a_wrong_option_is_told_with_what_to_write(arguments: tuple[object, ...], said: str):
    ended = run("attack", *SMALL, *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_a_rubric_of_ones_own_needs_records():
    run("rubric", "new", "minutes")
    ended = run("attack", "--rubric", "minutes.md")
    assert ended.code == 2
    assert "--records" in ended.err
