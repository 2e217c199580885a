"""Inputs that would hang or fill memory are refused, with the bound and how to raise it."""

import json
import os
import resource
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet
from record_files import AUDIT, GOOD, fault, lines, save

from assay.files import bounds
from assay.files.records import InvalidRecord, open_records


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["fifo", "device"])
def test_a_pipe_or_a_device_in_a_folder_of_json_is_refused_and_does_not_hang(tmp_path, make):
    (tmp_path / "a.json").write_text(json.dumps(GOOD))
    make(tmp_path / "b.json")
    assert "b.json: this is not a regular file but a pipe, a device or a folder. Save it to a file" in str(
        fault(tmp_path)
    )
    first, second = open_records(tmp_path, AUDIT, skip_invalid=True)
    assert (first.id, isinstance(second, InvalidRecord)) == ("a", True)


def test_a_few_bytes_of_parquet_do_not_become_gigabytes_in_memory(tmp_path):
    """Each row repeats one text of 1 MB: 400 MB in all, of which one record is held at a time."""
    path = tmp_path / "a.parquet"
    table = pa.table(
        {"id": [str(at) for at in range(400)], "article": ["tea " * 250_000] * 400, "summary": ["S."] * 400}
    )
    parquet.write_table(table, path, compression="zstd", dictionary_pagesize_limit=2_000_000)
    assert path.stat().st_size < 20_000
    script = (
        "import resource, sys; from assay.files.records import open_records; from assay.files.rubrics import open_rubric;"
        "import pyarrow.parquet; before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "assert len(open_records(sys.argv[1], open_rubric('article-audit'))) == 400;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    limit = 4_000_000_000
    ended = subprocess.run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert int(ended.stdout) < 200_000  # kilobytes


@pytest.mark.parametrize(
    ("name", "bound", "rows"),
    [
        ("COLUMNS", 2, [{**GOOD, "id": "1"}]),
        ("RECORDS", 2, [{**GOOD, "id": str(at)} for at in range(3)]),
        ("CELLS", 5, [{**GOOD, "id": str(at)} for at in range(3)]),
        ("ROW_GROUPS", 2, [{**GOOD, "id": str(at)} for at in range(3)]),
        ("ROW_GROUP_BYTES", 50, [GOOD]),
        ("RECORD_BYTES", 2_000, [{**GOOD, "more": [["tea", "tea"]] * 20}]),
        ("FILE_BYTES", 50, [GOOD]),
    ],
)
def test_a_parquet_beyond_a_bound_is_refused_with_how_to_raise_it(tmp_path, monkeypatch, name, bound, rows):
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.Table.from_pylist(rows), path, row_group_size=1)
    assert len(open_records(path, AUDIT)) == len(rows)
    monkeypatch.setattr(bounds, name, bound)
    error = fault(path)
    assert error.message.endswith(f"more than {bound:,}")
    assert error.remedy.endswith(f"or raise the bound in Python: assay.files.bounds.{name}.")


@pytest.mark.parametrize(
    ("name", "file", "content", "bound"),
    [
        ("FILE_BYTES", "a.jsonl", json.dumps(GOOD), 50),
        ("ARRAY_BYTES", "a.json", json.dumps([GOOD]), 50),
        ("RECORD_BYTES", "a.jsonl", json.dumps(GOOD), 50),
        ("RECORD_BYTES", "a.csv", 'article,summary\n"The bridge\nopened\nin\nMay.",It opened.\n', 20),
        ("RECORDS", "a.jsonl", lines(*({**GOOD, "id": str(at)} for at in range(3))), 2),
        ("COLUMNS", "a.jsonl", json.dumps({**GOOD, "id": "1"}), 2),
        ("COLUMNS", "a.csv", "id,article,summary\n1,The bridge opened.,It opened.\n", 2),
        ("DEPTH", "a.jsonl", json.dumps({**GOOD, "more": [[[1]]]}), 2),
    ],
)
def test_a_text_file_beyond_a_bound_is_refused_with_how_to_raise_it(tmp_path, monkeypatch, name, file, content, bound):
    path = save(tmp_path, file, content)
    monkeypatch.setattr(bounds, name, bound)
    assert fault(path).remedy.endswith(f"or raise the bound in Python: assay.files.bounds.{name}.")


def test_a_csv_with_eighty_thousand_columns_is_refused_at_once(tmp_path):
    path = save(tmp_path, "a.csv", ",".join(f"c{at}" for at in range(80_000)) + "\n")
    assert "the table has 80,000 columns, more than 2,000" in fault(path).message
