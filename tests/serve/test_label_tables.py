"""Labels as CSV: what is written is read back the same, and a wrong row is named by its line."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assay.errors import InputError
from assay.serve.importing import import_labels
from assay.serve.label_tables import COLUMNS, write_labels
from assay.serve.library import Library
from assay.store.labels import PersonLabel

MOMENT = datetime(2026, 11, 15, 12, 30, 15, 123456, tzinfo=UTC)
CLAIM = PersonLabel(
    "false-eligible", None, "hallucination", "claim", "c1", "Ada", "contradicted", "significant", 'a, "b"\nc', MOMENT,
    "random", 0.125,
)  # fmt: skip
GRADE = PersonLabel("all-good", None, "clarity", "grade", None, "Bö", "4", None, "=1+1", MOMENT)


@pytest.fixture
def library(own_store, trials) -> Library:
    assert trials
    return Library(own_store)


def write(trials: str, *labels: PersonLabel) -> str:
    return "".join(write_labels(trials, labels))


def test_what_is_written_is_read_back_the_same(library, trials):
    text = write(trials, CLAIM, GRADE)
    assert text.splitlines()[0] == ",".join(COLUMNS)
    assert import_labels(library, text, "l.csv", trials) == {trials: 2}
    assert set(library.store.labels.all(trials)) == {CLAIM, GRADE}
    again = "".join(write_labels(trials, library.store.labels.all(trials)))
    assert import_labels(library, again, "l.csv") == {trials: 2}
    assert set(library.store.labels.all(trials)) == {CLAIM, GRADE}


def test_a_table_from_elsewhere_needs_only_record_metric_person_and_label(library, trials):
    text = "\ufeffperson,record,metric,unit,label\r\nAda,all-good,hallucination,c1,supported\r\nAda,all-good,clarity,,3\r\n"
    assert import_labels(library, text, "l.csv", trials) == {trials: 2}
    first, second = sorted(library.store.labels.all(trials), key=lambda label: label.metric, reverse=True)
    assert (first.part, first.unit, first.drawn_by, first.probability) == ("claim", "c1", None, None)
    assert (second.part, second.label) == ("grade", "3")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"label": "fabulous"}, "'fabulous' is no label of claim.*supported, partial, absent"),
        ({"qualifier": "huge"}, "'huge' is no severity.*minor, significant"),
        ({"label": "supported", "qualifier": "minor"}, "'minor' has no place beside 'supported'"),
        ({"metric": "beauty"}, "no metric 'beauty'.*hallucination, accuracy"),
        ({"part": "verse"}, "hallucination has no part 'verse'.*claim"),
        ({"unit": "c99"}, "false-eligible has no unit 'c99'"),
        ({"unit": ""}, "claim is about each claim.*Name a unit"),
        ({"record": "ghost"}, "has no record 'ghost'"),
        ({"system": "b"}, "has no record 'false-eligible' by b"),
        ({"person": " "}, "needs the name of its person"),
        ({"moment": "yesterday"}, "'yesterday' is no time"),
        ({"drawn_by": "whim"}, "'whim' is no way to draw"),
        ({"probability": "0"}, "'0' is no probability"),
        ({"probability": "nan"}, "'nan' is no probability"),
        ({"run": "other"}, "this label is of the run other"),
    ],
)
def test_a_row_that_can_not_be_a_label_is_named_by_file_and_line_and_nothing_is_kept(library, trials, changes, words):
    cells = dict(zip(COLUMNS, next(iter(_rows(write(trials, CLAIM)))), strict=True)) | changes
    good = write(trials, replace(CLAIM, note="one line"))
    text = good + ",".join(f'"{cells[name].replace(chr(34), chr(34) * 2)}"' for name in COLUMNS) + "\n"
    with pytest.raises(InputError, match=f"(?s)^l.csv:4: .*{words}"):
        import_labels(library, text, "l.csv", trials)
    assert library.store.labels.all(trials) == ()


def _rows(text: str) -> list[list[str]]:
    import csv
    import io

    return list(csv.reader(io.StringIO(text, newline="")))[1:]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "l.csv:1: there is no column record, metric, person, label"),
        ("record,metric\n", "l.csv:1: there is no column person, label"),
        ("record,metric,person,label\na,b,c\n", "l.csv:2: more or fewer cells"),
        ("record,metric,person,label\na,b,c,d,e\n", "l.csv:2: more or fewer cells"),
        ('record,metric,person,label\n"a,b,c,d\n', "l.csv:2: can't be read as CSV"),
        ("record,metric,person,label\nall-good,accuracy,Ada,9\n", "l.csv:2: '9' is no level of grade.*from 1 to 5"),
        ("record,metric,person,label\nall-good,clarity,Ada,3.5\n", "l.csv:2: '3.5' is no level of grade"),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(library, trials, text, words):
    with pytest.raises(InputError, match=words):
        import_labels(library, text, "l.csv", trials)


def test_rows_without_a_run_need_one_named(library, trials):
    text = "record,metric,person,label\nall-good,clarity,Ada,3\n"
    with pytest.raises(InputError, match=r"l\.csv:2: this label names no run"):
        import_labels(library, text, "l.csv")
    assert import_labels(library, f"run,{text.replace(chr(10) + 'all', chr(10) + trials + ',all')}", "l.csv") == {
        trials: 1
    }
