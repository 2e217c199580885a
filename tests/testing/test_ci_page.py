"""The steps of docs/ci.md run as they stand."""

import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


def list_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


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
