"""A shell asks the command itself what may come next. The answer is bytes, which need a real stream."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from shell import run_apart

REFERENCE = Path(__file__).parents[2] / "docs" / "running.md"


def ask(**variables: str) -> subprocess.CompletedProcess[str]:
    return run_apart(env={**os.environ, **variables})


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_documented_line_prints_a_completion_script(shell: str) -> None:
    page = REFERENCE.read_text(encoding="utf-8")
    [(variable, instruction)] = re.findall(rf"(\w+)=({shell}_source) assay", page)
    ended = ask(**{variable: instruction})
    assert ended.returncode == 0
    assert f"_ASSAY_COMPLETE={shell}_complete" in ended.stdout


@pytest.mark.parametrize(("typed", "found"), [("ju", "plain,judge"), ("judge --rub", "plain,--rubric")])
def test_commands_and_options_are_completed(typed: str, found: str) -> None:
    ended = ask(_ASSAY_COMPLETE="bash_complete", COMP_WORDS=f"assay {typed}", COMP_CWORD=str(len(typed.split())))
    assert (ended.returncode, ended.stdout.split()) == (0, [found])


def test_a_shell_that_is_not_known_gets_exit_1_and_no_help() -> None:
    ended = ask(_ASSAY_COMPLETE="tcsh_source")
    assert (ended.returncode, ended.stdout) == (1, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_accepts_the_script() -> None:
    script = f"{ask(_ASSAY_COMPLETE='bash_source').stdout}\ncomplete -p assay"
    ended = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "_assay_completion" in ended.stdout
