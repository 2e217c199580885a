"""The documents match the code: every block runs or is checked as its fence says, and every flag is explained."""

import json
import re
import runpy
import shlex
import shutil
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

import assay
from assay.scoring.rules import RULES
from cli.shell import run, write_lines
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.document_blocks import (
    KEYS,
    LANGUAGES,
    MARKS,
    ROOT,
    Block,
    check_calls,
    list_blocks,
    list_commands,
    list_pages,
    parse_command,
    read_data,
    replace_models,
)
from equipment.example_runs import SCRIPTED, judge_once

EXPLAINED = (ROOT / "docs" / "flags.md").read_text(encoding="utf-8")
BLOCKS = {page: blocks for page in list_pages() if (blocks := list(list_blocks(page)))}
ARTICLE = "The harbour bridge opens on 3 May. It cost 2 million crowns. Cyclists asked for a wider lane."
QUESTION = "What does a bicycle cost?"
SOURCES = {"fares.txt": "A bicycle costs 22 kroner.", "bicycles.txt": "A bicycle must be booked by noon."}


def write_inputs(folder: Path) -> None:
    """The files that pages name without showing them."""
    summaries = {
        "a-17": "It cost 12 million crowns.",
        "a-18": "The harbour bridge opens on 3 May.",
        "a-19": "It cost 2 million crowns.",
    }
    write_lines(
        folder / "records.jsonl", [{"id": key, "article": ARTICLE, "summary": each} for key, each in summaries.items()]
    )
    answer = {"question": QUESTION, "sources": list(SOURCES.values()), "answer": SOURCES["fares.txt"]}
    write_lines(folder / "answers.jsonl", [{"id": "bicycle", **answer}])
    for name, text in {**SOURCES, "answer.txt": "A bicycle costs 32 kroner."}.items():
        (folder / name).write_text(text, encoding="utf-8")
    labels = [
        f"{key},hallucination,{person},{score}"
        for person in ("Ada", "Ben")
        for key, score in (("a-17", 2), ("a-18", 10), ("a-19", 9))
    ]
    (folder / "labels.csv").write_text("\n".join(["record,metric,person,score", *labels]) + "\n", encoding="utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with run_in_thread(ScriptedServer()) as started:
        yield started


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with inputs and a store that holds one run."""
    folder = tmp_path_factory.mktemp("prepared")
    write_inputs(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run("judge", "records.jsonl", "--rubric", "article-audit", "--quiet").code == 0
    return folder


class Reader:
    """Does what a page says, block by block, in one folder."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.names: dict[str, object] = {"__name__": "example"}
        self.printed = ""

    def follow(self, block: Block) -> None:
        if name := block.value("file"):
            Path(name).write_text(block.text, encoding="utf-8")
        if test := block.value("by"):
            assert Path(block.page).name in (ROOT / test).read_text(encoding="utf-8"), (
                f"{block}: {test} does not name it"
            )
        elif block.language == "console":
            self.printed = "".join(self._run(block, words) for words in list_commands(block))
        elif block.language == "python":
            self._run_python(block)
        elif block.language in {"json", "toml", "yaml"}:
            read_data(block)
        elif "output" in block.marks:
            shown = ".*".join(re.escape(piece) for piece in block.text.strip().split("…"))
            assert re.search(shown, self.printed, re.DOTALL), f"{block} is not what was printed:\n{self.printed}"
        elif block.language == "text":
            assert [line for line in block.text.splitlines() if line.startswith(("assay ", "pip ", "make "))] == []

    def _run(self, block: Block, words: list[str]) -> str:
        if "parsed" in block.marks or words[0] != "assay":
            parse_command(words)
            return ""
        assert words[1] not in {"view", "label", "mcp"}, f"{block}: a server runs until it is stopped: mark it `parsed`"
        hosted = {"scripted", "dry-run"} & {*block.marks}
        given = [replace_models(word, self.base_url) if hosted else word for word in words[1:]]
        dry = ["--dry-run"] * ("dry-run" in block.marks and "--dry-run" not in given)
        ended = run(*given, *dry, environment=KEYS if hosted else None)
        assert ended.code == 0, f"{block}: {shlex.join(words)} exits with {ended.code}\n{ended.err}"
        return ended.out + ended.err

    def _run_python(self, block: Block) -> None:
        if "parsed" in block.marks:
            check_calls(block)
            return
        text = replace_models(block.text, self.base_url) if "scripted" in block.marks else block.text
        exec(compile(text, str(block), "exec"), self.names)  # noqa: S102  # our own page


@pytest.mark.parametrize("page", BLOCKS)
def test_the_blocks_of_a_page_do_what_their_fences_say(
    page: str, prepared: Path, server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for variable, key in KEYS.items():
        monkeypatch.setenv(variable, key)
    reader = Reader(server.base_url)
    for block in BLOCKS[page]:
        reader.follow(block)


def test_every_fence_says_how_its_block_is_tested() -> None:
    blocks = [block for blocks in BLOCKS.values() for block in blocks]
    assert len(blocks) > 50
    known = [*(f"{name}=" for name in ("file", "by"))]
    wrong = [
        f"{block}: {block.language} {' '.join(block.marks)}"
        for block in blocks
        if block.language not in LANGUAGES
        or any(mark not in MARKS and not mark.startswith(tuple(known)) for mark in block.marks)
    ]
    assert wrong == []


def test_the_servers_that_an_agent_is_told_to_start_take_their_arguments() -> None:
    told = [
        json.loads(block.text)["mcpServers"]["assay"] for block in BLOCKS["docs/mcp.md"] if block.language == "json"
    ]
    assert len(told) == 2
    for each in told:
        parse_command([each["command"], *each["args"]])


@pytest.mark.parametrize(
    "command", ["assay judge r.jsonl --rubrik x", "assay jugde", "pip install assay-judge[viev]", "make dosc", "curl x"]
)
def test_a_command_that_does_not_exist_is_refused(command: str) -> None:
    with pytest.raises((AssertionError, click.UsageError)):
        parse_command(shlex.split(command))


def test_an_argument_that_a_function_does_not_take_is_refused() -> None:
    with pytest.raises(TypeError, match="bugdet"):
        check_calls(Block("page.md", 1, "python", ("parsed",), 'assay.ray.judge("r", "x", out="o", bugdet_usd=5)'))


@cache
def read_sources() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))


