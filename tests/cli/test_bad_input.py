"""Whatever a user gets wrong ends in exit 2 and one sentence: the place, the fault, what to write instead."""

import json
from pathlib import Path

import pytest
from shell import opinion, reply, run, run_apart, write_lines

PRODUCT = {"product_title": "A", "base_price": 10, "final_price": 9, "product_opinion_summary": "Good."}
COMPARISON = {"query": "a kettle", "products": [PRODUCT] * 3, "comparative_summary": "A costs 9."}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "records.jsonl", [opinion("a"), opinion("b")])


@pytest.fixture
def judge(tmp_path: Path) -> str:
    return f"recorded:{write_lines(tmp_path / 'replies.jsonl', [reply('a'), reply('b')])}"


def judge_records(path: Path, *more: object, rubric: str = "opinion-relevance") -> str:
    """What is said about it, after checking that it is said as an input error."""
    return expect_refusal("judge", path, "--rubric", rubric, "--judge", "recorded:none", *more)


def expect_refusal(*arguments: object) -> str:
    ended = run(*arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert "Traceback" not in ended.err
    assert ended.err.startswith("assay: ")
    assert len(ended.err.splitlines()) == 1
    return ended.err


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    assert judge_records(path) == f"assay: {path}: the file is empty. Write one record per line.\n"


def test_a_file_in_another_encoding_is_named_with_its_line_and_byte(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes(json.dumps(opinion("a")).encode() + b'\n{"id": "b", "reviews": ["caf\xe9"]}\n')
    said = judge_records(path)
    assert f"{path}:2: " in said
    assert "not UTF-8: byte 0xe9" in said
    assert "Save it as UTF-8" in said


def test_broken_json_is_named_with_its_line(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "broken.jsonl", [opinion("a"), opinion("b")])
    path.write_text(path.read_text() + '{"id": "c", "reviews": [}\n')
    said = judge_records(path)
    assert f"{path}:3: the JSON is broken at column" in said
    assert "Write" in said


def test_a_record_without_a_required_field_names_the_field_and_the_fields_it_has(tmp_path: Path) -> None:
    record = opinion("a")
    del record["product_opinion_summary"]
    said = judge_records(write_lines(tmp_path / "r.jsonl", [opinion("z"), record]))
    assert "r.jsonl:2: product_opinion_summary is absent; the fields here are: id, reviews" in said
    assert "--map product_opinion_summary=" in said


def test_two_products_in_place_of_three_are_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "r.jsonl", [COMPARISON | {"products": [PRODUCT] * 2}])
    said = judge_records(path, rubric="comparison-faithfulness")
    assert "r.jsonl:1: " in said
    assert "products" in said
    assert "2" in said
    assert "3" in said


def test_a_duplicate_id_names_both_lines(tmp_path: Path) -> None:
    said = judge_records(write_lines(tmp_path / "r.jsonl", [opinion("a"), opinion("b"), opinion("a")]))
    assert "r.jsonl:3: the id 'a' is already used at line 1" in said
    assert "Give each record its own id" in said


def test_an_unknown_rubric_is_answered_with_the_nearest(records: Path) -> None:
    said = judge_records(records, rubric="opinion-relevence")
    assert "opinion-relevence" in said
    assert "opinion-relevance" in said


def test_a_rubric_with_a_slip_is_named_with_file_and_line(records: Path, tmp_path: Path) -> None:
    rubric = tmp_path / "mine.md"
    rubric.write_text(
        run("rubric", "show", "opinion-relevance").out.replace("- rule: coverage and", "- rule: covrage and")
    )
    said = judge_records(records, rubric=str(rubric))
    assert said.startswith(f"assay: {rubric}:")
    assert "covrage and excess" in said
    assert "coverage and excess" in said


@pytest.mark.parametrize(
    ("judge", "remedy"),
    [
        ("gpt-4o", "openai:gpt-4o"),
        ("opena:gpt-4o", "openai:gpt-4o"),
        ("openai:", "openai:MODEL"),
        ("recorded:nowhere/replies.jsonl", "JSON lines"),
    ],
)
def test_an_unknown_judge_is_answered_with_what_can_be_written(records: Path, judge: str, remedy: str) -> None:
    said = expect_refusal("judge", records, "--rubric", "opinion-relevance", "--judge", judge)
    assert remedy in said


def test_an_address_without_a_model_is_an_input_error_that_says_how_to_name_one(records: Path) -> None:
    said = expect_refusal("judge", records, "--rubric", "opinion-relevance", "--base-url", "http://localhost:1/v1")
    assert said == "assay: the embedded judge has no address. Name the model at that address: openai:MODEL.\n"


@pytest.mark.parametrize(("judge", "variable"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
def test_a_missing_key_names_its_variable(records: Path, judge: str, variable: str) -> None:
    said = expect_refusal("judge", records, "--rubric", "opinion-relevance", "--judge", judge)
    assert f"{variable} is not set" in said
    assert f"Set {variable}" in said


def test_an_unknown_format_lists_the_formats(records: Path) -> None:
    said = judge_records(records, "--format", "xml")
    for form in ("xml", "table", "jsonl", "reply", "assay judge --help"):
        assert form in said


def test_a_missing_option_and_a_misspelt_one_point_to_the_help(records: Path) -> None:
    assert "--rubric" in expect_refusal("judge", records)
    said = expect_refusal("judge", records, "--rubrik", "x")
    assert "--rubric" in said
    assert "assay judge --help" in said


def test_an_unknown_command_is_answered_with_the_nearest() -> None:
    assert "judge" in expect_refusal("juge")


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_an_output_that_cannot_be_written_is_named_before_any_call(records: Path, judge: str, form: str) -> None:
    out = records.parent / "no such folder" / "out"
    said = expect_refusal(
        "judge", records, "--rubric", "opinion-relevance", "--judge", judge, "--format", form, "--out", out
    )
    assert said.startswith(f"assay: {out}: ")
    assert "existing, writable folder" in said


def test_results_do_not_go_into_a_folder(records: Path, judge: str) -> None:
    out = records.parent
    said = expect_refusal(
        "judge", records, "--rubric", "opinion-relevance", "--judge", judge, "--format", "jsonl", "--out", out
    )
    assert said == f"assay: {out}: is a folder. Name a file as --out.\n"


def test_several_replies_need_a_folder(records: Path, judge: str, tmp_path: Path) -> None:
    asked = ("judge", records, "--rubric", "opinion-relevance", "--judge", judge, "--format", "reply")
    assert "--out FOLDER" in expect_refusal(*asked)
    taken = tmp_path / "taken"
    taken.write_text("kept")
    assert "need a folder" in expect_refusal(*asked, "--out", taken)
    assert "can't be written" in expect_refusal(*asked, "--out", taken / "below")
    assert taken.read_text() == "kept"


@pytest.mark.parametrize("option", ["--out", "--record", "--bank"])
def test_the_records_are_never_overwritten(records: Path, judge: str, option: str) -> None:
    before = records.read_text()
    said = expect_refusal("judge", records, "--rubric", "opinion-relevance", "--judge", judge, option, records)
    assert "this file holds the records" in said
    assert records.read_text() == before


def test_a_run_that_never_starts_keeps_the_results_of_the_last(records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("yesterday\n")
    judge_records(records, "--format", "jsonl", "--out", out)
    assert out.read_text() == "yesterday\n"


@pytest.mark.parametrize(
    ("mapping", "remedy"),
    [
        ("product_opinion_summary", "--map field=column"),
        ("sumary=text", "product_opinion_summary"),
        ("product_opinion_summary=txt", "text"),
    ],
)
def test_a_mapping_with_a_slip_is_answered_with_the_nearest(tmp_path: Path, mapping: str, remedy: str) -> None:
    record = {"id": "a", "reviews": ["Fine."], "text": "It is fine."}
    said = judge_records(write_lines(tmp_path / "r.jsonl", [record]), "--map", mapping)
    assert mapping.rpartition("=")[2] in said or mapping.partition("=")[0] in said
    assert remedy in said


def test_a_broken_bank_is_named_before_any_call_and_before_the_results_are_touched(records: Path, judge: str) -> None:
    bank, out = records.parent / "bank.jsonl", records.parent / "out.jsonl"
    bank.write_text("no json\n")
    said = expect_refusal(
        "judge", records, "--rubric", "opinion-relevance", "--judge", judge, "--bank", bank, "--out", out
    )
    assert f"{bank}:1: " in said
    assert not out.exists()


def test_a_broken_recording_is_named_with_its_line(records: Path) -> None:
    path = write_lines(records.parent / "replies.jsonl", [reply("a"), {"record": "b", "ask": "x"}])
    said = expect_refusal("judge", records, "--rubric", "opinion-relevance", "--judge", f"recorded:{path}")
    assert f"{path}:2: the line has no `text`" in said


def test_a_bad_input_in_a_process_of_its_own_says_so_on_standard_error_and_exits_2(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("")
    ended = run_apart("judge", path, "--rubric", "opinion-relevance", "--judge", "recorded:x")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"assay: {path}: the file is empty. Write one record per line.\n"


def test_labels_with_semicolons_are_named_with_what_to_do(tmp_path: Path, records: Path, judge: str) -> None:
    assert run("judge", records, "--rubric", "opinion-relevance", "--judge", judge, "--quiet").code == 0
    path = tmp_path / "labels.csv"
    path.write_text("record;metric;person;label\na;relevance;Ada;4\n", encoding="utf-8")
    for command in (("agree", "last", "--labels", path), ("labels", "import", path, "--run", "last")):
        said = expect_refusal(*command)
        assert f"{path}:1: the columns are not separated by commas. Save it" in said


def test_an_error_of_shared_code_names_flags_in_the_shell(records: Path) -> None:
    """Python users read `samples`, an argument; shell users read --samples."""
    ended = run("judge", records, "--rubric", "opinion-relevance", "--samples", "3")
    assert "leave out --samples" in ended.err
    run("judge", records, "--rubric", "opinion-relevance", "--quiet")
    ended = run("report", "last", "--fail-under", "relevance")
    assert ended.err.startswith("assay: --fail-under 'relevance' has no threshold. Write --fail-under METRIC=GOODNESS")
