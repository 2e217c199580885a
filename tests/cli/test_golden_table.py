"""The table that people read, to the letter. After a change that is meant, write the files anew:
`UPDATE_GOLDEN=1 pytest tests/cli/test_golden_table.py`.
"""

import os
from importlib.resources import as_file
from pathlib import Path

import pytest
from shell import run

from assay.packs import list_packs

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", ["search-summary", "comparison-faithfulness"])
def test_the_table_of_an_example_reads_as_kept(name, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.chdir(tmp_path)
    with as_file(list_packs()[name].folder) as folder:
        judge = f"recorded:{folder / 'replies.jsonl'}"
        ended = run("judge", folder / "examples.jsonl", "--rubric", name, "--judge", judge, "--quiet")
    kept = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(ended.out, encoding="utf-8")
    assert ended.code == 0
    assert ended.out == kept.read_text(encoding="utf-8")
