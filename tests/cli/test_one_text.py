"""`assay judge --source FILE --output FILE`, and `assay.judge_text()`: one output against its sources."""

from pathlib import Path

import pytest
from shell import run

import assay
from assay.files.rubrics import open_rubric
from assay.files.texts import build_values
from assay.packs.default import DEFAULT

FARES = "A bicycle costs 22 kroner extra. It must be booked by noon of the day before."
WRONG = "A bicycle costs 32 kroner extra."
QUERY = "What does a bicycle cost?"
TEXTS = ("--source", "fares.txt", "--output", "answer.txt")
ASKED = (*TEXTS, "--query", QUERY)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"fares.txt": FARES, "more.txt": "The crossing takes 35 minutes.", "answer.txt": WRONG}.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("blank.txt").write_text(" \n", encoding="utf-8")
    Path("latin.txt").write_bytes(b"caf\xe9")
    Path("records.jsonl").write_text("{}\n", encoding="utf-8")
    return tmp_path


def test_one_text_is_explained_as_the_store_explains_it() -> None:
    ended = run("judge", *ASKED, "--quiet")
    assert ended.code == 0
    assert "Faithfulness" in ended.out
    assert "“A bicycle costs 32 kroner extra.”" in ended.out
    assert run("runs", "show", "last", "--explain", "answer.txt").out == ended.out


def test_the_record_is_named_after_its_output_and_sources_are_titled_by_their_files() -> None:
    ended = run("judge", *ASKED, "--source", "more.txt", "--dry-run")
    assert ended.code == 0
    assert "fares.txt" in ended.out
    assert "more.txt" in ended.out
    assert QUERY in ended.out
    [result] = run("judge", *ASKED, "--format", "jsonl", "--quiet").results
    assert (result["record"], result["rubric"]["id"]) == ("answer.txt", DEFAULT)


