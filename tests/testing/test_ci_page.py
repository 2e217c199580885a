"""The steps of docs/ci.md run as they stand."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from assay.packs import list_packs

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def list_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_example_for_pytest_passes_and_its_failure_reads_as_the_page_says(session: pytest.Pytester):
    [tests] = list_blocks("python")
    session.makepyfile(test_right=tests)
    session.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=2)
    session.makepyfile(test_wrong=tests.replace('"A bicycle costs 22 kroner."\n', '"A bicycle costs 32 kroner."\n'))
    ended = session.runpytest_subprocess("-p", "no:cacheprovider", "-k", "price", "test_wrong.py")
    shown = re.sub(r"embedded:\w+", "embedded:…", ended.stdout.str())
    said = re.findall(r"^E  .*$", PAGE, re.MULTILINE)
    assert len(said) == 4
    assert [line for line in said if re.sub(r"embedded:\w+", "embedded:…", line) not in shown] == []


def test_the_job_for_other_systems_runs_as_it_stands(tmp_path: Path):
    job = yaml.safe_load(list_blocks("yaml")[-1])["judge"]
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, script in (
        ("assay", f'exec {sys.executable} -c "from assay.cli.main import main; main()" "$@"'),
        ("python3", 'test "$*" = "-m pip install --quiet assay-judge"'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    lines = (list_packs()["grounded-answer"].folder / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    good = [record for record in map(json.loads, lines) if record["facets"]["seeded"] == "nothing"]
    firsts = [record["sources"][0] for record in good]
    texts = [first if isinstance(first, str) else first["content"] for first in firsts]
    copied = [{**record, "answer": text} for record, text in zip(good, texts, strict=True)]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, copied)), encoding="utf-8")
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    for line in job["script"]:
        ended = subprocess.run(
            ["sh", "-ec", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
    written = [*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"], *job["cache"]["paths"]]
    assert [name for name in written if not (tmp_path / name).exists()] == []
