"""Reads the code blocks of the documents and carries each out as its fence says.

The first word of a fence is the language, the others say how the block is tested:

    console             each command runs as it stands and exits with 0
    console scripted    the same, with every hosted model replaced by the scripted server
    console dry-run     the same, with --dry-run added: nothing is sent
    console parsed      the arguments are parsed and nothing runs: servers, clusters
    python [scripted]   runs, in one namespace for each page
    python parsed       is compiled, and the arguments of each call of assay fit its signature
    json, toml, yaml    can be read
    text                is no command
    text output         was printed by the block before; "…" stands for anything
    LANGUAGE file=NAME  is written to NAME, for the blocks after it
    LANGUAGE by=TEST    is run by that test, which names the page
"""

import ast
import inspect
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
import yaml

from assay.api.judging import judge
from assay.cli.main import assay
from assay.models.providers import read_providers

ROOT = Path(__file__).parents[2]
LANGUAGES = {"console", "python", "json", "toml", "yaml", "text", "markdown", "sql"}
MARKS = {"scripted", "dry-run", "parsed", "output"}
_FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_PROVIDERS = read_providers()
_HOSTED = re.compile(rf"\b({'|'.join(_PROVIDERS)}):([A-Za-z][\w.-]*)(@https?://[^\s\"]+)?")
KEYS = {each.key_variable: "a-key-of-no-account" for each in _PROVIDERS.values() if each.key_variable}


@dataclass(frozen=True, slots=True)
class Block:
    page: str
    line: int
    language: str
    marks: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.page}, line {self.line}"

    def value(self, name: str) -> str | None:
        return next((mark.partition("=")[2] for mark in self.marks if mark.startswith(f"{name}=")), None)


def list_pages() -> list[str]:
    """Every document that shows commands or code, from the repository's root."""
    folders = ("docs", "docs/decisions", "docs/supply-chain", "src/assay/packs")
    found = [path for folder in folders for path in sorted((ROOT / folder).glob("*.md"))]
    return [str(path.relative_to(ROOT)) for path in (ROOT / "README.md", ROOT / "SECURITY.md", *found)]


def list_blocks(page: str) -> Iterator[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in _FENCE.finditer(text):
        language, *marks = found[2].split() or [""]
        if not language.startswith("{"):  # what the site generator reads, such as its lists of pages
            yield Block(page, text.count("\n", 0, found.start()) + 1, language, tuple(marks), found[3])


def list_commands(block: Block) -> list[list[str]]:
    """The words of each command. Where one line begins with a prompt, lines without one are output."""
    lines = block.text.replace("\\\n", " ").splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def replace_models(text: str, base_url: str) -> str:
    """Every hosted model is asked at `base_url`."""
    return _HOSTED.sub(rf"\1:\2@{base_url}", text)


def parse_command(words: list[str]) -> None:
    """Raises if the command or one of its arguments is not known. Nothing runs."""
    match words:
        case ["assay", *arguments]:
            command: click.Command = assay
            context = click.Context(assay)
            while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
                command = command.get_command(context, arguments.pop(0)) or _refuse(words)
            try:
                command.make_context("assay", arguments)
            except click.BadParameter as fault:
                if "does not exist" not in fault.message:  # files that a page names and this machine lacks
                    raise
        case ["pip", "install", *wanted]:
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            for each in set(wanted) - {"."}:
                found = re.fullmatch(r"assay-judge(?:\[([\w,]+)\])?", each)
                named = set((found[1] or "").split(",")) if found else {each}
                assert named <= {"", *extras["optional-dependencies"]}, each
        case ["make", target]:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), target
        case ["python", "-m", module, *arguments]:
            assert find_spec(module), module
            import_module(module).main.make_context(module, arguments)
        case _:
            _refuse(words)


def _refuse(words: list[str]) -> click.Command:
    raise AssertionError(f"no such command, or none that this test knows: {shlex.join(words)}")


def check_calls(block: Block) -> None:
    """Each call of a function of assay has arguments that its signature takes, or `assay.judge` for it."""
    options = inspect.signature(judge).parameters
    calls = [each for each in ast.walk(ast.parse(block.text)) if isinstance(each, ast.Call)]
    named = [(ast.unparse(each.func).split("."), each) for each in calls]
    ours = [(path, each) for path, each in named if path[0] == "assay"]
    assert ours, f"{block}: no call of assay"
    for (*module, name), call in ours:
        given = {each.arg: each.value for each in call.keywords if each.arg}
        signature = inspect.signature(getattr(import_module(".".join(module)), name))
        signature.bind(*call.args, **given)
        assert given.keys() <= signature.parameters.keys() | options.keys(), f"{block}: {ast.unparse(call)}"


def read_data(block: Block) -> object:
    match block.language:
        case "json":
            return (
                [json.loads(line) for line in block.text.splitlines()] if _is_lines(block) else json.loads(block.text)
            )
        case "toml":
            return tomllib.loads(block.text)
        case _:
            return yaml.safe_load(block.text)


def _is_lines(block: Block) -> bool:
    return (block.value("file") or "").endswith(".jsonl")
