"""`assay view`, `assay label` and `assay labels` as commands."""

import http.client
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from shell import COMMAND, opinion, reply, run, write_lines


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    records = write_lines(tmp_path / "r.jsonl", [opinion("a"), opinion("b")])
    replies = write_lines(tmp_path / "replies.jsonl", [reply("a"), reply("b", 2)])
    ended = run("judge", records, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    assert ended.code == 0
    return tmp_path


@pytest.mark.parametrize("arguments", [("view", "--no-open"), ("label", "last", "--person", "Ada", "--no-open")])
def test_the_pages_run_until_they_are_interrupted(kept, arguments):
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, cwd=kept) as process:
        assert process.stderr is not None
        try:
            address = re.search(
                r"http://127\.0\.0\.1:(?P<port>\d+)(?P<key>/[\w-]{32})(?P<path>/\S*)", process.stderr.readline()
            )
            assert address
            assert get(address["port"], address["key"] + address["path"]).status in {200, 303}
            assert get(address["port"], address["path"]).status == 403
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert "Traceback" not in process.stderr.read()


def get(port: str, path: str) -> http.client.HTTPResponse:
    """The port is taken before the address is printed, so a first visitor waits and is not turned away."""
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_labels_go_out_and_come_back(kept):
    table = kept / "labels.csv"
    table.write_text("record,metric,person,label\na,relevance,Ada,4\n", encoding="utf-8")
    assert run("labels", "import", table, "--run", "last").out.startswith("1 labels imported into run ")
    out = kept / "out.csv"
    assert run("labels", "export", out).code == 0
    assert run("labels", "import", out).code == 0
    assert run("labels", "export", kept / "again.csv").code == 0
    assert out.read_text(encoding="utf-8") == (kept / "again.csv").read_text(encoding="utf-8")
    assert ",a,,relevance,,,Ada,,4,," in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("labels", "import", "ghost.csv"), "ghost.csv: the file can't be read"),
        (("labels", "import", "labels.txt"), "labels.txt: the file format is unknown. Give a .csv or a .jsonl file"),
        (("labels", "export", "no/such/folder.csv"), "can't be written"),
        (("label", "ghost"), "there is no run 'ghost'"),
        (("label", "last", "--pairs"), "has no source with outputs of two systems. Judge outputs of several systems"),
        (("label", "last", "--metric", "beauty"), "there is no metric 'beauty'. Write one of: relevance"),
    ],
)
@pytest.mark.usefixtures("kept")
def test_what_is_wrong_is_said_in_a_sentence(arguments, words):
    ended = run(*arguments)
    assert ended.code == 2
    assert words in ended.err
    assert "Traceback" not in ended.err


@pytest.mark.usefixtures("kept")
def test_a_port_that_is_taken_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = run("view", "--port", port)
    assert ended.code == 2
    assert f"port {port} can't be used" in ended.err


def test_deleting_a_run_deletes_its_labels(kept):
    table = kept / "labels.csv"
    table.write_text("record,metric,person,label,note\na,relevance,Ada,4,planted remark\n", encoding="utf-8")
    run("labels", "import", table, "--run", "last")
    store = kept / ".assay" / "assay.db"
    assert b"planted remark" in store.read_bytes()
    assert run("runs", "delete", "last").code == 0
    assert b"planted remark" not in store.read_bytes()


@pytest.mark.usefixtures("kept")
def test_without_the_extra_the_command_names_it(monkeypatch):
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr("assay.cli.pages.find_spec", lambda name: None if name == "uvicorn" else real(name))
    ended = run("view")
    assert ended.code == 2
    assert "pip install 'assay-judge[view]'" in ended.err


@pytest.mark.parametrize("people", [("Ada", "Ada"), (" ",), ("x" * 101,), ("adjudicated",)])
@pytest.mark.usefixtures("kept")
def test_a_name_that_can_not_be_used_is_refused(people):
    ended = run("label", "last", *(each for name in people for each in ("--person", name)))
    assert ended.code == 2
    assert "person" in ended.err


def test_each_person_gets_an_address_of_their_own(kept):
    arguments = ("label", "last", "--person", "Ada", "--person", "Bo")
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, cwd=kept) as process:
        assert process.stderr is not None
        try:
            lines = [process.stderr.readline() for _ in range(2)]
            found = [re.fullmatch(r"(\w+): http://127\.0\.0\.1:(\d+)(/[\w-]{32}/)", line.strip()) for line in lines]
            (ada, port, first), (bo, _, second) = (each.groups() for each in found if each is not None)
            assert (ada, bo) == ("Ada", "Bo")
            assert first != second
            assert [get(port, f"{key}done").status for key in (first, second)] == [200, 200]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
