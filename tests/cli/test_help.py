"""Help that can't lie: every command shows an example, and the reference names every option."""

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from shell import run

from assay.api.config import RunConfig
from assay.cli.main import BUG, DONE, FAILED, STOPPED, WRONG_INPUT, assay

REFERENCE = Path(__file__).parents[2] / "docs" / "commands.md"


def walk(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from walk(found, (*path, name))


COMMANDS = list(walk(assay))


@pytest.mark.parametrize("path", [path for path, _ in COMMANDS], ids=" ".join)
def test_every_command_has_help_with_an_example(path: tuple[str, ...]) -> None:
    ended = run(*path, "--help")
    assert (ended.code, ended.err) == (0, "")
    said = " ".join(ended.out.split())
    assert f"Example: assay {' '.join(path)}".strip() in said


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(path) for path, _ in COMMANDS])
def test_every_command_and_option_stands_in_the_reference(path: tuple[str, ...], command: click.Command) -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    assert f"assay {' '.join(path)}".strip() in text
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert re.search(rf"`[^`]*(?<![\w-]){re.escape(option)}(?![\w-])", text), option


def test_the_reference_names_no_option_that_does_not_exist() -> None:
    parameters = [parameter for _, command in COMMANDS for parameter in command.params]
    known = {option for each in parameters for option in (*each.opts, *each.secondary_opts)}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", REFERENCE.read_text(encoding="utf-8")))
    assert named <= known | {"--help"}


@pytest.mark.parametrize("command", ["judge", "attack"])
def test_a_run_has_the_defaults_of_the_python_call(command: str) -> None:
    found = next(each for path, each in COMMANDS if path == (command,))
    defaults = found.make_context(command, [*(["r.jsonl"] if command == "judge" else []), "--rubric", "r"]).params
    request = RunConfig()
    shared = {each.name for each in fields(request)} & set(defaults)
    assert shared >= {"workers", "timeout", "resume", "no_cache", "budget_usd"}
    given = {name: value for name, value in defaults.items() if name in shared and value is not None}
    assert given == {name: getattr(request, name) for name in given}
    assert all(getattr(request, name) is None for name in shared - set(given))


def test_every_exit_code_stands_in_the_reference() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for code in (DONE, FAILED, WRONG_INPUT, STOPPED, BUG):
        assert f"| {code} |" in text


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").out.startswith("assay, version 0.")
