"""`assay judge` from records to results: what goes where, and which exit code it ends in."""

import csv
import json
from pathlib import Path

import pytest
from shell import Ended, ask_server, opinion, play_judge, reply, run, write_lines

from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

RUBRIC = ("--rubric", "opinion-relevance")
JSONL = ("--format", "jsonl")


def judge(records: Path, replies: list[dict], *more: object) -> Ended:
    path = write_lines(records.parent / "replies.jsonl", replies)
    return run("judge", records, *RUBRIC, "--judge", f"recorded:{path}", *more)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "records.jsonl", [opinion(name) for name in "abc"])


def test_results_go_to_standard_output_and_the_summary_to_standard_error(records: Path) -> None:
    ended = judge(records, [reply(name) for name in "abc"], *JSONL)
    assert ended.code == 0
    assert [result["record"] for result in ended.results] == ["a", "b", "c"]
    assert "3 of 3" in ended.err
    assert "\x1b" not in ended.out + ended.err


def test_of_many_records_the_ten_worst_are_printed_and_the_command_that_prints_all(tmp_path: Path) -> None:
    names = [f"r{number:02}" for number in range(30)]
    records = write_lines(tmp_path / "records.jsonl", [opinion(name) for name in names])
    replies = [reply(name, 2 if name in {"r04", "r27"} else 4) for name in names]
    ended = judge(records, replies)
    listed = [line.split()[0] for line in ended.out.splitlines() if line[:1] == "r" and line[1:3].isdigit()]
    assert ended.out.startswith("The 10 worst of 30 records:")
    assert listed == ["r04", "r27", *(name for name in names if name not in {"r04", "r27"})][:10]
    (command,) = [line.partition(": ")[2] for line in ended.err.splitlines() if line.startswith("All 30 records: ")]
    assert all(name in run(*command.split()[1:]).out for name in names)
    out = tmp_path / "table.txt"
    judge(records, replies, "--out", out)
    assert all(name in out.read_text(encoding="utf-8") for name in names)


def test_the_table_is_printed_once_and_the_summary_does_not_join_it(records: Path) -> None:
    ended = judge(records, [reply(name) for name in "abc"])
    assert [line.split() for line in ended.out.splitlines() if line[:2] in {"a ", "b ", "c "}] == [
        ["a", "4"], ["b", "4"], ["c", "4"]
    ]  # fmt: skip
    assert "3 of 3" in ended.err
    assert "3 of 3" not in ended.out
    out = records.parent / "table.txt"
    assert judge(records, [reply(name) for name in "abc"], "--out", out).out == ""
    assert out.read_text() == ended.out


def test_quiet_leaves_the_results_alone_on_both_streams(records: Path) -> None:
    ended = judge(records, [reply(name) for name in "abc"], *JSONL, "--quiet")
    assert (ended.code, ended.err, len(ended.results)) == (0, "", 3)


def test_out_takes_the_results_and_leaves_standard_output_empty(records: Path) -> None:
    out = records.parent / "out.jsonl"
    out.write_text("an older and longer content, to be replaced\n" * 100)
    ended = judge(records, [reply(name) for name in "abc"], *JSONL, "--out", out)
    assert (ended.code, ended.out) == (0, "")
    assert [json.loads(line)["record"] for line in out.read_text().splitlines()] == ["a", "b", "c"]


def test_a_column_stands_for_a_field_under_map(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["key", "opinions", "text"], ["a", '["Good.", "Good!"]', "It is good."]])
    mapping = ("--map", "id=key", "--map", "reviews=opinions", "--map", "product_opinion_summary=text")
    ended = judge(path, [reply("a", 5)], *JSONL, *mapping)
    assert [(each["record"], each["metrics"]["relevance"]["score"]) for each in ended.results] == [("a", 5)]


def test_fields_that_no_rubric_knows_are_listed_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "records.jsonl", [opinion("a", colour="red"), opinion("b", colour="blue")])
    ended = judge(path, [reply("a"), reply("b")], *JSONL)
    assert ended.err.count("fields that the rubric does not use: colour") == 1


