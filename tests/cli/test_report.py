"""Reports of a run in a store, as a user would ask for them."""

from importlib.resources import as_file
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from shell import run

from assay.packs import list_packs
from assay.store.labels import PersonLabel
from assay.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "assay.db"
    rubric = "search-summary"
    with as_file(list_packs()[rubric].folder) as folder:
        replies = folder / "replies.jsonl"
        ended = run(
            "judge", folder / "examples.jsonl", "--rubric", rubric, "--judge", f"recorded:{replies}",
            "--store", path, "--quiet", "--format", "jsonl", "--out", tmp_path / "results.jsonl",
        )  # fmt: skip
    assert ended.code == 0, ended.err
    return path


def test_all_three_reports_come_from_one_call(store: Path, tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("report.html", "report.md", "report.xml")]
    ended = run("report", "last", "--html", names[0], "--markdown", names[1], "--junit", names[2], "--store", store)
    assert (ended.code, ended.out) == (0, "")
    page, text, tests = (name.read_text(encoding="utf-8") for name in names)
    assert page.startswith("<!doctype html>")
    assert "50 mg" in page
    assert text.startswith("## Clinical search summary: 7 records")
    assert ET.fromstring(tests)[0].get("tests") == "21"  # noqa: S314  # our own text


def test_a_dash_is_standard_output(store: Path) -> None:
    ended = run("report", "last", "--markdown", "-", "--store", store)
    assert ended.out.startswith("## Clinical search summary")
    assert ended.err == ""


@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        (("hallucination=0.5",), 1, "FAILED: Hallucination: only 6 of 7 records scored, wanted at least 90 %"),
        (("hallucination=0.5", "--min-scored=80%"), 0, "passed: Hallucination"),
        (("hallucination=0.5", "--min-scored=80"), 2, "Write --min-scored as a share from 0 to 1 or a percentage"),
        (("--fail-on-findings=5",), 0, "passed: Findings: 3 claims with problems, at most 5 allowed (24 of 24 claims"),
        (("--fail-on-findings=0",), 1, "FAILED: Findings: 3 claims with problems, at most 0 allowed"),
        (("hallucination=0.5", "summary_quality=0.99"), 1, "FAILED: Summary quality"),
        (("clarity=0.5",), 2, "Write one of: hallucination, summary_quality, answer_relevancy."),
        (("hallucination",), 2, "--fail-under METRIC=VALUE"),
    ],
)
def test_the_gate_decides_the_exit_code(store: Path, written: tuple[str, ...], code: int, said: str) -> None:
    gates = [part for each in written for part in ([each] if each.startswith("-") else ["--fail-under", each])]
    ended = run("report", "last", *gates, "--store", store)
    assert ended.code == code
    assert said in ended.err


def test_a_failed_gate_still_writes_its_report(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    ended = run("report", "last", "--markdown", path, "--fail-under", "hallucination=1", "--store", store)
    assert ended.code == 1
    assert "**Gate: failed**" in path.read_text(encoding="utf-8")


def test_labels_in_the_store_stand_beside_the_judge_in_both_reports(store: Path, tmp_path: Path) -> None:
    page, text = tmp_path / "report.html", tmp_path / "report.md"
    with Store(store) as opened:
        run_id = opened.find_run("last").id
        kept = PersonLabel("wrong-dose", "b", "hallucination", "", None, "Ada", "3")
        assert opened.labels.put(run_id, [kept]) == 1
    ended = run("report", "last", "--html", page, "--markdown", text, "--store", store)
    assert ended.code == 0, ended.err
    for path in (page, text):
        written = path.read_text(encoding="utf-8")
        assert "Agreement with people" in written
        assert "Ada" in written


def test_nothing_asked_for_is_an_input_error(store: Path) -> None:
    ended = run("report", "last", "--store", store)
    assert (ended.code, "--html" in ended.err) == (2, True)


def test_a_path_that_can_not_be_written_is_an_input_error(store: Path, tmp_path: Path) -> None:
    ended = run("report", "last", "--html", tmp_path / "absent" / "x.html", "--store", store)
    assert ended.code == 2
    assert "can't be written" in ended.err


def test_an_unknown_run_and_an_absent_store_say_what_to_write(store: Path, tmp_path: Path) -> None:
    assert run("report", "nothing", "--html", "x.html", "--store", store).code == 2
    ended = run("report", "last", "--html", "x.html", "--store", tmp_path / "no.db")
    assert (ended.code, "Judge some records first" in ended.err) == (2, True)
