"""`assay rubric`: list, show, check and create."""

import json
from pathlib import Path

import pytest
from shell import run

from assay.files.rubrics import open_rubric
from assay.packs import list_packs


def test_the_list_names_every_rubric_with_its_metrics() -> None:
    lines = run("rubric", "list").out.splitlines()
    assert {line.split()[0] for line in lines if line.startswith("  ")} == set(list_packs())
    found = next(line for line in lines if "article-audit" in line)
    assert found.endswith("coverage, alignment, hallucination, relevance, bias_toxicity")
    assert lines.index("summaries:") < lines.index(found)
    assert next(line for line in lines if "checklist" in line and "Checklist" in line).endswith("(not validated)")


@pytest.mark.parametrize("name", list_packs())
def test_a_rubric_is_shown_as_text_that_can_be_checked_and_as_json(name: str, tmp_path: Path) -> None:
    shown = run("rubric", "show", name)
    copy = tmp_path / f"{name}.md"
    copy.write_text(shown.out)
    checked = run("rubric", "check", copy)
    assert (shown.code, checked.code) == (0, 0)
    content = json.loads(run("rubric", "show", name, "--json").out)
    assert content["id"] == name
    assert content["digest"] in shown.out
    assert content["digest"] in checked.out
    assert all(metric["scale"]["low"] < metric["scale"]["high"] for metric in content["metrics"])


def test_check_names_every_bad_file_and_passes_the_good_ones(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.md", tmp_path / "good.md"
    bad.write_text("# Nothing\n")
    good.write_text(run("rubric", "show", "article-audit").out)
    ended = run("rubric", "check", bad, good, tmp_path / "absent.md")
    assert ended.code == 2
    assert f"{good} is valid" in ended.out
    assert [line.count("bad.md:1: ") for line in ended.err.splitlines()] == [
        1,
        1,
        1,
        1,
        0,
    ]  # id, version, inputs, metric
    assert str(bad) in ended.err


def test_a_new_rubric_passes_its_own_check_and_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("rubric", "new", "meeting-minutes").code == 0
    assert run("rubric", "check", "meeting-minutes.md").code == 0
    again = run("rubric", "new", "meeting-minutes")
    assert again.code == 2
    assert "exists already" in again.err


@pytest.mark.parametrize("name", ["../escape", "a/b", "", "Ünï"])
def test_a_name_that_is_no_id_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert run("rubric", "new", name).code == 2
    assert [path.name for path in tmp_path.rglob("*")] == ["here"]


def test_an_unknown_rubric_is_answered_with_the_nearest() -> None:
    ended = run("rubric", "show", "article-audti")
    assert ended.code == 2
    assert "article-audit" in ended.err


FAULTY = """# Reply

- id: My Reply
- version: 1
- tsk: answers

Judges a reply.

## Inputs

| input | role | kind | required | meaning |
|---|---|---|---|---|
| manual | source | texxt | yes | The pages. |
| reply | output | text | maybe | The reply. |

## Bank: steps

- unit: step
- from: all sources together
- least: 1
- most: 9

Every step.

## Metric: tone

- scale: no to yes, yes is best
- rule: grade
- weigth: 2

Is it friendly?

### Grade

| level | meaning |
|---|---|
| good | Yes. |
| no | No. |

## Metric: promise

- scale: 1 to 3, high is best
- rule: graded

### Grade

| level | meaning |
|---|---|
| 3 | a | b |
"""


def test_all_faults_of_a_file_are_named_at_once_with_line_and_remedy(tmp_path: Path) -> None:
    path = tmp_path / "reply.md"
    path.write_text(FAULTY)
    checked = run("rubric", "check", path)
    assert checked.code == 2
    lines = [line.partition("reply.md:")[2] for line in checked.err.splitlines()]
    wrong = ("My Reply", "tsk", "texxt", "maybe", "unit: step", "weigth", "good", "Metric: promise", "graded", "| 3 |")
    expected = [next(at for at, line in enumerate(FAULTY.splitlines(), 1) if word in line) for word in wrong]
    assert [int(line.partition(":")[0]) for line in lines] == sorted(expected)
    assert all(". " in line for line in lines)  # what is wrong, and what to write instead


def test_a_command_that_needs_the_rubric_names_the_first_fault_and_counts_the_others(tmp_path: Path) -> None:
    path = tmp_path / "reply.md"
    path.write_text(FAULTY)
    shown = run("rubric", "show", path)
    assert (shown.code, "My Reply" in shown.err, "9 more faults" in shown.err) == (2, True, True)


@pytest.mark.parametrize(
    ("more", "told", "inputs"),
    [
        (("--like", "article-audit"), "as a copy of article-audit.", {"article", "summary"}),
        (
            ("--task", "summaries of product reviews: what matters"),
            "opinion-relevance, the most similar one",
            {"reviews"},
        ),
        (("--task", "Zzyzx qwertyuiop"), "grounded-answer: no installed rubric shares a word", {"answer"}),
    ],
)
def test_a_new_rubric_starts_from_the_one_that_is_named_or_nearest(more, told, inputs) -> None:
    started = run("rubric", "new", "of-mine", *more)
    assert (started.code, told in started.out) == (0, True)
    made = open_rubric("of-mine.md")
    assert (made.id, made.title, made.version, made.validation) == ("of-mine", "Of mine", "1", "")
    assert inputs <= {each.name for each in made.inputs}
