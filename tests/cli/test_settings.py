"""Defaults of a project: where they are found, which value counts, and what is refused."""

import json
import re
from pathlib import Path

import pytest
from shell import run, write_lines

import assay
from assay.api.settings import KEYS
from equipment.chat_server.server import ScriptedServer, run_in_thread

RECORD = {
    "id": "en",
    "article": "The bridge opened in May. It cost the town two million. Many came to see it.",
    "summary": "The new bridge opened in May. It cost two million, and many people came to the feast.",
}
OWN_LINES = 'wire = "openai"\nbase_url = "http://localhost:1/v1"\n'
REMOTE = '[providers.house]\nwire = "openai"\nbase_url = "https://models.invalid"\nkey_variable = "HOME"\n'

pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "r.jsonl", [RECORD])
    return tmp_path


def show(*options: object) -> dict[str, tuple[str, str]]:
    """Each setting with its value and source, as `assay config` prints them."""
    ended = run("config", *options)
    assert ended.code == 0, ended.err
    rows = [re.split(r" {2,}", line.strip()) for line in ended.out.splitlines()[2:]]
    return {name: (value, source) for name, value, source in rows}


def test_every_setting_is_a_row() -> None:
    assert set(show()) == set(KEYS)


def test_the_command_line_goes_before_the_file_and_the_file_before_what_is_built_in() -> None:
    Path("assay.toml").write_text(
        '# ours\njudge = ["embedded", "vllm:m"]\nworkers = 3\n\n[providers.own]\n' + OWN_LINES
    )
    shown = show("--workers", 5)
    assert shown["judge"] == ("embedded, vllm:m", "assay.toml:2")
    assert shown["workers"] == ("5", "command line")
    assert shown["timeout"] == ("120.0", "built-in")
    assert shown["providers.own"] == ("http://localhost:1/v1", "assay.toml:5")


def test_a_run_takes_rubric_judge_store_and_limits_from_the_file() -> None:
    with run_in_thread(ScriptedServer()) as server:
        own = f'[providers.house]\nwire = "openai"\nbase_url = "{server.base_url}"\n'
        head = 'rubric = "article-audit"\njudge = "house:m"\nstore = "runs.db"\nbudget_tokens = 10\n'
        Path("assay.toml").write_text(head + own)
        ended = run("judge", "r.jsonl", "--format", "jsonl")
        assert (ended.code, server.calls) == (3, 0)
        again = run("judge", "r.jsonl", "--format", "jsonl", "--budget-tokens", 1_000_000)
    assert again.code == 0, again.err
    assert json.loads(again.out)["judge"].startswith("house:m/")
    assert Path("runs.db").is_file()
    assert not Path(".assay").exists()
    assert run("runs", "list").out.count("article-audit") == 2


@pytest.mark.parametrize(
    ("name", "heading"), [("assay.toml", ""), ("pyproject.toml", '[project]\nname = "x"\n\n[tool.assay]\n')]
)
def test_a_file_of_a_parent_counts_up_to_the_root_of_the_repository(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, heading: str
) -> None:
    (folder / name).write_text(heading + 'rubric = "own.md"\nstore = "runs.db"\njudge = "recorded:replies.jsonl"\n')
    (folder / "replies.jsonl").touch()
    (folder / "inner" / "deep").mkdir(parents=True)
    monkeypatch.chdir(folder / "inner" / "deep")
    assert show()["store"] == (".assay/assay.db", "built-in")
    (folder / ".git").mkdir()
    assert assay.read_settings() == {
        "rubric": str(folder / "own.md"),
        "store": str(folder / "runs.db"),
        "judge": (f"recorded:{folder}/replies.jsonl",),
        "providers": str(folder / name),
    }
    (folder / "inner" / ".git").mkdir()
    assert assay.read_settings() == {}


