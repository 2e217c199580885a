"""Labels as CSV: what is written is read back the same, and a wrong row is named by its line."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assay.agreement.label_files import COLUMNS, Imported, format_labels, import_labels, read_label_file
from assay.agreement.labels import LabelRow, match_label
from assay.api.config import RunConfig
from assay.api.opening import Work, open_run
from assay.errors import InputError
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.runner.run import Progress
from assay.store.labels import PersonLabel
from equipment.example_runs import keep_example

MOMENT = datetime(2026, 11, 15, 12, 30, 15, 123456, tzinfo=UTC)
CLAIM = PersonLabel(
    "false-eligible", None, "hallucination", "claim", "c1", "Ada", "contradicted", "serious", 'a, "b"\nc', MOMENT,
    "random",
)  # fmt: skip
GRADE = PersonLabel("all-good", None, "clarity", "grade", None, "Bö", "4", None, "=1+1", MOMENT)
SCORE = PersonLabel("all-good", None, "hallucination", "", None, "Bö", "3.5", None, "", MOMENT)
VERDICT = PersonLabel("all-good", None, "accuracy", "", None, "Bö", "bad", None, "", MOMENT)


def write(trials: str, *labels: PersonLabel) -> str:
    return "".join(format_labels(trials, labels))


def keep_opinions(store, keys: list[tuple[str, str]]) -> str:
    """A run of the built-in judge, which declines the rubric: what is kept are the records."""
    rubric = open_rubric("opinion-relevance")
    said = [
        {"id": name, "system": system, "reviews": ["Bright."], "product_opinion_summary": f"Bright, says {system}."}
        for name, system in keys
    ]
    records = records_from(said, rubric)
    run = open_run(RunConfig(), Work(rubric, records, "records.jsonl"), store)
    run.begin()
    run.carry_out(lambda _card: None, Progress())
    return run.plan.run


@pytest.fixture
def bring(own_store, tmp_path):
    """Imports a text as a file of this name."""

    def bring(text: str, run: str | None = None, name: str = "l.csv") -> Imported:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return import_labels(own_store, path, run)

    return bring


def test_what_is_written_is_read_back_the_same(own_store, trials, bring):
    text = write(trials, CLAIM, GRADE, SCORE, VERDICT)
    assert text.splitlines()[0] == ",".join(COLUMNS)
    assert bring(text, trials) == Imported({trials: 4}, 0)
    assert set(own_store.labels.all(trials)) == {CLAIM, GRADE, SCORE, VERDICT}
    again = "".join(format_labels(trials, own_store.labels.all(trials)))
    assert bring(again).counts == {trials: 4}
    assert set(own_store.labels.all(trials)) == {CLAIM, GRADE, SCORE, VERDICT}


FORMULAS = ('=HYPERLINK("http://evil.example","x")', "+1-800", "-1+1|cmd", "@SUM(A1)", "\t=1", "\r=1", "'=1", "''-x")
FORMULAS += ("＝1+1", "\u200b=1")


@pytest.mark.parametrize("note", [*FORMULAS, "-1.5", "+3", "'quoted'", "a=b"])
def test_no_cell_of_exported_labels_is_a_formula_and_all_are_read_back(own_store, trials, bring, note):
    label = replace(GRADE, note=note, person=f"{note.strip()} Ada")
    text = write(trials, label)
    row = dict(zip(*csv.reader(io.StringIO(text, newline="")), strict=True))
    assert row["note"] == (f"'{note}" if note in FORMULAS else note)
    assert row["label"] == "4"
    bring(text)
    (kept,) = own_store.labels.all(trials)
    assert (kept.note, kept.person) == (label.note, label.person)


def test_a_table_from_elsewhere_needs_only_record_metric_and_what_was_said(own_store, trials, bring):
    text = "\ufeffannotator,key,metric,unit,label\r\nAda,all-good,hallucination,c1,supported\r\nAda,all-good,clarity,,3\r\n"
    assert bring(text, trials).counts == {trials: 2}
    first, second = sorted(own_store.labels.all(trials), key=lambda label: label.metric, reverse=True)
    assert (first.part, first.unit, first.drawn_by) == ("claim", "c1", None)
    assert (second.part, second.label, second.person) == ("", "3", "Ada")


def test_a_file_that_names_nobody_is_one_persons(own_store, trials, bring):
    bring("record,metric,label\nall-good,clarity,3\n", trials)
    assert [label.person for label in own_store.labels.all(trials)] == ["unnamed"]


@pytest.mark.parametrize(
    ("cells", "part", "label"),
    [
        ("hallucination,4,", "", "4"),
        ("hallucination,,good", "", "good"),
        ("hallucination,,FAIL", "", "fail"),
        ("hallucination,,3", "", "3"),
        ('hallucination,"2,5",', "", "2.5"),
        ("clarity,4,", "", "4"),
        ("clarity,,4", "", "4"),
    ],
)
def test_a_score_is_taken_at_this_door_too_and_read_by_agree_as_from_a_file(
    own_store, bring, tmp_path, cells, part, label
):
    trials = keep_example(own_store, "trial-eligibility", tmp_path)
    bring(f"record,person,metric,score,label\nall-good,Ada,{cells}\n", trials)
    (kept,) = own_store.labels.all(trials)
    assert (kept.part, kept.unit, kept.label) == (part, None, label)
    rubric = open_rubric("trial-eligibility")
    rows = (LabelRow(kept), *read_label_file(tmp_path / "l.csv").rows)
    stored, filed = (match_label(row, rubric.metric(row.label.metric)) for row in rows)
    assert (stored.level, stored.is_good) == (filed.level, filed.is_good)


def test_lines_of_json_are_read_too(own_store, trials, bring):
    assert bring('{"id": "all-good", "metric": "clarity", "person": "Ada", "score": 4}\n', trials, "l.jsonl").counts
    assert [label.label for label in own_store.labels.all(trials)] == ["4"]


def test_a_row_that_says_nothing_is_counted_and_left_out(own_store, trials, bring):
    text = "record,metric,person,label\nall-good,clarity,Ada,\nall-good,clarity,Bo,2\n"
    assert bring(text, trials) == Imported({trials: 1}, 1)
    assert [label.person for label in own_store.labels.all(trials)] == ["Bo"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("one,,3\n", None),
        ("one,a,3\n", None),
        ("two,b,3\n", None),
        ("two,,3\n", "2: several systems answered 'two'. Write system: a, b"),
        ("one,b,3\n", "2: the run .* has no record 'one' by b"),
    ],
)
def test_a_row_may_leave_the_system_out_where_only_one_answered(own_store, bring, rows, words):
    run = keep_opinions(own_store, [("one", "a"), ("two", "a"), ("two", "b")])
    text = f"record,system,score,metric\n{rows}".replace(",3\n", ",3,relevance\n")
    if words is None:
        assert bring(text, run).counts == {run: 1}
    else:
        with pytest.raises(InputError, match=f"l.csv:{words}"):
            bring(text, run)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"label": "fabulous"}, "'fabulous' is not a label of claim.*contradicted, absent, partial, supported"),
        ({"qualifier": "huge"}, "'huge' is not a severity.*slight, serious"),
        ({"label": "supported", "qualifier": "slight"}, "'slight' does not go with 'supported'"),
        ({"metric": "beauty"}, "no metric 'beauty'.*hallucination, accuracy"),
        ({"part": "verse"}, "hallucination has no part 'verse'.*claim"),
        ({"unit": "c99"}, "false-eligible has no unit 'c99'"),
        ({"unit": ""}, "claim is about each claim.*Name a unit"),
        ({"record": "ghost"}, "has no record 'ghost'"),
        ({"record": " "}, "there is no record"),
        ({"system": "b"}, "has no record 'false-eligible' by b"),
        ({"person": "x" * 101}, "the name of the person has 101 characters"),
        ({"score": "3"}, "both a label and a score"),
        ({"part": "", "unit": "", "qualifier": ""}, "'contradicted' does not fit the scale of hallucination"),
        ({"part": "", "unit": "", "label": "good"}, "'serious' does not go with 'good'"),
        ({"moment": "yesterday"}, "'yesterday' is not a time"),
        ({"drawn_by": "whim"}, "'whim' is not a known value of drawn_by"),
        ({"run": "other"}, "this label belongs to the run other"),
    ],
)
def test_a_row_that_can_not_be_a_label_is_named_by_file_and_line_and_nothing_is_kept(
    own_store, trials, bring, changes, words
):
    cells = dict(zip(COLUMNS, next(iter(_rows(write(trials, CLAIM)))), strict=True)) | changes
    good = write(trials, replace(CLAIM, note="one line", unit="c2"))
    text = good + ",".join(f'"{cells[name].replace(chr(34), chr(34) * 2)}"' for name in COLUMNS) + "\n"
    with pytest.raises(InputError, match=f"(?s)l.csv:3: .*{words}"):
        bring(text, trials)
    assert own_store.labels.all(trials) == ()


def _rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))[1:]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "l.csv: the file holds no label"),
        ("record,metric\n", "l.csv: the file holds no label"),
        ("record,metric,person\na,b,c\n", "l.csv: the file holds no label"),
        ("record,metric,person,label\na,b,c,d,e\n", "l.csv:2: the row has 5 cells, the header has 4"),
        ('record,metric,person,label\n"a,b,c,d\n', "l.csv:2: the row that starts here can't be read"),
        (
            "record,metric,person,label\nall-good,accuracy,Ada,9\n",
            "l.csv:2: '9' does not fit the scale of accuracy.*from 1 to 5",
        ),
        ("record,metric,part,label\nall-good,clarity,grade,3.5\n", "l.csv:2: '3.5' is not a level of grade"),
        ("record,metric,person,score\nall-good,clarity,Ada,7\n", "l.csv:2: '7' does not fit the scale of clarity"),
        (
            "record,metric,person,label\nall-good,clarity,Ada,3\nall-good,clarity,Ada,4\n",
            "l.csv:3: line 2 has another label for the same question: '3'",
        ),
    ],
)
def test_a_table_that_is_none_is_refused_with_its_line(trials, bring, text, words):
    with pytest.raises(InputError, match=words):
        bring(text, trials)


def test_rows_without_a_run_need_one_named(trials, bring):
    text = "record,metric,person,label\nall-good,clarity,Ada,3\n"
    with pytest.raises(InputError, match=r"l\.csv:2: this label has no run"):
        bring(text)
    assert bring(f"run,{text.replace(chr(10) + 'all', chr(10) + trials + ',all')}").counts == {trials: 1}


def test_one_file_may_hold_labels_of_two_runs(own_store, trials, bring, tmp_path):
    other = keep_example(own_store, "trial-eligibility", tmp_path)
    text = f"run,record,metric,person,label\n{trials},all-good,clarity,Ada,3\n{other},all-good,clarity,Ada,4\n"
    assert bring(text).counts == {trials: 1, other: 1}
