"""Providers and addresses as the command line takes them."""

import json

import pytest
from shell import run, write_lines

from equipment.chat_server.server import ScriptedServer, run_in_thread

RECORD = {
    "id": "en",
    "article": "The bridge opened in May. It cost the town two million. Many came to see it.",
    "summary": "The new bridge opened in May. It cost two million, and many people came to the feast.",
}
SECRET = "sk-secret-0123456789abcdef"
OWN = '[providers.house]\nwire = "anthropic"\nbase_url = "https://models.invalid"\nkey_variable = "HOUSE_API_KEY"\n'


@pytest.fixture
def records(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_lines(tmp_path / "r.jsonl", [RECORD])


def test_a_panel_has_an_address_for_each_judge_and_keeps_no_secret(records, tmp_path):
    (tmp_path / "assay.toml").write_text(OWN)
    with run_in_thread(ScriptedServer()) as first, run_in_thread(ScriptedServer()) as second:
        judges = ("--judge", f"vllm:a@{first.base_url}?token={SECRET}", "--judge", f"house:b@{second.base_url}")
        asked = ("judge", records, "--rubric", "article-audit", *judges, "--format", "jsonl", "--store", "s.db")
        ended = run(*asked, environment={"HOUSE_API_KEY": SECRET})
        [result] = [json.loads(line) for line in ended.out.splitlines()]
        assert [name.partition("/")[0] for name in result["judge"].split(" + ")] == ["vllm:a", "house:b"]
        assert {each.api for each in first.asked} == {"openai"}
        assert {each.api for each in second.asked} == {"anthropic"}
        assert {each.headers["x-api-key"] for each in second.asked} == {SECRET}
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("s.db*"))
    assert SECRET.encode() not in kept + ended.out.encode() + ended.err.encode()


def test_a_dry_run_shows_where_each_model_is_asked(records):
    ended = run("judge", records, "--rubric", "article-audit", "--judge", "groq:m", "--judge", "ollama:n", "--dry-run")
    first, second = [line for line in ended.out.splitlines() if " at http" in line]
    assert first.startswith("groq:m at https://api.groq.com/openai/v1, openai format, key GROQ_API_KEY (not set)")
    assert second.startswith("ollama:n at http://localhost:11434/v1, openai format, key OLLAMA_API_KEY (not set)")


@pytest.mark.parametrize(
    ("text", "judge", "words"),
    [
        (OWN + "schema = 3\n", "openai:m", "assay.toml:5: `schema` is 3. Write a list of tool and output_config"),
        (OWN, "hause:m", "Did you mean house:m?"),
        ("", "parrot:m", "Providers are openai, anthropic, azure"),
        ("", "local:nowhere", "nowhere: there is no such folder"),
    ],
)
def test_a_wrong_judge_or_entry_ends_with_2(records, tmp_path, text, judge, words):
    (tmp_path / "assay.toml").write_text(text)
    ended = run("judge", records, "--rubric", "article-audit", "--judge", judge, environment={"OPENAI_API_KEY": "k"})
    assert ended.code == 2
    assert words in ended.err