def test_an_article_of_a_megabyte_gets_its_outcome(tmp_path: Path) -> None:
    article = "The council of Marlow Bay voted on the tram line in March. " * 17_000
    record = {"id": "a", "article": article, "summary": "The council of Marlow Bay voted on the tram line."}
    claim = {"claim": record["summary"], "status": "Supported", "justification": "It says so."}
    text = json.dumps({"metric": "hallucination", "claims_checked": [claim], "overall_score": 10})
    replies = write_lines(tmp_path / "replies.jsonl", [{"record": "a", "ask": "article-audit", "text": text}])
    path = write_lines(tmp_path / "records.jsonl", [record])
    ended = run("judge", path, "--rubric", "article-audit", "--judge", f"recorded:{replies}", *JSONL)
    assert ended.code == 0
    assert len(article) > 1_000_000
    metrics = ended.results[0]["metrics"]
    assert (metrics["hallucination"]["score"], metrics["coverage"]["status"]) == (10, "malformed")


def test_a_record_with_a_missing_reply_fails_without_a_score_and_the_run_goes_on(records: Path) -> None:
    ended = judge(records, [reply("a"), reply("c")], *JSONL)
    assert ended.code == 0
    metric = ended.results[1]["metrics"]["relevance"]
    assert (metric["status"], metric["score"], metric["raw"], metric["interval"]) == ("unreachable", None, None, None)
    assert "1 unreachable" in ended.err
    assert "2 of 3" in ended.err


def test_skip_invalid_keeps_a_bad_record_as_an_outcome(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "records.jsonl", [opinion("a"), {"id": "b", "system": "two", "reviews": 3}])
    path.write_text(path.read_text() + "{broken\n")
    ended = judge(path, [reply("a")], *JSONL, "--skip-invalid")
    assert ended.code == 0
    assert [result["metrics"]["relevance"]["status"] for result in ended.results] == ["ok", *["invalid_record"] * 2]
    assert (ended.results[1]["record"], ended.results[1]["system"]) == ("b", "two")
    assert "line 3" in ended.results[2]["record"]


def test_more_failures_than_allowed_end_in_exit_1_and_begin_nothing_new(tmp_path: Path) -> None:
    names = [f"r{number}" for number in range(50)]
    path = write_lines(tmp_path / "records.jsonl", [opinion(name) for name in names])
    ended = judge(path, [], *JSONL, "--max-failures", 2, "--workers", 1)
    assert ended.code == 1
    assert [result["record"] for result in ended.results] == names[:3]
    allowed = judge(path, [reply("r2")], "--limit", 3, "--max-failures", 2)
    assert allowed.code == 0, "as many as allowed are no failure of the run"
    assert judge(path, [], "--limit", 2, "--max-failures", 2).code == 1, "every one of them is"
    assert "more than 2 records failed; 3 of 50 records are judged and kept" in ended.err


def test_a_dry_run_prints_prompts_and_counts_and_calls_nothing(records: Path) -> None:
    with run_in_thread(ScriptedServer()) as server:
        ended = run(*ask_server(server, records), "--dry-run")
        assert server.calls == 0
    assert ended.code == 0
    assert "[user]" in ended.out
    assert "the arm sags" in ended.out
    # Three records that are alike: their items are asked for once, and so is their relevance.
    assert "3 records, 57 words, 2 calls (up to 6 with retries for invalid replies). Nothing was sent." in ended.out


def test_a_dry_run_counts_the_calls_that_a_run_makes(records: Path) -> None:
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        asked = ask_server(server, records)
        bank = ("--bank", records.parent / "bank.jsonl")
        run(*asked, *bank, "--limit", 1)
        assert ", 1 call (up to 3 " in run(*asked, *bank, "--dry-run").out
        assert ", 2 calls" in run(*asked, "--dry-run").out
        assert ", 2 calls" in run(*asked, "--joint", "--dry-run").out
        assert ", 4 calls" in run(*asked, "--no-cache", "--dry-run").out


def test_what_was_recorded_replays_to_the_same_results(records: Path) -> None:
    recording = records.parent / "recording.jsonl"
    with run_in_thread(ScriptedServer(play_judge)) as server:
        asked = ("--base-url", server.base_url, "--record", recording)
        first = run("judge", records, *RUBRIC, "--judge", "openai:m", *asked, *JSONL)
    second = run("judge", records, *RUBRIC, "--judge", f"recorded:{recording}", *JSONL)
    assert first.code == second.code == 0
    assert [strip(result) for result in second.results] == [strip(result) for result in first.results]
    assert first.results[0]["metrics"]["relevance"]["score"] is not None
    assert first.results[0]["run"] != second.results[0]["run"]


