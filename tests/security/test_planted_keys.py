"""A key goes to its endpoint and nowhere else: not into the store, a report, a page, a recording or a terminal."""

import contextlib
import io
import json
import re
import shutil
import sqlite3
import sys
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from planted_keys import KEY, PATH_KEY, QUERY_KEY, Blabber, escape_all, find_keys, read_files, serve_raw

from assay.cli.main import main
from assay.store.store import Store
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.page_server import serve_view

ENVIRONMENT = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "ASSAY_API_KEY": KEY}
RECORDS = tuple(
    {
        "id": name,
        "reviews": [f"The {name} is bright.", "Bright, but the arm sags."],
        "product_opinion_summary": f"Buyers like the {name}. Some say the arm sags.",
    }
    for name in ("lamp", "torch", "lantern", "candle")
)
MOST_PAGES = 40


@dataclass(slots=True)
class Shell:
    """Runs commands in a folder, as one who has exported the key would, and keeps all that they print."""

    folder: Path
    printed: list[str] = field(default_factory=list)

    def run(self, *arguments: object, **environment: str) -> int:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            for name in (
                "OPENAI_BASE_URL",
                "ANTHROPIC_BASE_URL",
                "HTTP_PROXY",
                "HTTPS_PROXY",
                "http_proxy",
                "NO_PROXY",
            ):
                patch.delenv(name, raising=False)
            for name, value in {**ENVIRONMENT, **environment}.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["assay", *map(str, arguments)])
            with pytest.raises(SystemExit) as ended:
                main()
        self.printed += [out.getvalue(), err.getvalue()]
        return int(str(ended.value.code))

    def judge(self, base_url: str, *more: object, model: str = "openai:m", **environment: str) -> int:
        own = ("--rubric", "opinion-relevance", "--judge", model, "--base-url", base_url)
        return self.run("judge", "records.jsonl", *own, *more, **environment)


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "records.jsonl").write_text("".join(json.dumps(each) + "\n" for each in RECORDS), encoding="utf-8")
    return Shell(folder)


@pytest.fixture(scope="module")
def told(shell: Shell) -> Shell:
    """A whole session: two hosted judges that give the key away whenever they answer, then every way to look at it."""
    for model in ("openai:m", "anthropic:m"):
        with run_in_thread(ScriptedServer(blabber := Blabber())) as server:
            recorded = ("--record", f"{model[:6]}.jsonl", "--format", "jsonl", "--out", f"{model[:6]}.results.jsonl")
            shell.judge(server.base_url, *recorded, model=model)
            assert blabber.told > len(RECORDS)
            assert any("planted" in value for value in server.asked[0].headers.values())
    (shell.folder / "labels.csv").write_text("record,metric,person,label\nlamp,relevance,Ada,4\n", encoding="utf-8")
    for command in (
        ("runs", "list"),
        ("runs", "show", "last"),
        ("labels", "import", "labels.csv", "--run", "last"),
        ("report", "last", "--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"),
        ("runs", "export", "last", "--to", "r.csv"),
        ("runs", "export", "last", "--to", "r.jsonl"),
    ):
        assert shell.run(*command) == 0, shell.printed[-1]
    return shell


def find_leaks(shell: Shell) -> dict[str, list[bytes]]:
    places = [*read_files(shell.folder), *((f"printed {at}", text.encode()) for at, text in enumerate(shell.printed))]
    assert len(places) > 2
    return {name: found for name, content in places if (found := find_keys(content, KEY, QUERY_KEY, PATH_KEY))}


def test_a_key_that_servers_echo_is_nowhere_in_what_a_session_leaves_behind(told: Shell):
    names = [name for name, _ in read_files(told.folder)]
    assert {"assay.db", "openai.jsonl", "r.html", "r.xml", "r.csv"} <= set(names)
    assert any("[key]" in content.decode("utf-8", "replace") for _, content in read_files(told.folder))
    assert find_leaks(told) == {}


def test_a_key_is_on_no_page(told: Shell):
    waiting, seen = ["/"], set()
    with Store(told.folder / ".assay" / "assay.db") as store, serve_view(store) as served:
        while waiting and len(seen) < MOST_PAGES:
            path = waiting.pop(0)
            if path in seen:
                continue
            seen.add(path)
            text = served.get(path).text
            assert find_keys(text.encode(), KEY) == [], path
            waiting += re.findall(r'href="(/[\w-]+/runs[^"#]*)"', text.replace("&amp;", "&"))
    assert len(seen) > 8


def test_a_key_is_not_in_what_a_store_writes_ahead(told: Shell, tmp_path: Path):
    """A reader holds the log back, as a page that is open does; without one it is gone with the last command."""
    store = told.folder / ".assay" / "assay.db"
    reader = sqlite3.connect(store, isolation_level=None)
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM runs").fetchall()
        with run_in_thread(ScriptedServer(Blabber())) as server:
            told.judge(server.base_url, "--no-cache", "--limit", 1, "--quiet")
        # A copy of file and log holds what the log adds; its cells are packed, so they are unpacked as well.
        for name in ("assay.db", "assay.db-wal"):
            shutil.copy(store.with_name(name), tmp_path / name)
        assert (tmp_path / "assay.db-wal").stat().st_size > 1_000
        contents = [content for _, content in read_files(tmp_path)]
        assert any(b"[key]" in content for content in contents)
        assert [found for content in contents if (found := find_keys(content, KEY))] == []
    finally:
        reader.close()


