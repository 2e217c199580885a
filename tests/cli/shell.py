"""Runs the command as a user would, in this process or in one of its own, and keeps how it ended."""

import contextlib
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from assay.cli.main import main
from equipment.chat_server.exchange import Asked, is_asked, list_units
from equipment.chat_server.server import ScriptedServer

KEY = {"OPENAI_API_KEY": "sk-test"}
COMMAND = [sys.executable, "-c", "from assay.cli.main import main; main()"]


def read_until(stream: IO[str], pattern: str) -> str:
    """What a process says up to the line that has `pattern`, however long it takes to say it."""
    said = ""
    for line in stream:
        said += line
        if re.search(pattern, line):
            return said
    pytest.fail(f"nothing like {pattern!r} in:\n{said}")


@dataclass(frozen=True, slots=True)
class Ended:
    code: int | str | None
    out: str
    err: str

    @property
    def results(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: object, environment: Mapping[str, str] | None = None, command: str = "assay") -> Ended:
    """In this process: quick, and with the real main. Keys of the machine are out of sight."""
    out, err = io.StringIO(), io.StringIO()
    code: int | str | None = None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
            patch.delenv(variable, raising=False)
        for variable, value in (environment or {}).items():
            patch.setenv(variable, value)
        patch.setattr(sys, "argv", [command, *map(str, arguments)])
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    return Ended(code, out.getvalue(), err.getvalue())


def run_apart(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """In a process of its own: real streams and a real exit code."""
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, check=False, **options)


# Loads the command once and forks for each line of arguments, so that a command costs its work and not its imports.
FORKING = """
import json, os, sys, tempfile
import assay.cli.judge
from assay.cli.main import main
from assay.text.language import identify
identify("The lamp is bright, but the arm sags.")
told = []
for arguments in json.load(sys.stdin):
    with tempfile.TemporaryFile() as err:
        if (child := os.fork()) == 0:
            os.dup2(err.fileno(), 2)
            sys.argv = ["assay", *arguments]
            main()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        err.seek(0)
        told.append((status, err.read().decode()))
print(json.dumps(told), file=sys.stderr)
"""


def run_forked(commands: Iterable[Iterable[object]], stdout: IO[str] | int) -> list[tuple[int, str]]:
    """Each in a process of its own that writes to `stdout`: its real exit code, and what it said on standard error."""
    given = json.dumps([[str(word) for word in arguments] for arguments in commands])
    command = [sys.executable, "-c", FORKING]
    ended = subprocess.run(command, input=given, stdout=stdout, stderr=subprocess.PIPE, text=True, check=True)
    return [(code, said) for code, said in json.loads(ended.stderr)]


def write_lines(path: Path, values: Iterable[object]) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def opinion(identifier: str, **fields: object) -> dict:
    return {
        "id": identifier,
        "reviews": ["The lamp is bright.", "Bright, but the arm sags."],
        "product_opinion_summary": "Buyers like the bright light. Some say the arm sags.",
        **fields,
    }


def reply(identifier: str, score: object = 4, ask: str = "opinion-relevance") -> dict:
    """A whole reply in the rubric's own shape, as another tool would write it."""
    return {
        "record": identifier,
        "ask": ask,
        "sample": 0,
        "text": f"The summary covers the light.\nScore- <score>{score}</score>",
    }


def write_opinions(scores: Mapping[str, object] | Iterable[str], **fields: object) -> tuple[str, ...]:
    """Records and a recorded reply to each, in the working folder: the words of the command that judges them."""
    marks = scores if isinstance(scores, Mapping) else dict.fromkeys(scores, 4)
    write_lines(Path("records.jsonl"), [opinion(name, **fields) for name in marks])
    write_lines(Path("replies.jsonl"), [reply(name, mark) for name, mark in marks.items()])
    return ("judge", "records.jsonl", "--rubric", "opinion-relevance", "--judge", "recorded:replies.jsonl")


def ask_server(
    server: ScriptedServer,
    records: object,
    *more: object,
    rubric: object = "opinion-relevance",
    judge: str = "openai:m",
) -> tuple[object, ...]:
    """The words of a command that judges records by a model of a scripted server."""
    return ("judge", records, "--rubric", rubric, "--judge", judge, "--base-url", server.base_url, *more)


def play_judge(asked: Asked) -> str:
    """A script of a server: four items in the bank, everything stated, nothing in excess."""
    if is_asked(asked.prompt, "items"):
        points = ("The lamp is bright.", "The arm sags.", "It is a lamp.", "Some say so.")
        entries = [{"sentences": ["S1.1", "S2.1"], "text": point, "weight": "main"} for point in points]
        return json.dumps({"items": entries})
    quote = re.search(r"\[O\.1\] (.*)", asked.prompt)[1]
    evidence = [{"sentence": "O.1", "quote": quote}]
    units = list_units(asked.prompt, "items")
    items = [{"unit": unit, "evidence": evidence, "label": "stated", "note": ""} for unit in units]
    return json.dumps({"relevance": {"items": items, "excess": [], "reason": "all there", "grade": 5}})
