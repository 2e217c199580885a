"""Files of records for the tests of readers: how they are written, and how a fault in one is told."""

import json
from pathlib import Path

import pytest

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.errors import InputError
from assay.files.records import Records, open_records
from assay.files.rubrics import open_rubric

AUDIT = open_rubric("article-audit")
GOOD = {"article": "The bridge opened in May.", "summary": "It opened."}


def save(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def lines(*values: JSON) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def good(number: int, **changes: JSON) -> dict[str, JSON]:
    return {"id": f"a-{number}", **GOOD, **changes}


def ids(records: Records) -> list[str]:
    return [record.id for record in records]


def read_one(path: Path, rubric=AUDIT, **options) -> Record:
    (record,) = open_records(path, rubric, **options)
    assert isinstance(record, Record)
    return record


def fault(path: Path, rubric=AUDIT, **options) -> InputError:
    with pytest.raises(InputError) as caught:
        open_records(path, rubric, **options)
    assert caught.value.path is not None
    assert caught.value.path.startswith(str(path))
    assert caught.value.remedy
    return caught.value