@pytest.mark.parametrize("model", ["openai:m", "anthropic:m"])
def test_a_refused_key_is_not_told(shell: Shell, model: str):
    with run_in_thread(ScriptedServer(faults=[FaultRule(Fault.BAD_KEY, always=True)])) as server:
        assert shell.judge(server.base_url, "--limit", 1, "--no-cache", model=model) == 2
    assert "Set " in shell.printed[-1]
    assert find_leaks(shell) == {}


@pytest.mark.parametrize("answer", [b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Bad\x00: ", b"HTTP/1.1 500 No\r\n\r\n"])
def test_an_answer_that_is_no_http_tells_neither_key_nor_address(shell: Shell, answer: bytes):
    with serve_raw(answer) as server:
        address = f"http://127.0.0.1:{server.port}/{PATH_KEY}/v1?api-key={QUERY_KEY}&api-version=2026-01-01"
        shell.judge(address, "--limit", 1, "--no-cache")
    assert PATH_KEY.encode() in server.asked[0]
    assert f"127.0.0.1:{server.port}/[key]/v1" in "".join(shell.printed[-2:])
    assert find_leaks(shell) == {}


@pytest.mark.parametrize(
    "address",
    [
        f"http://user:{QUERY_KEY.replace('/', '.')}@127.0.0.1:9/v1",
        f"http//user:{QUERY_KEY}@127.0.0.1:9/v1",
        f"user:{QUERY_KEY}@127.0.0.1",
        f"htp://127.0.0.1/v1?api_key={QUERY_KEY}",
        f"http://[bad?api_key={QUERY_KEY}",
        f"htp://127.0.0.1/{PATH_KEY}/v1#key={QUERY_KEY}",
    ],
)
def test_an_address_that_is_refused_is_not_printed_with_its_secrets(shell: Shell, address: str):
    assert shell.judge(address) == 2
    assert find_leaks(shell) == {}
    assert "query-planted" not in shell.printed[-1]
    assert "path-planted" not in shell.printed[-1]


def test_the_command_to_go_on_with_leaves_the_key_to_the_user(shell: Shell):
    with run_in_thread(ScriptedServer()) as server:
        address = f"{server.base_url}/{PATH_KEY}?api-key={QUERY_KEY}&api-version=2026-01-01"
        assert shell.judge(address, "--budget-tokens", 1) == 3
    assert "/v1/[key]?api-key=[key]&api-version=2026-01-01" in shell.printed[-1]
    assert find_leaks(shell) == {}


PROXY_LOGIN = "user:proxy-planted"
PROXY_WORDS = (
    f"{PROXY_LOGIN} or {escape_all(PROXY_LOGIN)} or {b64encode(PROXY_LOGIN.encode()).decode()}, {PROXY_LOGIN.upper()}"
)


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize(
    "answer",
    [
        "407 No\r\nContent-Length: 0\r\n\r\n",
        f"407 {PROXY_WORDS}\r\nContent-Length: 0\r\n\r\n",
        f"407 No\r\n\r\n{PROXY_WORDS}",
    ],
)
def test_a_proxys_password_is_not_told(shell: Shell, scheme: str, answer: str):
    more = ("--limit", 1, "--no-cache")
    with serve_raw(f"HTTP/1.1 {answer}".encode()) as server:
        for port in (9, server.port):
            proxy = f"http://{PROXY_LOGIN}@127.0.0.1:{port}"
            shell.judge(f"{scheme}://judge.invalid/v1", *more, **{f"{scheme}_proxy": proxy})
    assert any(b"Proxy-Authorization: Basic " in asked for asked in server.asked)
    assert "407" in shell.printed[-1] or "unreachable" in shell.printed[-1]
    places = [*read_files(shell.folder), *(("printed", text.encode()) for text in shell.printed)]
    assert [name for name, content in places if find_keys(content, PROXY_LOGIN) or b"proxy-planted" in content] == []


def test_a_proxy_is_asked_and_a_password_of_netrc_is_not_sent(shell: Shell, tmp_path: Path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine judge.invalid login someone password netrc-planted-password\n", encoding="utf-8")
    netrc.chmod(0o600)
    more = ("--limit", 1, "--no-cache")
    with serve_raw(b"HTTP/1.1 500 No\r\n\r\n") as server:
        proxy = f"http://127.0.0.1:{server.port}"
        for key in ("", KEY):
            code = shell.judge("http://judge.invalid/v1", *more, http_proxy=proxy, NETRC=str(netrc), OPENAI_API_KEY=key)
            assert code == 1, shell.printed[-1]
    assert any(asked.startswith(b"POST http://judge.invalid/v1/chat/completions") for asked in server.asked)
    assert not any(b"Basic " in asked for asked in server.asked)


def test_a_key_in_a_dot_env_file_is_not_read(shell: Shell):
    (shell.folder / ".env").write_text("OPENAI_BASE_URL=http://127.0.0.1:9\n", encoding="utf-8")
    arguments = ("judge", "records.jsonl", "--rubric", "opinion-relevance", "--judge", "openai:m")
    assert shell.run(*arguments, OPENAI_API_KEY="") == 2
    assert "OPENAI_API_KEY is not set" in shell.printed[-1]


def test_the_lines_of_a_bug_hold_no_key(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    def fail(_run: object) -> None:
        raise RuntimeError(f"headers: Authorization: Bearer {KEY}")

    monkeypatch.setattr(Store, "begin_run", lambda _store, run: fail(run))
    with run_in_thread(ScriptedServer()) as server:
        assert shell.judge(server.base_url) == 70
    assert "RuntimeError: headers: Authorization: Bearer [key]" in shell.printed[-1]
    assert find_leaks(shell) == {}
