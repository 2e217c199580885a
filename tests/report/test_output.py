"""What goes out while a run goes on, and how little of it is held back."""

from dataclasses import replace

import pytest
from cards import card

from assay.report.output import open_output


@pytest.mark.parametrize("count", [3, 1_100])
def test_a_table_holds_back_no_more_rows_than_people_look_at(tmp_path, count):
    path = tmp_path / "table.txt"
    first = card("opinion-relevance", "r-0", {"relevance": 5})
    with open_output("table", path, first.rubric, count) as output:
        for number in range(count):
            output.write(replace(first, record=replace(first.record, id=f"r-{number}")))
        before = path.read_text().count("r-")
    lines = path.read_text().splitlines()
    assert [line.split()[0] for line in lines if line.startswith("r-")] == [f"r-{number}" for number in range(count)]
    assert before == (1_000 if count > 1_000 else 0), "a long table begins to come out before the run ends"
