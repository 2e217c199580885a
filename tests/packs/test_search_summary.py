import pytest

from assay.domain.record import Record
from assay.packs.search_summary import pack


@pytest.mark.parametrize(
    ("searched", "differs"),
    [
        (None, False),
        ("Do statins lower cholesterol?", False),
        ("do  statins lower cholesterol", False),
        ("statins cholesterol mechanism", True),
        ("", False),
    ],
)
def test_a_search_that_asked_something_else_is_noticed(searched, differs):
    record = Record("r", "i", "Yes.", (), "Do statins lower cholesterol?", inputs={"search_query": searched})

    assert [notice.check for notice in pack.notices(record)] == ["search_query_differs"] * differs
