"""A rubric that nobody measured against people says so wherever it is listed, or its scores are reported."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.api.judging import judge
from assay.cli.main import assay
from assay.engine.budget import Budget
from assay.files.rubrics import open_rubric
from assay.mcp import Session
from assay.packs import list_packs
from assay.store.store import Store
from assay.testing.scripted_judge import ScriptedJudge
from equipment.page_server import Served, serve_view

SAID = "grounded-answer is not validated"
SHIPPED = Path(__file__).parents[2] / "docs" / "shipped.md"
RECORDS = [
    {"id": f"r{number}", "system": system, "question": "How long?", "sources": [f"{number} weeks."], "answer": answer}
    for number in range(1, 3)
    for system, answer in (("a", f"{number} weeks."), ("b", "A loan lasts for ever."))
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "assay.db"
    with Store(path) as opened:
        for grade in (5, 2):
            judge(
                RECORDS,
                "grounded-answer",
                ScriptedJudge({"for ever": "absent"}, {"answer_relevancy": grade}),
                store=opened,
                name=f"grade-{grade}",
            )
    return path


@pytest.fixture(scope="module")
def pages(store: Path) -> Iterator[Served]:
    with Store(store) as opened, serve_view(opened) as served:
        yield served


def read_command(store: Path, *words: str) -> str:
    ended = CliRunner().invoke(assay, [*words, "--store", str(store)])
    assert ended.exit_code == 0, ended.output
    return " ".join(ended.output.split())


@pytest.mark.parametrize(
    "words",
    [
        ("runs", "show", "last"),
        ("runs", "show", "last", "--explain", "r1"),
        ("runs", "compare", "grade-5", "grade-2"),
        ("rank", "last"),
        ("rank", "last", "--html", "-"),
        ("report", "last", "--html", "-"),
        ("report", "last", "--markdown", "-"),
        ("report", "last", "--junit", "-"),
    ],
)
def test_a_command_says_it(store: Path, words: tuple[str, ...]) -> None:
    assert SAID in read_command(store, *words)


@pytest.mark.parametrize("place", ["", "/records/1", "/groups", "/groups/1", "/summary", "/rubric"])
def test_a_page_of_a_run_says_it(store: Path, pages: Served, place: str) -> None:
    with Store(store) as opened:
        run = opened.find_run("last").id
    page = pages.get(f"/runs/{run}{place}").text
    assert (SAID in page) or (place == "/rubric" and ", not validated" in page)


def test_the_page_of_two_runs_says_it(store: Path, pages: Served) -> None:
    with Store(store) as opened:
        first, second = opened.find_run("grade-5").id, opened.find_run("grade-2").id
    assert SAID in pages.get(f"/compare?first={first}&second={second}").text


@pytest.mark.parametrize("name", list_packs())
def test_a_rubric_is_marked_in_every_list_exactly_if_it_says_nothing_of_a_measurement(name: str) -> None:
    is_measured = bool(open_rubric(name).validation)
    listed = CliRunner().invoke(assay, ["rubric", "list"]).output.splitlines()
    row = next(line for line in SHIPPED.read_text(encoding="utf-8").splitlines() if line.startswith(f"| [`{name}`]"))
    shown = CliRunner().invoke(assay, ["rubric", "show", name]).output
    assert next(line for line in listed if line.split()[:1] == [name]).endswith("(not validated)") != is_measured
    assert row.endswith("| not validated |") != is_measured
    assert (", not validated -->" in shown) != is_measured


def test_an_agent_is_told_it_of_each_rubric() -> None:
    listed = Session([], {"embedded": "embedded"}, Budget()).list_rubrics()["rubrics"]
    assert {each["id"]: each["validated"] for each in listed} == {
        name: bool(open_rubric(name).validation) for name in list_packs()
    }
