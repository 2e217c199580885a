"""Without a hosted judge no command looks at the network; the pages are on this machine's own address alone."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from guarded_commands import LOCAL_SERVERS

from assay.cli.main import assay

pytestmark = pytest.mark.integration

GUARD = Path(__file__).parent / "guarded_commands.py"
PAGES = (("view",), ("label", "last", "--person", "Ada"))
# What needs an extra outside the lock is run by tests of its own, with the built-in judge: tests/cli/test_mcp.py, tests/ray.
ELSEWHERE = (("mcp",), ("runs", "import"))
ARTICLE = (
    "The harbour ferry will run every twenty minutes from Monday. The council paid for two more boats. "
    "Tickets stay at three pounds. The last crossing leaves at eleven at night."
)
SUMMARY = "Tickets stay at three pounds."
RECORD = {
    "id": "a",
    "reviews": ["The lamp is bright.", "Bright, but the arm sags."],
    "product_opinion_summary": "Buyers like the bright light. Some say the arm sags.",
}
REPLY = {"record": "a", "ask": "opinion-relevance", "text": "It covers the light.\nScore- <score>4</score>"}
LABELS = "record,metric,person,label\na,relevance,Ada,4\n"
ATTACKED = ("attack", "--rubric", "article-audit", "--records", "articles.jsonl", "--variants", "1", "--benign", "1")
RECORDED = ("judge", "r.jsonl", "--rubric", "opinion-relevance", "--judge", "recorded:replies.jsonl")
FEW_TRIALS = ("--families", "direct-requests", "--places", "output")

# Every command there is, with what it is given, in an order in which each finds what it needs.
# A command that is new belongs in here, or into PAGES where it serves them.
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("demo",),
    ("judge", "articles.jsonl", "--rubric", "article-audit"),
    ("judge", "articles.jsonl", "others.jsonl", "--rubric", "article-audit", "--side-by-side", "--name", "pair"),
    ("rank", "pair"),
    (*ATTACKED, *FEW_TRIALS, "--html", "attack.html", "--json", "attack.json"),
    (*RECORDED, "--dry-run"),
    (*RECORDED, "--format", "jsonl", "--record", "kept.jsonl"),
    (*RECORDED, "--out", "replies", "--format", "reply"),
    ("labels", "import", "labels.csv", "--run", "last"),
    ("labels", "export", "again.csv"),
    ("agree", "last", "--format", "json"),
    ("report", "last", "--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"),
    ("runs", "list"),
    ("runs", "show", "last"),
    ("runs", "compare", "last", "last"),
    ("runs", "export", "last", "--to", "r.csv"),
    ("runs", "export", "last", "--to", "r2.jsonl"),
    ("runs", "rescore", "last"),
    ("config",),
    ("rubric", "list"),
    ("rubric", "show", "article-audit", "--json"),
    ("rubric", "new", "minutes"),
    ("rubric", "check", "minutes.md"),
    ("rubric", "align", "opinion-relevance", "--labels", "labels.csv", "--run", "last"),
    ("runs", "delete", "last"),
    ("rubric", "test", "opinion-relevance"),
    ("--version",),
)


HOSTED = (
    "judge",
    "r.jsonl",
    "--rubric",
    "opinion-relevance",
    "--judge",
    "openai:m",
    "--base-url",
    "http://127.0.0.1:9",
)


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    err: str
    tried: str


@dataclass(frozen=True, slots=True)
class Session:
    folder: Path
    ended: dict[tuple[str, ...], Ended]
    tried_by_imports: str


def find_commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """From the parser itself: whatever can be typed is in here."""
    if not isinstance(command, click.Group):
        yield path
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from find_commands(found, (*path, name))


def write_inputs(folder: Path) -> None:
    """What the commands read, in a folder that also holds keys which none of them may need."""
    (folder / "r.jsonl").write_text(json.dumps(RECORD) + "\n", encoding="utf-8")
    (folder / "replies.jsonl").write_text(json.dumps(REPLY) + "\n", encoding="utf-8")
    (folder / "labels.csv").write_text(LABELS, encoding="utf-8")
    article = {"id": "a", "article": ARTICLE, "summary": SUMMARY}
    (folder / "articles.jsonl").write_text(json.dumps(article) + "\n", encoding="utf-8")
    (folder / "others.jsonl").write_text(json.dumps(article) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("offline")
    logs = tmp_path_factory.mktemp("logs")
    write_inputs(folder)
    helps = [(*path, "--help") for path in ((), *find_commands(assay))]
    commands = [*COMMANDS, *helps, HOSTED]
    subprocess.run(
        [sys.executable, str(GUARD), str(logs)],
        input=json.dumps(commands),
        text=True,
        check=True,
        cwd=folder,
        timeout=900,
    )

    def read(name: str) -> str:
        return (logs / name).read_text(encoding="utf-8")

    codes = zip(commands, json.loads(read("codes.json")), strict=True)
    ended = {each: Ended(code, read(f"{at}.err"), read(f"{at}.tried")) for at, (each, code) in enumerate(codes)}
    return Session(folder, ended, read("imports.tried"))


def test_every_command_of_the_parser_is_in_the_table():
    paths = set(find_commands(assay))
    assert len(paths) > 15
    told = {path for path in paths for given in (*COMMANDS, *PAGES, *ELSEWHERE) if given[: len(path)] == path}
    assert paths - told == set(), "a new command: write here how it runs without a network"


def test_loading_every_command_tries_no_network(session: Session):
    assert session.tried_by_imports == ""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_does_its_work_without_a_network(session: Session, command: tuple[str, ...]):
    ended = session.ended[command]
    looked = [f"socket.getaddrinfo ({port}, 0, 1, 0)\n" for port in LOCAL_SERVERS] if command == ("demo",) else []
    assert (ended.code, ended.tried) == (0, "".join(looked)), ended.err


def test_help_is_there_without_a_network(session: Session):
    helps = [ended for command, ended in session.ended.items() if command[-1] == "--help"]
    assert {(ended.code, ended.tried) for ended in helps} == {(0, "")}
    assert len(helps) > 15


def test_the_guard_sees_a_hosted_judge(session: Session):
    assert "socket." in session.ended[HOSTED].tried
    assert session.ended[HOSTED].code != 0


@pytest.mark.parametrize("arguments", PAGES, ids=" ".join)
def test_pages_listen_on_this_machines_own_address_alone(session: Session, tmp_path: Path, arguments: tuple[str, ...]):
    log = tmp_path / "tried.txt"
    program = (
        "import sys; from pathlib import Path\n"
        f"sys.path.insert(0, {str(GUARD.parent)!r})\n"
        "from guarded_commands import install_guard, note_in\n"
        f"note_in(Path({str(log)!r})); install_guard(may_listen=True)\n"
        "from assay.cli.main import main; main()\n"
    )
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    with subprocess.Popen(
        [*command, *arguments, "--no-open"], stderr=subprocess.PIPE, text=True, cwd=session.folder, env=environment
    ) as process:
        assert process.stderr is not None
        try:
            assert "http://127.0.0.1:" in process.stderr.readline()
        finally:
            # A shell's background jobs ignore an interrupt, and so would their children.
            process.terminate()
            process.wait(60)
    tried = log.read_text(encoding="utf-8").splitlines()
    assert tried
    assert [line for line in tried if not re.fullmatch(r"socket\.bind \(\('127\.0\.0\.1', \d+\),\)", line)] == []
