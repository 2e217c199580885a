"""`assay judge` with a file for each system, side by side, and `assay rank`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import KEY, Ended, run, write_lines

from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

COUNT = 3


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    def write(system: str) -> Path:
        records = [
            {"article": f"Bridge {at} opened in May. It cost 3 million.", "summary": f"Bridge {at}, by {system}: open."}
            for at in range(COUNT)
        ]
        return write_lines(tmp_path / f"{system}.jsonl", records)

    return [write("alpha"), write("beta")]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with run_in_thread(ScriptedServer(answer_by_schema(5))) as server:
        yield server


def judge(server: ScriptedServer, files: list[Path], *flags: str) -> Ended:
    model = f"openai:x@{server.base_url}"
    store = files[0].parent / "a.db"
    fixed = ("--rubric", "article-audit", "--judge", model, "--store", store)
    return run("judge", *files, *fixed, *flags, environment=KEY)


def test_files_are_systems_and_each_record_meets_its_partner(server: ScriptedServer, files: list[Path]):
    ended = judge(server, files, "--side-by-side", "--format", "jsonl", "--quiet")
    assert (ended.code, len(ended.results)) == (0, 2 * COUNT)
    assert {result["system"] for result in ended.results} == {"alpha", "beta"}
    assert {result["mode"] for result in ended.results} == {"side_by_side"}
    samples = ended.results[0]["metrics"]["alignment"]["samples"]
    assert sorted(each["placement"]["letter"] for each in samples) == ["A", "B"]


def test_a_dry_run_counts_the_calls_that_are_sent(server: ScriptedServer, files: list[Path]):
    printed = judge(server, files, "--side-by-side", "--dry-run").out
    assert "Output B, with the mark" in printed
    counted = re.search(r", (\d+) calls", printed)
    assert counted is not None
    assert int(counted[1]) == COUNT + 2 * COUNT, "a bank and two orders for each source"
    assert not list(server.asked)


def test_the_systems_of_a_run_are_ranked(server: ScriptedServer, files: list[Path]):
    judge(server, files, "--side-by-side", "--quiet")
    store = files[0].parent / "a.db"
    printed = run("rank", "last", "--store", store)
    assert printed.code == 0
    assert "Coverage, by its grade side by side (an opinion)" in printed.out
    assert "First place minus later places" in printed.out
    found = json.loads(run("rank", "last", "--store", store, "--metric", "coverage", "--json").out)
    assert [each["system"] for each in found["coverage"]["systems"]] in (["alpha", "beta"], ["beta", "alpha"])
    wins = [sum(each["wins"].values()) for each in found["coverage"]["systems"]]
    assert sum(wins) == COUNT
    assert [(each["scored"], each["outputs"]) for each in found["coverage"]["systems"]] == [(COUNT, COUNT)] * 2


def test_a_ranking_says_how_many_outputs_have_no_score(server: ScriptedServer, files: list[Path]):
    """Of a system whose worst outputs were not scored the mean alone would look better."""
    blank = {"article": "Bridge 9 opened in May.", "summary": " "}
    with files[1].open("a", encoding="utf-8") as file:
        file.write(json.dumps(blank) + "\n")
    judge(server, files, "--side-by-side", "--quiet")
    assert f"{COUNT} of {COUNT + 1}!" in run("rank", "last", "--store", files[0].parent / "a.db").out


def test_the_page_shows_the_systems_who_wins_and_the_effect_of_position(server: ScriptedServer, files: list[Path]):
    hostile = files[1].rename(files[1].with_name("<script>alert(1)<b>.jsonl"))
    judge(server, [files[0], hostile], "--side-by-side", "--quiet")
    page = files[0].parent / "page.html"
    ended = run("rank", "last", "--store", files[0].parent / "a.db", "--html", page)
    assert (ended.code, ended.err) == (0, f"Wrote {page}\n")
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text
    assert "Coverage, by its grade side by side (an opinion)" in text
    assert text.count(": win rate ") == text.count(": mean ") == 2 * 5, "of both systems under each metric"
    assert "Who wins against whom" in text
    assert "the first place than in a later one" in text
    assert "http://" not in text
    piped = run("rank", "last", "--store", files[0].parent / "a.db", "--html", "-")
    assert piped.out == text


def test_runs_of_one_name_are_systems_of_their_own_and_a_run_given_twice_counts_once(
    server: ScriptedServer, files: list[Path]
):
    store = files[0].parent / "a.db"
    names = []
    for file in files:
        judge(server, [file], "--quiet", "--name", "nightly")
        names.append(run("runs", "list", "--store", store).out.split("nightly")[0].split()[-1])
    assert len(set(names)) == 2
    found = json.loads(run("rank", *names, names[0], "--store", store, "--metric", "relevance", "--json").out)
    assert {each["system"] for each in found["relevance"]["systems"]} == set(names)
    assert {each["outputs"] for each in found["relevance"]["systems"]} == {COUNT}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--metric", "style"), "there is no metric 'style'"),
        ((), "no source group has scores of two systems"),
    ],
)
def test_what_can_not_be_ranked_is_refused(server: ScriptedServer, files: list[Path], arguments, said):
    judge(server, files[:1], "--quiet")
    ended = run("rank", "last", "--store", files[0].parent / "a.db", *arguments)
    assert (ended.code, said in ended.err) == (2, True)


def test_a_run_side_by_side_is_not_compared_with_another_unless_told_to(server: ScriptedServer, files: list[Path]):
    judge(server, files, "--side-by-side", "--quiet", "--name", "beside")
    judge(server, files, "--quiet", "--name", "alone")
    compare = ("runs", "compare", "beside:alpha", "alone:alpha", "--store", files[0].parent / "a.db")
    refused = run(*compare)
    assert (refused.code, "side by side" in refused.err) == (2, True)
    assert run(*compare, "--anyway").code == 0


def test_two_files_of_one_name_are_refused(server: ScriptedServer, files: list[Path]):
    ended = judge(server, [files[0], files[0]], "--side-by-side")
    assert (ended.code, "two files have the same name" in ended.err) == (2, True)


def test_rounds_are_refused_without_outputs_side_by_side(server: ScriptedServer, files: list[Path]):
    ended = judge(server, files[:1], "--rounds", "2")
    assert (ended.code, "only applies with --side-by-side" in ended.err) == (2, True)


def test_outputs_side_by_side_are_refused_on_ray_before_anything_is_begun(server: ScriptedServer, files: list[Path]):
    """A group may be cut by the end of a worker's batch."""
    ended = judge(server, files[:1], "--side-by-side", "--engine", "ray", "--out", str(files[0].parent / "out"))
    assert (ended.code, "does not work on Ray" in ended.err) == (2, True)
    assert not (files[0].parent / "out").exists()


def test_metrics_without_any_score_are_one_line_in_the_table_and_on_the_page(tmp_path: Path):
    """The built-in judge gives no opinions, and looks at one output at a time."""
    store, record = tmp_path / "a.db", {"article": "The bridge opened in May. It cost 86 million."}
    files = [
        write_lines(tmp_path / f"{system}.jsonl", [{**record, "summary": summary}])
        for system, summary in (("alpha", "It cost 86 million."), ("beta", "It cost 97 million."))
    ]
    run("judge", *files, "--rubric", "article-audit", "--store", store, "--quiet")
    unscored = "Not scored: Coverage, Alignment, Relevance, Bias and toxicity."
    lines = run("rank", "last", "--store", store).out.splitlines()
    assert [line for line in lines if line.startswith("Not scored: ")] == [unscored]
    page = run("rank", "last", "--store", store, "--html", "-").out
    assert f"<p>{unscored}</p>" in page
    assert page.count("Who wins against whom") == 1, "under the metric that has scores"
    assert 'id="coverage"' not in page
