"""`assay demo`: every shipped example, judged with no key and no network."""

import shlex
import sys
from pathlib import Path

import pytest
from shell import run

from assay.cli.files import name_command
from assay.packs import list_packs
from assay.report.display import SCREENING


@pytest.mark.parametrize("flags", [(), ("--scripted",)], ids=["embedded", "scripted"])
def test_the_demo_judges_every_example_and_says_where_the_page_is(flags):
    ended = run("demo", *flags)
    said = " ".join(ended.out.split())
    assert (ended.code, ended.err) == (0, "")
    for name in list_packs():
        assert f"({name})" in ended.out
    assert said.count(SCREENING) == (0 if flags else len(list_packs()))
    assert ("scripted" in said) == bool(flags)
    page, rubric = said.partition("Report of ")[2].split(maxsplit=2)[1::-1]
    assert (page, rubric.rstrip(":") in list_packs()) == (".assay/demo.html", True)
    explained = said.partition("Explain one record: assay ")[2].partition(" Judge a file")[0].split()
    assert explained[4] in Path(page).read_text(encoding="utf-8"), "the record to look into is on the page"
    assert "“" in run(*explained).out
    assert not Path(".assay/assay.db").exists()


def test_what_the_demo_ends_with_can_be_typed_where_it_was_run(tmp_path):
    """By the installed command's own path, as make calls it."""
    script = tmp_path / ".venv" / "bin" / "assay"
    script.parent.mkdir(parents=True)
    script.touch(0o755)
    said = run("demo", "--scripted", command=".venv/bin/assay").out
    lines = [line.partition(": ")[2] for line in said.splitlines() if ": .venv/bin/assay " in line]
    assert [line.split()[1] for line in lines] == ["runs", "judge"]
    for line, more in zip(lines, ((), ("--dry-run",)), strict=True):
        assert run(*shlex.split(line)[1:], *more).code == 0


@pytest.mark.parametrize("place", ["here", "elsewhere on the path", "elsewhere"])
def test_a_command_is_named_as_it_can_be_typed(tmp_path, monkeypatch, place):
    folder = tmp_path / "a folder"
    folder.mkdir()
    script = folder / "assay"
    script.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PATH", str(folder) if place == "elsewhere on the path" else str(tmp_path))
    if place == "here":
        assert name_command() == "'a folder/assay'"
    else:
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
        assert name_command() == (f"'{script}'" if place == "elsewhere" else "assay")


def test_a_command_in_the_folder_one_stands_in_is_named_with_that_folder(tmp_path, monkeypatch):
    (tmp_path / "assay").touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["./assay"])
    assert name_command() == "./assay"


@pytest.mark.parametrize("typed", ["./assay", "{}/assay"])
def test_a_command_has_a_name_even_where_the_folder_one_stands_in_is_deleted(tmp_path, monkeypatch, typed):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "assay").touch(0o755)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setattr(sys, "argv", [typed.format(tmp_path / "bin")])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert name_command() == "assay"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert name_command() == ("assay" if typed == "./assay" else str(tmp_path / "bin" / "assay"))


def test_the_page_and_the_runs_go_where_they_are_told():
    ended = run("demo", "--scripted", "--html", "page.html", "--store", "runs.db")
    assert ended.code == 0
    assert Path("page.html").stat().st_size > 10_000
    assert Path("runs.db").is_file()
    assert not Path(".assay").exists()
