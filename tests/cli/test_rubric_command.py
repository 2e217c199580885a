"""`assay rubric`: list, show, check and create."""

import json
from pathlib import Path

import pytest
from shell import run

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
    assert f"{good}: valid" in ended.out
    assert len(ended.err.splitlines()) == 2
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