def test_of_two_files_the_nearer_one_counts_and_assay_toml_before_pyproject(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").mkdir()
    (folder / "assay.toml").write_text("workers = 1\ntimeout = 9\n")
    (folder / "inner").mkdir()
    monkeypatch.chdir(folder / "inner")
    Path("pyproject.toml").write_text('[project]\nname = "assay"\n')
    assert assay.read_settings()["workers"] == 1
    Path("pyproject.toml").write_text("[tool.assay]\nworkers = 2\n")
    assert assay.read_settings() == {"workers": 2, "providers": "pyproject.toml"}
    Path("assay.toml").write_text("workers = 3\n")
    assert assay.read_settings() == {"workers": 3, "providers": "assay.toml"}


def test_providers_may_stand_in_pyproject() -> None:
    Path("pyproject.toml").write_text("[tool.assay.providers.own]\n" + OWN_LINES)
    shown = run("judge", "r.jsonl", "--rubric", "article-audit", "--judge", "own:m", "--dry-run")
    assert "own:m at http://localhost:1/v1" in shown.out
    Path("pyproject.toml").write_text("[tool.assay.providers.own]\n" + OWN_LINES + "schema = 3\n")
    assert run("config").err.startswith("assay: pyproject.toml:4: `schema` is 3.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "\nworker = 3\n",
            'assay.toml:2: "worker" is not a setting. Known settings are rubric, label_map, store, judge, workers,',
        ),
        ("[limits]\nworkers = 3\n", 'assay.toml:1: "limits" is not a setting. Known settings are rubric,'),
        ("workers = 0\n", 'assay.toml:1: "workers" can\'t be used: 0 is not in the range x>=1.'),
        ('workers = "3"\n', "assay.toml:1: \"workers\" is '3'. Write a whole number."),
        ("workers = true\n", 'assay.toml:1: "workers" is True. Write a whole number.'),
        ("judge = []\n", 'assay.toml:1: "judge" is []. Write a text in quotes, or a list of them.'),
        ("workers 3\n", "assay.toml: is not TOML: Expected '='"),
    ],
)
def test_a_wrong_setting_ends_every_command_that_has_settings_with_2(text: str, said: str) -> None:
    Path("assay.toml").write_text(text)
    for command in (("config",), ("judge", "r.jsonl", "--rubric", "article-audit")):
        ended = run(*command)
        assert (ended.code, ended.out) == (2, "")
        assert ended.err.startswith(f"assay: {said}")
    assert run("rubric", "list").code == 0
    assert run("judge", "--help").code == 0


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ('judge = "openai:m@https://models.invalid?token=sk-0123456789abcdef"\n', "https://models.invalid"),
        ('judge = "house:m"\n' + REMOTE, "https://models.invalid"),
        ('judge = "house:m"\n' + REMOTE.replace("models.invalid", "localhost/{HOME}"), "https://localhost/{HOME}"),
    ],
)
def test_a_file_can_not_send_texts_and_keys_to_an_address_of_its_own(text: str, address: str) -> None:
    Path("assay.toml").write_text(text)
    ended = run("judge", "r.jsonl", "--rubric", "article-audit", environment={"OPENAI_API_KEY": "k"})
    assert ended.code == 2
    assert ended.err.startswith(f'assay: assay.toml:1: "judge" names the address {address}')
    assert "sk-0123456789abcdef" not in ended.err


def test_a_file_can_not_change_the_address_of_a_shipped_provider() -> None:
    Path("assay.toml").write_text('base_url = "https://models.invalid"\n')
    assert '"base_url" is not a setting' in run("config").err


def test_rates_of_a_file_do_not_refuse_a_batch() -> None:
    Path("assay.toml").write_text("requests_per_minute = 10\n")
    asked = ("judge", "r.jsonl", "--rubric", "article-audit", "--judge", "openai:m", "--batch", "--dry-run")
    assert run(*asked, environment={"OPENAI_API_KEY": "k"}).code == 0
    refused = run(*asked, "--requests-per-minute", 10, environment={"OPENAI_API_KEY": "k"})
    assert "--requests-per-minute does not apply to batches" in refused.err


def test_the_call_in_python_reads_no_settings_unless_it_is_given_them() -> None:
    Path("assay.toml").write_text('judge = "nobody:m"\nstore = "runs.db"\n')
    assert assay.judge("r.jsonl", "article-audit").judge.startswith("embedded")
    assert not Path("runs.db").exists()
    with pytest.raises(assay.InputError, match='unknown judge "nobody:m"'):
        assay.judge("r.jsonl", "article-audit", **assay.read_settings())