def strip(result: dict) -> dict:
    """All but what names the run and who judged."""
    return {key: value for key, value in result.items() if key not in {"run", "judge"}}


def test_one_reply_goes_to_standard_output_or_to_a_file(records: Path) -> None:
    first = judge(records, [reply("a", 3)], "--format", "reply", "--limit", 1)
    assert first.code == 0
    assert first.out.endswith("Score- <score>3</score>\n")
    out = records.parent / "reply.txt"
    second = judge(records, [reply("a", 3)], "--format", "reply", "--limit", 1, "--out", out)
    assert (second.out, out.read_text()) == ("", first.out)


def test_several_replies_go_to_a_folder_one_file_each(records: Path) -> None:
    out = records.parent / "replies"
    ended = judge(records, [reply(name, score) for name, score in zip("abc", (1, 2, 3), strict=True)],
                  "--format", "reply", "--out", out)  # fmt: skip
    assert ended.code == 0
    assert sorted(path.name for path in out.iterdir()) == ["a.txt", "b.txt", "c.txt"]
    assert out.joinpath("b.txt").read_text().endswith("Score- <score>2</score>\n")


def test_hostile_ids_stay_inside_the_folder(tmp_path: Path) -> None:
    plain = ["con", "x" * 400, "ünïcode 日本", ".hidden", "a/b", "a_b", "A_B", "", "nul.txt"]
    names = [*plain, "../../x", "\x1b[31mred", "[/x]"]
    path = write_lines(tmp_path / "records.jsonl", [opinion(name, system="../../y") for name in names])
    out = tmp_path / "deep" / "replies"
    ended = judge(path, [reply(name) for name in names], "--format", "reply", "--out", out)
    assert ended.code == 0
    assert len(list(out.iterdir())) == len(names)
    assert sorted(each.name for each in tmp_path.iterdir()) == [".assay", "deep", "records.jsonl", "replies.jsonl"]


def test_hostile_ids_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    names = ["[/x]", "[bold]b", ":smile:", "\x1b[31mred\r", "a\nb"]
    path = write_lines(tmp_path / "records.jsonl", [opinion(name) for name in names])
    ended = judge(path, [reply(name) for name in names[:-1]])
    assert ended.code == 0
    for shown in ("[/x]", "[bold]b", ":smile:"):
        assert shown in ended.out
    assert "\x1b" not in ended.out + ended.err
    assert "\r" not in ended.out


def test_a_reply_with_half_a_surrogate_pair_or_a_giant_number_does_not_cost_the_run(records: Path) -> None:
    text = '{"hallucination": 5, "hallucination_reasoning": "odd \\ud800", "accuracy": ' + "9" * 40 + ', "clarity": 3}'
    record = {
        "id": "a", "user_input": "May I?", "patient_profile": "A man of 50.", "trial_id": "NCT01234567",
        "trial_title": "T", "eligibility_criteria": "Adults.", "workflow_answer": "Likely Eligible.",
    }  # fmt: skip
    path = write_lines(records.parent / "trial.jsonl", [record])
    replies = write_lines(records.parent / "odd.jsonl", [{"record": "a", "ask": "trial-eligibility", "text": text}] * 3)
    ended = run("judge", path, "--rubric", "trial-eligibility", "--judge", f"recorded:{replies}", *JSONL)
    assert ended.code == 0
    assert ended.results[0]["metrics"]["clarity"]["score"] == 3
    assert ended.results[0]["metrics"]["accuracy"]["score"] is None


def test_a_dry_run_counts_the_calls_of_every_model_and_sample(records: Path) -> None:
    models = ("--judge", "openai:m", "--judge", "anthropic:n", "--judge", "embedded", "--samples", "3")
    # One bank, and three records that are alike, about which two models are asked three times.
    said = run("judge", records, *RUBRIC, *models, "--dry-run").out
    assert ", 7 calls (up to 21 with retries for invalid replies). Nothing" in said
    assert ", 19 calls (up to 57 with" in run("judge", records, *RUBRIC, *models, "--no-cache", "--dry-run").out
    alone = run("judge", records, *RUBRIC, "--dry-run").out
    assert ", 2 calls (up to 6 with retries for invalid replies), if a language model were the judge. Nothing" in alone
