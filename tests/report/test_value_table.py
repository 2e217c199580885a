"""Scales and numbers of a table that has no rubric."""

from pathlib import Path

import pytest

from assay.agreement.join import parse_ends, read_value_table
from assay.errors import InputError


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("1-5", (1, 5)),
        ("10-0", (10, 0)),
        ("-1-10", (-1, 10)),
        ("-5--1", (-5, -1)),
        ("0 - 0.5", (0, 0.5)),
        ("1e-3-5", (0.001, 5)),
        ("+1-.5", (1, 0.5)),
    ],
)
def test_a_scale_is_read_from_its_worst_and_best_value(text: str, ends: tuple[float, float]) -> None:
    assert parse_ends(text) == ends


@pytest.mark.parametrize(
    "text", ["", "5", "1-", "-5", "1-1", "0-inf", "nan-1", "-1e308-1e308", "0-1e999", "1_0-5_0", "1-2-3", "a-b"]
)
def test_what_has_no_two_ends_is_no_scale(text: str) -> None:
    with pytest.raises(InputError, match="can't be read"):
        parse_ends(text)


def write(path: Path, judge: str, score: str) -> Path:
    path.write_text(f"record,judge,score\na,{judge},{score}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("scale", "goodness"), [("0-10", 0.2), ("10-0", 0.8), ("-2-8", 0.4)])
def test_a_value_is_as_good_as_it_is_near_the_best_end(tmp_path: Path, scale: str, goodness: float) -> None:
    found = read_value_table(write(tmp_path / "values.csv", "2", "2"), parse_ends(scale))
    (record,) = found.records["judge"]
    assert record.judge == goodness
    assert record.people == {"unnamed": goodness}


@pytest.mark.parametrize("said", ["11", "-1", "1_0", "1e9999999", "nan", "inf"])
def test_a_number_off_the_scale_is_refused_with_its_line(tmp_path: Path, said: str) -> None:
    for cells in ((said, "5"), ("5", said)):
        with pytest.raises(InputError, match=r"does not fit the scale\. Write a number from 0 to 10"):
            read_value_table(write(tmp_path / "values.csv", *cells), (10.0, 0.0))
