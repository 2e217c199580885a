"""The blocks of docs/tools.md run as they stand, each where its tool is installed."""

import re
import shlex
import tomllib
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest

from cli.shell import run

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")


def list_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("ignore")  # of the tools
def test_the_commands_of_the_page_run(collector: tuple[str, list]):
    [table] = list_blocks("json")
    Path("answers.jsonl").write_text(table, encoding="utf-8")
    judging, *exporting = list_blocks("console")
    ended = run(*shlex.split(judging)[1:])
    assert ended.code == 0
    assert "answers.jsonl is read as a Ragas table" in ended.err
    assert "“It costs 32 kroner.”" in ended.out
    for name, line in zip(("mlflow", "opentelemetry"), exporting, strict=True):
        ended = run(*shlex.split(line.replace("http://localhost:4318", collector[0]))[1:])
        is_installed = find_spec(name) is not None
        assert ended.code == (0 if is_installed else 2), ended.err
        assert is_installed or "Install it with" in ended.err
    assert bool(collector[1]) == (find_spec("opentelemetry") is not None)


@pytest.mark.filterwarnings("ignore")
def test_the_task_of_the_page_can_be_built():
    pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")
    [block] = list_blocks("python")
    names: dict[str, object] = {}
    exec(compile(block, "docs/tools.md", "exec"), names)  # noqa: S102  # our own page
    assert len(names["task"].dataset) == 1


def test_the_page_names_every_column_by_which_a_format_is_read():
    table = tomllib.loads(files("assay.files").joinpath("formats.toml").read_text(encoding="utf-8"))
    # A trace's own columns are named on the page by the attributes that they hold.
    named = {name for tool, each in table.items() if tool != "openinference" for name in each["query"] + each["source"]}
    assert [name for name in sorted(named) if f"`{name}`" not in PAGE] == []
