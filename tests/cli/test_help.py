"""Help that can't lie: every command shows an example, and the reference names every option."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from shell import run

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
            for option in parameter.opts:
                assert re.search(rf"`[^`]*(?<![\w-]){re.escape(option)}(?![\w-])", text), option


def test_the_reference_names_no_option_that_does_not_exist() -> None:
    known = {option for _, command in COMMANDS for parameter in command.params for option in parameter.opts}
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", REFERENCE.read_text(encoding="utf-8")))
    assert named <= known | {"--help"}


def test_every_exit_code_stands_in_the_reference() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for code in (DONE, FAILED, WRONG_INPUT, STOPPED, BUG):
        assert f"| {code} |" in text


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").out.startswith("assay, version 0.")
