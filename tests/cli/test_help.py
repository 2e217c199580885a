"""Every option is declared once: help, the reference, Python, Ray, settings and tests take it from there."""

import inspect
import re
import runpy
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from shell import run

import assay as package
from assay.api.config import OPTIONS, RUN_OPTIONS, CommonOptions, RunConfig
from assay.api.settings import KEYS
from assay.cli.judge import JudgeOptions
from assay.cli.main import BUG, DONE, FAILED, STOPPED, WRONG_INPUT, assay
from assay.cli.options import CommandOption, list_fields
from assay.options import NO_RAY, PYTHON_ONLY
from assay.ray.judging import judge as judge_on_ray
from assay.testing import assert_judged

ROOT = Path(__file__).parents[2]
OF_TERMINALS = {"explained", "quiet"}


def walk(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from walk(found, (*path, name))


COMMANDS = dict(walk(assay))
JUDGE = COMMANDS["judge",]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(path: tuple[str, ...]) -> None:
    ended = run(*path, "--help")
    assert (ended.code, ended.err) == (0, "")
    said = " ".join(ended.out.split())
    assert f"Example: assay {' '.join(path)}".strip() in said


def test_the_reference_is_what_the_commands_say_of_themselves() -> None:
    script = runpy.run_path(str(ROOT / "tools" / "commands_page.py"))
    assert script["PAGE"].read_text(encoding="utf-8") == script["build_page"](), "run: make docs"


def test_every_field_of_a_run_is_declared_as_an_option() -> None:
    declared = {each.name for each in RUN_OPTIONS} | {
        name for name, each in OPTIONS.items() if PYTHON_ONLY in each.where
    }
    assert {each.name for each in fields(RunConfig)} <= declared


def test_the_command_has_the_declared_options_and_no_other() -> None:
    given = {each.name: each for each in JUDGE.params if isinstance(each, click.Option)}
    declared = {each.name: each for each in (*list_fields(JudgeOptions), *RUN_OPTIONS)}
    assert given.keys() == declared.keys()
    for name, option in given.items():
        assert (option.help, (*option.opts[:1],)) == (
            declared[name].help,
            (declared[name].flags[0].partition("/")[0],),
        )


def test_the_call_in_python_has_the_options_of_the_command_with_their_defaults() -> None:
    parameters = inspect.signature(package.judge).parameters
    shared = {each.name for each in (*fields(RunConfig), *fields(CommonOptions))} - OF_TERMINALS - {"judges"}
    assert parameters.keys() == shared | {"records", "judge", "progress"}
    defaults = JUDGE.make_context("judge", ["r.jsonl", "--rubric", "r"]).params
    # None keeps nothing on disk, and a mapping may be a dict.
    for name in shared - {"rubric", "store", "map", "providers"}:
        assert parameters[name].default == defaults[name], name
        if name in {each.name for each in RUN_OPTIONS}:
            assert f"    {name}: " in (package.judge.__doc__ or "")


def test_an_attack_has_the_defaults_of_a_run() -> None:
    defaults = COMMANDS["attack",].make_context("attack", ["--rubric", "r"]).params
    shared = {each.name for each in RUN_OPTIONS} & defaults.keys() - {"judges"}
    assert shared >= {"workers", "timeout", "resume", "no_cache", "budget_usd"}
    assert {name: defaults[name] for name in shared} == {name: getattr(RunConfig(), name) for name in shared}
    assert (defaults["judges"],) == RunConfig().judges


def test_ray_has_the_arguments_of_the_call_that_mean_something_there() -> None:
    found = inspect.signature(judge_on_ray).parameters
    none = {"store", "progress", *(each.name for each in RUN_OPTIONS if NO_RAY in each.where)}
    assert found.keys() == (inspect.signature(package.judge).parameters.keys() - none) | {"out", "address", "actors"}


def test_a_test_takes_the_arguments_of_the_call() -> None:
    named = {"output", "sources", "query", "at_least", "max_findings", "min_scored", "options"}
    found = inspect.signature(assert_judged).parameters.keys() - named
    assert found <= inspect.signature(package.judge).parameters.keys()


def test_every_setting_is_an_option_of_the_command_and_an_argument_in_python() -> None:
    assert {each.key for each in JUDGE.params if isinstance(each, CommandOption) and each.key} == set(KEYS)
    assert KEYS.keys() <= inspect.signature(package.judge).parameters.keys()


def test_every_exit_code_is_documented() -> None:
    text = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == [
        str(code) for code in (DONE, FAILED, WRONG_INPUT, STOPPED, BUG)
    ]


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").out.startswith("assay, version 0.")


def test_a_command_of_a_group_that_is_typed_alone_is_named_with_its_group():
    ended = run("compare", "last", "last")
    assert (ended.code, ended.err) == (2, "assay: there is no command 'compare'. Write `assay runs compare`.\n")