def test_every_notice_is_explained():
    raised = set(re.findall(r'Notice\(\s*"([a-z_]+)"', read_sources()))
    assert len(raised) > 15
    assert [name for name in sorted(raised) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_that_code_writes_as_a_constant_is_explained():
    written = re.findall(
        r'flags(?: \+= \[|\.append\(|=\(|=\(\*[a-z.]+flags, )(?:\] if [a-z ]+ else \[)?"([a-z_]+)"', read_sources()
    )
    assert len(written) > 8
    assert [name for name in sorted(set(written)) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_the_examples_and_rubrics_raise_is_explained():
    raised = {bank.outside_limits for rubric in assay.rubrics() for bank in rubric.banks}
    for rubric in SCRIPTED:
        for card in judge_once(rubric).values():
            raised |= {flag for outcome in card.outcomes.values() for flag in outcome.trail.flags}
    assert [flag for flag in sorted(raised) if f"`{flag}`" not in EXPLAINED] == []


def _list_anchors(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_between_pages_leads_somewhere():
    broken = []
    for page in (ROOT / name for name in (*list_pages(), "CHANGELOG.md")):
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            path, _, anchor = target.partition("#")
            there = (page.parent / path) if path else page
            if "://" in target:
                continue
            if not there.exists() or (anchor and anchor not in _list_anchors(there)):
                broken.append(f"{page.name}: {target}")
    assert broken == []


def test_every_path_that_the_page_about_the_architecture_names_exists():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = [word for word in re.findall(r"`([\w./-]+)`", page) if "/" in word or word.endswith((".py", ".sql"))]
    places = (ROOT, *(path for top in ("src", "tests") for path in (ROOT / top).rglob("*/")))
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
    assert len(named) > 50


def test_every_extra_is_on_the_page_to_start_with():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    assert [name for name in extras if f"`{name}`" not in page] == []


def test_the_prices_of_a_million_records_are_those_of_the_benchmark():
    section = (ROOT / "docs" / "cost.md").read_text(encoding="utf-8").partition("## A million records")[2]
    shown = re.findall(r"\$([\d,]+\d)", section.partition("\n## ")[0])
    measured = (ROOT / "bench" / "results" / "million.md").read_text(encoding="utf-8")
    assert len(shown) == 10
    assert [price for price in shown if f"| {price} |" not in measured] == []


def test_the_page_of_rubrics_is_what_the_rubrics_say_of_themselves():
    script = runpy.run_path(str(ROOT / "tools" / "shipped_page.py"))
    page = script["PAGE"].read_text(encoding="utf-8")
    assert page == script["build_page"](), "run: make docs"
    assert [rubric.id for rubric in assay.rubrics() if f"`{rubric.id}`" not in page] == []


def test_every_scoring_rule_and_its_settings_are_explained():
    page = (ROOT / "docs" / "rubrics.md").read_text(encoding="utf-8")
    rows = {row.split(" | ")[0]: row for row in re.findall(r"^\| (.+) \|$", page, re.MULTILINE)}
    for rule in RULES.values():
        assert rule.name in rows
        assert [setting.name for setting in rule.settings if f"`{setting.name}`" not in rows[rule.name]] == []
