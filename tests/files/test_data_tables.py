"""A table is read from objects, rows or CSV text into the same rows, or refused with its place."""

import pytest

from assay.errors import InputError
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric

HERE = Place("reports.jsonl", 2)
REPORT = open_rubric("report-from-data")


def build(data):
    return build_record({"data": data, "report": "Sales were 120 in the North."}, REPORT, HERE)


@pytest.mark.parametrize(
    "data",
    [
        [{"region": "North", "sales": "120"}, {"region": "South, East", "sales": "95"}],
        [["region", "sales"], ["North", "120"], ["South, East", "95"]],
        'region,sales\nNorth,120\n"South, East",95\n',
        "region;sales\r\nNorth;120\r\n\r\nSouth, East;95",
    ],
)
def test_every_form_of_a_table_gives_the_same_rows_and_a_line_for_each(data):
    record = build(data)

    assert record.inputs["data"] == [{"region": "North", "sales": "120"}, {"region": "South, East", "sales": "95"}]
    assert record.sources[0].text == "- region: North; sales: 120\n- region: South, East; sales: 95"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (7, "data is the number 7, a table is needed"),
        ([], "data has no row"),
        ("region,sales\n", "data has no row below the names"),
        ("a,b\n1,2\n3,4,5\n", "row 3 of data has 3 cells, but the header has 2 names"),
        ("a,a\n1,2\n", "two columns of data have the same name"),
        ([{}], "row 1 of data is an object, and holds nothing"),
        ([{"a": 1}, [1]], "row 1 of data is an object, beside rows of another form"),
    ],
)
def test_what_is_no_table_is_refused_with_its_place_and_what_to_write(data, words):
    with pytest.raises(InputError) as refused:
        build(data)

    assert words in refused.value.message
    assert (refused.value.path, refused.value.line) == ("reports.jsonl", 2)
    assert refused.value.remedy
