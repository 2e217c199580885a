"""`assay agree`: a judge against people, as a command."""

import json
import re
from pathlib import Path

import pytest
from shell import opinion, reply, run, write_lines

from assay.report.gate import AgreementGate
from assay.store.agreements import KeptAgreement
from assay.store.store import open_store
from equipment.example_runs import keep_example

SCORES = (1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 2, 4)


def judge(folder: Path, scores, name: str = "replies", items: int = 1_000, **fields: object) -> None:
    names = [f"r{number}" for number in range(len(scores))]
    records = [opinion(each, item=f"r{number % items}", **fields) for number, each in enumerate(names)]
    records = write_lines(folder / "r.jsonl", records)
    replies = write_lines(
        folder / f"{name}.jsonl", [reply(each, score) for each, score in zip(names, scores, strict=True)]
    )
    ended = run("judge", records, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    assert ended.code == 0


def search(name: str) -> dict:
    return {
        "id": name,
        "user_query": "How much tea?",
        "search_results": [
            {"title": "Tea", "url": "https://example.org/tea", "content": "Drink one cup of tea a day."}
        ],
        "summary": "One cup a day [1].",
    }


def whole(level: int) -> str:
    """A reply in the shape of the search summary's own judge, of which only the first number matters here."""
    return json.dumps({"hallucination_evaluation": {"hallucination_score": level, "hallucination_justification": "so"}})


def write_labels(folder: Path, scores, people=("Ada",), column: str = "score") -> Path:
    path = folder / "labels.csv"
    rows = [f"r{at},relevance,{person},{score}\n" for at, score in enumerate(scores) for person in people]
    path.write_text(f"record,metric,annotator,{column}\n" + "".join(rows), encoding="utf-8")
    return path


def agree(*arguments: object) -> dict:
    ended = run("agree", "last", *arguments, "--format", "json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["agreement"]


def read_figures(metric: dict) -> dict[str, float | None]:
    return {figure["name"]: figure["judge"]["value"] for figure in metric["figures"]}


def find_figure(metric: dict, name: str) -> dict:
    return next(figure for figure in metric["figures"] if figure["name"] == name)


def test_a_perfect_judge_is_shown_as_perfect(tmp_path):
    judge(tmp_path, SCORES)
    found = agree("--labels", write_labels(tmp_path, SCORES))["metrics"][0]
    figures = read_figures(found)
    assert found["n"] == 12
    assert figures.pop("Spearman, within items, averaged") is None
    assert figures.pop("mean error") == 0
    perfect = ("Spearman, all records", "quadratic weighted kappa", "Krippendorff alpha (interval)")
    assert figures == pytest.approx(dict.fromkeys(perfect, 1.0))
    assert find_figure(found, "mean error")["constant"] == ["always the median label", pytest.approx(7 / 24)]
    assert found["corrected"]["corrected"] is None
    assert "nothing to correct" in found["corrected"]["reason"]


def test_the_verdict_is_the_first_sentence(tmp_path):
    judge(tmp_path, SCORES)
    path = write_labels(tmp_path, SCORES)
    said = run("agree", "last", "--labels", path).out
    words = (
        "Better than a constant guess (12 records from 12 items). How well people agree with each other is not known."
    )
    assert " ".join(said.split()).startswith(f"Relevance: {words} Spearman, all records 1.00.")
    ended = run("agree", "last", "--labels", path, "--format", "json")
    (verdict,) = json.loads(ended.out)["verdicts"]
    assert verdict == {
        "metric": "relevance",
        "name": "Relevance",
        "finding": "better",
        "sentence": words,
        "records": 12,
        "items": 12,
        "people": 1,
    }


def test_a_constant_judge_has_no_correlation_and_the_words_say_so(tmp_path):
    judge(tmp_path, [3] * len(SCORES))
    ended = run("agree", "last", "--labels", write_labels(tmp_path, SCORES))
    assert ended.code == 0
    assert "the judge gives all records the same value: correlations are undefined" in ended.out
    assert "No verdict, because the figure is undefined (12 records from 12 items)." in ended.out
    row = next(line for line in ended.out.splitlines() if line.startswith("Spearman, all records"))
    assert "undefined" in row
    assert "NaN" not in ended.out + ended.err


def test_where_nothing_was_scored_the_words_say_why_every_figure_is_undefined(tmp_path):
    records = write_lines(tmp_path / "r.jsonl", [opinion(f"r{number}") for number in range(3)])
    replies = write_lines(tmp_path / "replies.jsonl", [reply("another", 3)])
    run("judge", records, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    ended = run("agree", "last", "--labels", write_labels(tmp_path, (1, 2, 3)))
    assert ended.code == 0
    said = " ".join(ended.out.split())
    assert "the judge has no value for 3 of 3 labelled records" in said
    assert "none of the records has both a value of the judge and a label: every figure is undefined" in said


def test_labels_that_match_no_record_are_counted_and_named(tmp_path):
    judge(tmp_path, SCORES)
    path = write_labels(tmp_path, SCORES)
    with path.open("a", encoding="utf-8") as stream:
        stream.write("ghost,relevance,Ada,3\nphantom,relevance,Ada,3\nr1,beauty,Ada,3\nr2,relevance,Ben,\n")
    ended = run("agree", "last", "--labels", path, "--format", "json")
    assert "2 of 15 labels name a record that the run does not have: ghost, phantom" in ended.err
    assert "1 of 15 labels are for metrics that the rubric does not have: beauty" in ended.err
    assert "1 rows have no label" in ended.err
    account = json.loads(ended.out)["agreement"]["account"]
    assert (account["labels"], account["used"]) == (15, 12)
    assert account["left_out"]["name a record that the run does not have"] == ["ghost", "phantom"]


def test_labels_of_another_file_altogether_are_refused(tmp_path):
    judge(tmp_path, SCORES)
    path = tmp_path / "labels.csv"
    path.write_text("record,metric,person,score\nghost,relevance,Ada,3\n", encoding="utf-8")
    ended = run("agree", "last", "--labels", path)
    assert ended.code == 2
    assert "no label belongs to a record of run" in ended.err
    assert "ghost" in ended.err


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("r0,relevance,Ada,7", "labels.csv:2: '7' does not fit the scale of relevance. Write a number from 1 to 5"),
        ("r0,relevance,Ada,nice", "labels.csv:2: 'nice' does not fit the scale of relevance"),
        ("r0,relevance,Ada,2\nr0,relevance,Ada,3", "labels.csv:3: line 2 has another label for the same question: '2'"),
        ("r0,relevance,Ada,2\nr1,relevance,Ada,good", "labels.csv:3: relevance has numbers and good or bad"),
        ("r0,,Ada,2", "labels.csv:2: there is no metric"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_line(tmp_path, rows, words):
    judge(tmp_path, SCORES[:2])
    path = tmp_path / "labels.csv"
    path.write_text(f"record,metric,person,label\n{rows}\n", encoding="utf-8")
    ended = run("agree", "last", "--labels", path)
    assert ended.code == 2
    assert words in ended.err


def test_json_lines_are_read_like_csv(tmp_path):
    judge(tmp_path, SCORES)
    rows = [{"key": f"r{at}", "metric": "relevance", "person": "Ada", "score": each} for at, each in enumerate(SCORES)]
    found = agree("--labels", write_lines(tmp_path / "labels.jsonl", rows))
    assert read_figures(found["metrics"][0])["Spearman, all records"] == pytest.approx(1)


def test_two_annotators_give_a_ceiling(tmp_path):
    judge(tmp_path, SCORES)
    path = tmp_path / "labels.csv"
    other = (1, 2, 2, 4, 5, 4, 4, 3, 3, 1, 2, 5)
    rows = [f"r{at},relevance,Ada,{each}\n" for at, each in enumerate(SCORES)]
    rows += [f"r{at},relevance,Ben,{each}\n" for at, each in enumerate(other)]
    path.write_text("record,metric,annotator,score\n" + "".join(rows), encoding="utf-8")
    found = agree("--labels", path)["metrics"][0]
    ceiling = find_figure(found, "Spearman, judge vs each annotator")
    assert found["people"] == ["Ada", "Ben"]
    assert 0.8 < ceiling["beside"]["value"] < 1
    assert ceiling["judge"]["value"] > ceiling["beside"]["value"]
    shown = run("agree", "last", "--labels", path).out
    assert "people 0.9" in shown


def test_good_and_bad_are_held_against_a_threshold_with_baselines(tmp_path):
    judge(tmp_path, SCORES)
    words = ["good" if score >= 4 else "bad" for score in SCORES]
    path = write_labels(tmp_path, words, column="label")
    default = agree("--labels", path)["metrics"][0]
    assert "good from a goodness of 0.5 on" in default["about"]
    figures = read_figures(default)
    assert figures["AUC"] == pytest.approx(1)
    assert figures["balanced accuracy"] == pytest.approx((1 + 5 / 7) / 2)
    assert set(figures) == {"AUC", "balanced accuracy", "Krippendorff alpha (nominal)"}
    assert find_figure(default, "balanced accuracy")["constant"] == ["always bad", 0.5]
    strict = agree("--labels", path, "--threshold", 0.75)["metrics"][0]
    assert read_figures(strict)["balanced accuracy"] == pytest.approx(1)
    assert strict["confusion"] == [[7, 0], [0, 5]]


def test_a_threshold_makes_good_and_bad_of_graded_labels(tmp_path):
    """People differ by one step here and there, and never about what is 4 or more."""
    judge(tmp_path, SCORES)
    path = tmp_path / "labels.csv"
    other = (2, 1, 3, 5, 4, 5, 4, 3, 2, 2, 1, 4)
    rows = [
        f"r{at},relevance,{who},{each}\n"
        for who, said in (("Ada", SCORES), ("Ben", other))
        for at, each in enumerate(said)
    ]
    path.write_text("record,metric,annotator,score\n" + "".join(rows), encoding="utf-8")
    graded = agree("--labels", path)["metrics"][0]
    assert find_figure(graded, "Krippendorff alpha (interval)")["beside"]["value"] < 0.95
    classes = agree("--labels", path, "--threshold", 0.6)["metrics"][0]
    assert find_figure(classes, "Krippendorff alpha (nominal)")["beside"]["value"] == pytest.approx(1)
    assert find_figure(classes, "alpha, judge vs each annotator")["judge"]["value"] == pytest.approx(1)


def test_the_judges_mean_says_how_many_records_it_is_of(tmp_path):
    names = [f"r{number}" for number in range(40)]
    records = write_lines(tmp_path / "r.jsonl", [opinion(each, item=each) for each in names])
    replies = write_lines(tmp_path / "replies.jsonl", [reply(each, 1 + at % 5) for at, each in enumerate(names[:35])])
    run("judge", records, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    path = write_labels(tmp_path, SCORES)
    corrected = agree("--labels", path)["metrics"][0]["corrected"]
    assert (corrected["records"], corrected["raw"]["n"]) == (40, 35)
    said = " ".join(run("agree", "last", "--labels", path).out.split())
    assert re.search(r"the judge's mean goodness is 0\.50 \[.*?\] \(35 of 40 records scored\)", said)


def test_a_few_labels_correct_the_mean_of_the_run(tmp_path):
    many = SCORES * 5
    judge(tmp_path, many)
    found = agree("--labels", write_labels(tmp_path, many[:30]))["metrics"][0]["corrected"]
    assert found["raw"]["value"] == pytest.approx(sum((score - 1) / 4 for score in many) / len(many))
    assert found["corrected"]["interval"][0] <= found["raw"]["value"] <= found["corrected"]["interval"][1]
    assert found["gain"] > 1.5


def test_another_run_is_compared_on_the_same_records(tmp_path):
    judge(tmp_path, (3, 1, 4, 2, 5, 1, 2, 5, 4, 3, 5, 1), "other")
    first = run("runs", "list").out.split()
    other = next(word for word in first if word.startswith("20"))
    judge(tmp_path, SCORES)
    found = agree("--labels", write_labels(tmp_path, SCORES), "--against", other)
    assert found["against"] == other
    (spearman,) = found["metrics"][0]["against"]
    assert spearman["judge"]["value"] == pytest.approx(1)
    assert spearman["gap"]["value"] > 0.5
    assert spearman["gap"]["interval"][0] > 0


def test_what_is_undefined_says_why(tmp_path):
    path = tmp_path / "values.csv"
    items = ("a", "a", "a", "a", "b", "b", "c", "c", "c", "d", "d", "d")
    values = (1, 2, 3, 5, 1, 2, 3, 3, 3, 2, 4, 5)
    rows = [f"r{at},{item},{each},Ada,{each}\n" for at, (item, each) in enumerate(zip(items, values, strict=True))]
    path.write_text("record,item,judge,person,score\n" + "".join(rows), encoding="utf-8")
    said = " ".join(run("agree", "--table", path, "--scale", "1-5").out.split())
    assert "undefined in 2 of 4 items: constant values, or fewer than three records" in said


def test_a_judge_that_orders_but_is_far_off_is_for_ordering_only_on_the_terminal_and_in_reports(tmp_path):
    """Reports left this half of the verdict out."""
    scores = [1, 2] * 20
    judge(tmp_path, scores)
    labels = write_labels(tmp_path, [score + 3 for score in scores])
    words = "Use its order only: its values are farther off than the median label."
    assert words in " ".join(run("agree", "last", "--labels", labels).out.split())
    assert run("labels", "import", labels, "--run", "last").code == 0
    assert run("report", "last", "--markdown", tmp_path / "r.md").code == 0
    assert words in (tmp_path / "r.md").read_text(encoding="utf-8")


def test_labels_in_the_store_are_the_default(tmp_path):
    judge(tmp_path, SCORES)
    assert run("agree").code == 2
    path = tmp_path / "given.csv"
    rows = "".join(f"r{at},relevance,Ada,{each}\n" for at, each in enumerate(SCORES))
    path.write_text("record,metric,person,label\n" + rows, encoding="utf-8")
    assert run("labels", "import", path, "--run", "last").code == 0
    found = agree()
    assert found["labels"] == "the store"
    assert read_figures(found["metrics"][0])["Spearman, all records"] == pytest.approx(1)


@pytest.fixture
def claims(tmp_path: Path) -> list[tuple[str, str, str]]:
    """The claims of the shipped article summaries, as the scripted judge labels them."""
    path = tmp_path / ".assay" / "assay.db"
    path.parent.mkdir()
    store = open_store(path)
    try:
        name = keep_example(store, "article-audit", tmp_path)
    finally:
        store.close()
    ended = run("runs", "export", name, "--to", tmp_path / "out.jsonl")
    assert ended.code == 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        (line["record"], each["unit"], each["support"])
        for line in lines
        for each in line["metrics"]["hallucination"]["findings"]
        if each["kind"] == "claim"
    ]


def test_claim_labels_are_held_against_the_judge_unit_by_unit(tmp_path, claims):
    decided = [each for each in claims if each[2] != "undecided"]
    flipped = {0}
    rows = [
        f"{record},hallucination,{unit},Ada,{('absent' if label == 'supported' else 'supported') if at in flipped else label}"
        for at, (record, unit, label) in enumerate(decided)
    ]
    path = tmp_path / "labels.csv"
    path.write_text(
        "record,metric,unit,person,label\n" + "\n".join([*rows, f"{decided[0][0]},hallucination,c99,Ada,absent"])
    )
    ended = run("agree", "last", "--labels", path, "--format", "json")
    assert "1 of" in ended.err
    assert "name a unit that the record does not have" in ended.err
    found = json.loads(ended.out)["agreement"]
    units = found["units"][0]
    assert (units["metric"], units["about"], units["n"]) == ("hallucination", "labels of each claim", len(decided))
    counts = units["confusion"]
    assert sum(sum(row) for row in counts) == len(decided)
    assert sum(counts[at][at] for at in range(len(counts))) == len(decided) - 1
    assert set(read_figures(units)) == {"balanced accuracy", "Krippendorff alpha (nominal)"}


def test_a_whole_set_of_claim_labels_gives_the_score_that_the_rule_gives(tmp_path, claims):
    rows = [f"{record},hallucination,{unit},Ada,{label}" for record, unit, label in claims]
    path = tmp_path / "labels.csv"
    path.write_text("record,metric,unit,person,label\n" + "\n".join(rows), encoding="utf-8")
    found = next(each for each in agree("--labels", path)["metrics"] if each["metric"] == "hallucination")
    assert found["n"] >= 2
    assert read_figures(found)["quadratic weighted kappa"] == pytest.approx(1)


def test_two_people_who_label_claims_are_compared_with_each_other(tmp_path, claims):
    rows = [f"{record},hallucination,{unit},{who},{label}" for record, unit, label in claims for who in ("Ada", "Ben")]
    path = tmp_path / "labels.csv"
    path.write_text("record,metric,unit,person,label\n" + "\n".join(rows), encoding="utf-8")
    units = agree("--labels", path)["units"][0]
    assert units["people"] == ["Ada", "Ben"]
    alpha = find_figure(units, "alpha, judge vs each annotator")
    assert alpha["beside"]["value"] == alpha["judge"]["value"] == pytest.approx(1)


def test_one_person_may_name_a_records_only_system_and_another_leave_it_out(tmp_path):
    judge(tmp_path, SCORES, system="one")
    rows = [f"r{at},{system},relevance,{person},{score}\n" for at, score in enumerate(SCORES)
            for person, system in (("Ada", "one"), ("Bob", ""))]  # fmt: skip
    path = tmp_path / "labels.csv"
    path.write_text("record,system,metric,annotator,score\n" + "".join(rows), encoding="utf-8")
    ended = run("agree", "last", "--labels", path, "--format", "json")
    assert "name a record" not in ended.err
    assert set(json.loads(ended.out)["agreement"]["people"]) == {"Ada", "Bob"}


def test_a_third_is_the_same_third_whoever_says_it(tmp_path):
    """On a scale of 0 to 3: a judge's 1/3 and a person's are one category, not two that nearly meet."""
    levels = [0, 1, 2, 3] * 3
    names = [f"r{number}" for number in range(len(levels))]
    lines = [{**search(each), "id": each} for each in names]
    records = write_lines(tmp_path / "r.jsonl", lines)
    replies = [
        {"record": name, "ask": "search-summary", "text": whole(level)}
        for name, level in zip(names, levels, strict=True)
    ]
    path = write_lines(tmp_path / "replies.jsonl", replies)
    assert run("judge", records, "--rubric", "search-summary", "--judge", f"recorded:{path}", "--quiet").code == 0
    labels = tmp_path / "labels.csv"
    rows = [f"{name},hallucination,Ada,{level}\n" for name, level in zip(names, levels, strict=True)]
    labels.write_text("record,metric,annotator,score\n" + "".join(rows), encoding="utf-8")
    figures = read_figures(agree("--labels", labels, "--metric", "hallucination")["metrics"][0])
    assert figures["quadratic weighted kappa"] == figures["Krippendorff alpha (interval)"] == 1.0


def test_a_record_of_several_systems_needs_the_system_named(tmp_path):
    records = [opinion("a", system="one"), opinion("a", system="two"), opinion("b", system="one")]
    replies = write_lines(tmp_path / "replies.jsonl", [reply("a", 4), reply("b", 2)])
    path = write_lines(tmp_path / "r.jsonl", records)
    run("judge", path, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    labels = tmp_path / "labels.csv"
    labels.write_text("record,metric,person,score\na,relevance,Ada,4\nb,relevance,Ada,2\n", encoding="utf-8")
    ended = run("agree", "last", "--labels", labels, "--format", "json")
    assert "1 of 2 labels name a record that several systems answered, but no system: a" in ended.err
    assert json.loads(ended.out)["agreement"]["account"]["used"] == 1


def test_a_table_needs_no_run(tmp_path):
    path = tmp_path / "values.csv"
    rows = "".join(
        f"r{at},i{at // 2},{each},{who},{each}\n" for at, each in enumerate(SCORES) for who in ("Ada", "Ben")
    )
    path.write_text("record,item,judge,person,score\n" + rows, encoding="utf-8")
    ended = run("agree", "--table", path, "--scale", "1-5", "--format", "json")
    assert ended.code == 0, ended.err
    metric = json.loads(ended.out)["agreement"]["metrics"][0]
    assert (metric["n"], metric["clusters"]) == (12, 6)
    assert read_figures(metric)["Spearman, all records"] == pytest.approx(1)
    assert metric["corrected"]["raw"]["value"] == pytest.approx(sum((each - 1) / 4 for each in SCORES) / 12)
    ended = run("agree", "--table", path)
    assert ended.code == 2
    assert "values.csv:4: '2' does not fit the scale" in ended.err


def test_units_on_which_nobody_decided_have_no_figure_and_no_error(tmp_path, claims):
    record, unit, _ = claims[0]
    path = tmp_path / "labels.csv"
    path.write_text(f"record,metric,unit,person,label\n{record},hallucination,{unit},Ada,undecided\n", encoding="utf-8")
    found = agree("--labels", path)
    (units,) = found["units"]
    assert units["name"] == "Hallucination, claim"
    assert units["n"] == 0
    assert set(read_figures(units).values()) == {None}


def test_a_gate_refuses_a_judge_whose_agreement_nobody_has_kept(tmp_path: Path) -> None:
    judge(tmp_path, SCORES)
    labels = write_labels(tmp_path, SCORES)
    required = ("report", "last", "--fail-under", "relevance.low=0", "--require-agreement")
    ended = run(*required)
    assert ended.code == 1
    assert "FAILED: Relevance: no agreement of recorded:" in ended.err
    assert "run `assay agree RUN --keep`" in ended.err
    assert run("agree", "last", "--labels", labels).code == 0
    assert run(*required, 12).code == 1, "only --keep keeps it"
    assert run("agree", "last", "--labels", labels, "--keep").code == 0
    ended = run(*required, 12, "--markdown", "-")
    assert ended.code == 0, ended.err
    assert "Better than a constant guess (12 records from 12 items)." in ended.err
    assert "Saved result, 12 records: Spearman, all records 1.00 [1.00, 1.00] (baseline 0.00)." in ended.err
    assert "Gate: passed" in ended.out
    assert "Wanted: 30 labelled records." in run(*required).err
    judge(tmp_path, SCORES, "others")
    assert run(*required, 12).code == 1, "another judge"


def test_a_kept_agreement_outlives_its_run_and_is_replaced_by_a_later_one(tmp_path: Path) -> None:
    judge(tmp_path, SCORES)
    assert run("agree", "last", "--labels", write_labels(tmp_path, SCORES), "--keep").code == 0
    assert run("runs", "delete", "last").code == 0
    judge(tmp_path, SCORES)
    assert run("report", "last", "--require-agreement", 12).code == 0
    assert run("agree", "last", "--labels", write_labels(tmp_path, SCORES[::-1]), "--keep").code == 0
    ended = run("report", "last", "--require-agreement", 12)
    assert (ended.code, "No better than a constant guess (12 records from 12 items)." in ended.err) == (1, True)


def test_the_verdict_on_too_few_labels_goes_wherever_its_figures_go(tmp_path: Path) -> None:
    """Sixteen records from four items: on the terminal, in JSON, in reports and gates, and once it is saved."""
    scores = [1, 2, 3, 5] * 4
    judge(tmp_path, scores, items=4)
    labels = write_labels(tmp_path, scores)
    words = "Too few labels for a verdict (16 records from 4 items). Label more."
    shown = run("agree", "last", "--labels", labels, "--keep").out
    assert " ".join(shown.split()).startswith(f"Relevance: {words}")
    assert "16 items" not in shown
    found = json.loads(run("agree", "last", "--labels", labels, "--format", "json").out)
    assert [each["sentence"] for each in found["verdicts"]] == [words]
    gate = ("--require-agreement", "10")
    # As it was saved, then by labels of the run itself.
    for saved in ("Saved result, 16 records: Spearman, all records 1.00 (baseline 0.00).", ""):
        ended = run("report", "last", "--html", tmp_path / "r.html", "--markdown", tmp_path / "r.md", *gate)
        assert ended.code == 1
        assert words in ended.err
        for name in ("r.html", "r.md"):
            text = (tmp_path / name).read_text()
            # Once for the gate, and once for the metric.
            assert text.count(words) == 2
            assert saved in text
        assert run("labels", "import", labels, "--run", "last").code == 0


def test_an_agreement_saved_without_a_verdict_passes_no_gate() -> None:
    kept = KeptAgreement("j", "d", "m", "run", 90, "Spearman, all records", 0.8, 0.7, 0.9, 0.0)
    gate = AgreementGate("Relevance", "j", 30, kept)
    assert not gate.passed
    assert "No verdict was saved. Run `assay agree RUN --keep` again." in gate.said


def test_the_agreement_of_a_table_can_not_be_kept(tmp_path: Path) -> None:
    ended = run("agree", "--table", tmp_path / "t.csv", "--keep")
    assert (ended.code, "--keep" in ended.err) == (2, True)
