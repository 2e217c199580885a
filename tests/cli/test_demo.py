"""`assay demo`, with which docs/start.md begins: every shipped example, judged with no key and no network."""

import json
import shlex
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from shell import Ended, run

from assay.cli.demo import name_stronger_judge
from assay.cli.files import name_command
from assay.files.rubrics import open_rubric
from assay.packs import list_packs


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ended, Path]:
    """How one demo ended, started by the installed command's own path as make calls it, and its folder."""
    folder = tmp_path_factory.mktemp("demo")
    script = folder / ".venv" / "bin" / "assay"
    script.parent.mkdir(parents=True)
    script.touch(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return run("demo", command=".venv/bin/assay"), folder


def test_the_demo_shows_an_error_with_its_source_and_that_the_correction_has_none(shown):
    ended, folder = shown
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert len(lines) <= 30, "one screen"
    faulty, corrected = ended.out.split("\nCorrected ")
    assert "words at\n    fault: “18 euros”" in faulty
    assert "Closest source sentence ([1] Plan your visit): “Admission costs 12 euros" in faulty
    assert "2 of 3 claims supported" in faulty
    assert "not in source" not in corrected
    assert "3 of 3 claims supported" in corrected
    assert f"Examples with seeded errors: {Path('.assay/demo.html')}" in lines
    assert not (folder / ".assay" / "assay.db").exists()


def test_the_page_of_the_demo_has_every_record_and_every_metric_of_all_rubrics(shown):
    page = (shown[1] / ".assay" / "demo.html").read_text(encoding="utf-8")
    for pack in list_packs().values():
        rubric = open_rubric(pack.id)
        for line in (pack.folder / "examples.jsonl").read_text(encoding="utf-8").splitlines():
            assert f">{json.loads(line)['id']}</a>" in page
        if (pack.folder / "replies.jsonl").is_file():
            for metric in rubric.metrics:
                assert f"{metric.name}, <span" in page


def test_the_demo_names_the_option_for_a_key_or_a_server_that_it_finds(monkeypatch):
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    assert name_stronger_judge({}).startswith("Use a language model: add --judge openai:MODEL")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "made-up")
    assert name_stronger_judge({}) == "Found ANTHROPIC_API_KEY. Use it: add --judge anthropic:MODEL"
    with ThreadingHTTPServer(("127.0.0.1", 0), Models) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        said = name_stronger_judge({"ollama": port})
        server.shutdown()
    assert said == (f"Found a model server (ollama). Use it: add --judge ollama:small:1b@http://127.0.0.1:{port}/v1")


class Models(BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"data": [{"id": "small:1b"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_what_the_demo_ends_with_can_be_typed_where_it_was_run(shown, monkeypatch):
    ended, folder = shown
    monkeypatch.chdir(folder)
    Path("SOURCE.txt").write_text("The ferry leaves at nine.")
    Path("TEXT.txt").write_text("The ferry leaves at ten.")
    lines = [line.partition(": ")[2] for line in ended.out.splitlines() if ": .venv/bin/assay " in line]
    assert [run(*shlex.split(line)[1:], "--dry-run").code for line in lines] == [0, 0]


@pytest.mark.parametrize("place", ["here", "elsewhere on the path", "elsewhere"])
def test_a_command_is_named_as_it_can_be_typed(tmp_path, monkeypatch, place):
    folder = tmp_path / "a folder"
    folder.mkdir()
    script = folder / "assay"
    script.touch(0o755)
    monkeypatch.setattr(sys, "argv", [str(script)])
    monkeypatch.setenv("PATH", str(folder) if place == "elsewhere on the path" else str(tmp_path))
    if place == "here":
        assert name_command() == "'a folder/assay'"
    else:
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
        assert name_command() == (f"'{script}'" if place == "elsewhere" else "assay")


def test_a_command_in_the_folder_one_stands_in_is_named_with_that_folder(tmp_path, monkeypatch):
    (tmp_path / "assay").touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["./assay"])
    assert name_command() == "./assay"


@pytest.mark.parametrize("typed", ["./assay", "{}/assay"])
def test_a_command_has_a_name_even_where_the_folder_one_stands_in_is_deleted(tmp_path, monkeypatch, typed):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "assay").touch(0o755)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setattr(sys, "argv", [typed.format(tmp_path / "bin")])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert name_command() == "assay"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert name_command() == ("assay" if typed == "./assay" else str(tmp_path / "bin" / "assay"))


def test_the_page_and_the_runs_go_where_they_are_told():
    ended = run("demo", "--html", "page.html", "--store", "runs.db")
    assert ended.code == 0
    assert Path("page.html").stat().st_size > 10_000
    assert Path("runs.db").is_file()
    assert not Path(".assay").exists()
