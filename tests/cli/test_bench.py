"""`assay bench judge`: a judge on small sets of our own."""

import gzip
import json
import sys
from pathlib import Path

import pytest
from shell import run

ARTICLE = (
    "The harbour ferry will run every twenty minutes from Monday. The council paid for two more boats. "
    "Tickets stay at three pounds. The last crossing leaves at eleven at night."
)
OUTPUTS = (
    ("The ferry will run every twenty minutes from Monday.", 1),
    ("Tickets stay at three pounds.", 1),
    ("The council paid for two more boats.", 1),
    ("Tickets rise to nine pounds.", 0),
    ("The ferry was sold to a Danish company.", 0),
    ("The last crossing leaves at noon.", 0),
)


def write_set(folder: Path, name: str, field: str = "factual", **more: object) -> Path:
    folder.mkdir(exist_ok=True)
    rows = [
        {
            "id": f"{name}-{at}",
            "source": ARTICLE,
            "doc_id": f"d{at}",
            "output": output,
            "human": {field: label},
            **more,
        }
        for at, (output, label) in enumerate(OUTPUTS)
    ]
    path = folder / f"{name}.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def test_a_judge_is_measured_beside_baselines(tmp_path, monkeypatch):
    # The library behind ROUGE loads it where it is there, for seconds and for nothing.
    monkeypatch.setitem(sys.modules, "sklearn", None)
    pytest.importorskip("rouge_score")
    write_set(tmp_path / "sets", "ferries")
    (tmp_path / "sets" / "empty.jsonl").write_text('{"id": "1", "human": {}}\n', encoding="utf-8")
    ended = run("bench", "judge", tmp_path / "sets", "--out", tmp_path / "table.md")
    assert ended.code == 0, ended.err
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    row = next(line for line in table.splitlines() if line.startswith("| ferries | label | AUC |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert int(cells[3]) + int(cells[5]) == len(OUTPUTS)
    assert cells[7].startswith(("0.", "1."))
    assert cells[9] == "0.50"
    assert "Judge: `embedded" in table
    assert "Left out: empty" in table
    assert "metric hallucination" in table


def test_a_limit_takes_the_same_outputs_every_time(tmp_path):
    from assay.files.labelled_sets import read_set

    path = write_set(tmp_path / "sets", "ferries")
    first, second = (read_set("ferries", path, 3) for _ in range(2))
    assert len(first.rows) == 3
    assert first == second
    assert first.total == len(OUTPUTS)


def test_a_known_set_is_read_by_its_own_label(tmp_path):
    from assay.files.labelled_sets import read_set

    path = write_set(tmp_path / "sets", "summeval", "consistency")
    found = read_set("summeval", path)
    assert found.labels == ("consistency",)
    assert "G-Eval-4 .507" in found.anchor


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ghost",), "there is no such folder"),
        (("sets", "--sets", "ghost"), "there is no set 'ghost'. Write one of: ferries"),
        (("sets", "--metric", "beauty"), "article-audit has no metric 'beauty'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, arguments, words):
    write_set(tmp_path / "sets", "ferries")
    ended = run("bench", "judge", *arguments)
    assert ended.code == 2
    assert words in ended.err