def test_lines_for_programs_come_without_an_explanation() -> None:
    ended = run("judge", *ASKED, "--format", "jsonl", "--quiet")
    assert len(ended.results) == 1
    assert ended.err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--source", "fares.txt", "--output", "gone.txt"), ["gone.txt: there is no such file"]),
        (("--source", "gone.txt", "--output", "answer.txt"), ["gone.txt: there is no such file"]),
        (("--source", ".", "--output", "answer.txt"), ["not a regular file"]),
        (("--source", "latin.txt", "--output", "answer.txt"), ["latin.txt:1: the file is not UTF-8", "Save it as UTF-8"]),
        (("--source", "fares.txt", "--output", "blank.txt"), ["blank.txt: the file holds no text"]),
        (("--source", "blank.txt", "--output", "answer.txt"), ["blank.txt: the file holds no text"]),
        (("records.jsonl", *TEXTS), ["RECORDS and --source and --output can't be given together"]),
        (("records.jsonl", "--query", "x", "--rubric", "article-audit"), ["RECORDS and --query can't"]),
        (("--source", "fares.txt"), ["--source needs --output too"]),
        (("--output", "answer.txt"), ["--output needs --source too"]),
        (("--query", "x"), ["--query needs --output too"]),
        ((), ["there is nothing to judge", "--source FILE --output FILE"]),
        (("records.jsonl",), ["no rubric is given", "--rubric"]),
        ((*TEXTS, "--rubric", "search-summary"), ["search-summary needs a query (user_query)", "--query TEXT"]),
        ((*ASKED, "--rubric", "article-audit"), ["article-audit has no input for a query"]),
        ((*TEXTS, "--source", "more.txt", "--rubric", "article-audit"), ["takes one text as article, 2 given"]),
        ((*TEXTS, "--rubric", "opinion-relevance"), ["its inputs are product_title (source, text), description"]),
        ((*ASKED, "--rubric", "comparison-faithfulness"), ["products (source, objects)", "Write a file of records"]),
        ((*ASKED, "--rubric", "trial-eligibility"), ["patient_profile (source, text), trial_id (source, text)"]),
        ((*ASKED, "--limit", "1"), ["--limit is for a file of records"]),
        ((*ASKED, "--map", "a=b"), ["--map is for a file of records"]),
        ((*ASKED, "--skip-invalid"), ["--skip-invalid is for a file of records"]),
        ((*ASKED, "--out", "answer.txt"), ["this file holds the text that is judged"]),
        ((*ASKED, "--out", "fares.txt"), ["this file holds a source"]),
        ((*ASKED, "--explain", "other"), ["has no record 'other'"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_what_cannot_be_judged_is_refused_with_what_to_write(arguments: tuple[str, ...], said: list[str]) -> None:
    ended = run("judge", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert all(words in ended.err for words in said), ended.err
    assert Path("answer.txt").read_text() == WRONG
    assert not Path(".assay").exists()


@pytest.mark.parametrize(
    ("rubric", "more", "metric"),
    [
        ("article-audit", (), "hallucination"),
        ("search-summary", ("--query", QUERY, "--source", "more.txt"), "hallucination"),
        (DEFAULT, ("--query", QUERY, "--source", "more.txt"), "faithfulness"),
    ],
)
def test_any_rubric_whose_inputs_fit_can_judge_one_text(rubric: str, more: tuple[str, ...], metric: str) -> None:
    ended = run("judge", *TEXTS, *more, "--rubric", rubric, "--format", "jsonl", "--quiet")
    assert (ended.code, ended.results[0]["metrics"][metric]["status"]) == (0, "ok")


def test_a_stopped_run_of_one_text_can_be_resumed() -> None:
    run("judge", *ASKED, "--quiet")
    again = run("judge", *ASKED, "--resume", "last", "--quiet")
    assert again.code == 0
    assert "answer.txt" in again.out


@pytest.mark.parametrize(
    "sources",
    [FARES, [FARES], [{"title": "Fares", "url": "https://a.example", "content": FARES}], {"content": FARES}],
    ids=["text", "texts", "documents", "document"],
)
def test_python_takes_sources_as_texts_and_as_documents(sources: object) -> None:
    result = assay.judge_text(WRONG, sources, QUERY)  # type: ignore[arg-type]
    [said] = run("judge", *ASKED, "--format", "jsonl", "--quiet").results
    assert result.metrics["faithfulness"].score == said["metrics"]["faithfulness"]["score"]


def test_python_passes_options_on_and_refuses_what_does_not_fit(tmp_path: Path) -> None:
    assay.judge_text(WRONG, FARES, rubric="article-audit", store=tmp_path / "runs.db")
    assert "article-audit" in run("runs", "list", "--store", tmp_path / "runs.db").out
    with pytest.raises(assay.InputError, match="needs a query"):
        assay.judge_text(WRONG, FARES, rubric="search-summary")
    with pytest.raises(assay.InputError, match="sources is an empty list"):
        assay.judge_text(WRONG, [], QUERY)


def test_a_blank_output_from_python_is_a_result_without_a_score() -> None:
    assert {each.status for each in assay.judge_text(" ", FARES, QUERY).metrics.values()} == {"empty_input"}


def test_a_rubric_of_texts_gets_the_contents_without_titles() -> None:
    text = open_rubric(DEFAULT).text.replace("| sources | source | documents |", "| sources | source | texts |")
    Path("mine.md").write_text(text.replace("id: grounded-answer", "id: mine"), encoding="utf-8")
    values = build_values(open_rubric("mine.md"), WRONG, [{"title": "a", "content": FARES}, FARES], QUERY, name="r")
    assert values == {"id": "r", "sources": [FARES, FARES], "answer": WRONG, "question": QUERY}


def test_without_a_query_only_what_needs_none_is_scored() -> None:
    [said] = run("judge", *TEXTS, "--format", "jsonl", "--quiet").results
    scored = {name for name, each in said["metrics"].items() if each["status"] == "ok"}
    assert scored == {"faithfulness"}
    assert said["metrics"]["refusal"]["reason"] == "no query was given"
    assert "Answer relevancy, Completeness, Right refusal not scored: no query was given" in run("judge", *TEXTS).out
