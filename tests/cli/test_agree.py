"""`assay agree`: a judge against people, as a command."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from shell import Ended, opinion, reply, run, write_lines

from assay.report.gate import hold_agreement
from assay.store.agreements import KeptAgreement
from assay.store.store import open_store
from equipment.example_runs import keep_example

SCORES = (1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 2, 4)
LABELS = Path("labels.csv")
FIGURES = ("Spearman, all records", "quadratic weighted kappa", "Krippendorff alpha (interval)")
UNITS = "record,metric,unit,person,label"


def judge(scores: Sequence[int | None], name: str = "replies", items: int = 1_000, **fields: object) -> None:
    """A run of records r0, r1, …, each with its score; None is a reply that is not there."""
    records = [opinion(f"r{at}", item=f"r{at % items}", **fields) for at in range(len(scores))]
    replies = [reply(f"r{at}", score) for at, score in enumerate(scores) if score is not None] or [reply("another")]
    keep(records, replies, name=name)


def keep(records: Iterable[dict], replies: Iterable[dict], rubric: str = "opinion-relevance", name: str = "p") -> None:
    write_lines(Path("r.jsonl"), records)
    write_lines(Path(f"{name}.jsonl"), replies)
    assert run("judge", "r.jsonl", "--rubric", rubric, "--judge", f"recorded:{name}.jsonl", "--quiet").code in {0, 1}


def label(*rows: str, header: str = "record,metric,person,label") -> Path:
    LABELS.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return LABELS


def label_scores(said: Sequence[object] | Mapping[str, Sequence[object]], metric: str = "relevance") -> Path:
    by_person = said if isinstance(said, Mapping) else {"Ada": said}
    rows = [f"r{at},{metric},{who},{each}" for who, all_of in by_person.items() for at, each in enumerate(all_of)]
    return label(*rows, header="record,metric,annotator,score")


def ask(*arguments: object) -> Ended:
    return run("agree", "last", "--labels", LABELS, *arguments)


def say(*arguments: object) -> str:
    """What the terminal shows, without its line breaks."""
    ended = ask(*arguments)
    assert ended.code == 0, ended.err
    return " ".join(ended.out.split())


def agree(*arguments: object) -> dict:
    ended = ask(*arguments, "--format", "json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["agreement"]


def measure(*arguments: object) -> dict:
    """The figures of the first metric."""
    return agree(*arguments)["metrics"][0]


def read_figures(metric: dict) -> dict[str, float | None]:
    return {figure["name"]: figure["judge"]["value"] for figure in metric["figures"]}


def find_figure(metric: dict, name: str) -> dict:
    return next(figure for figure in metric["figures"] if figure["name"] == name)


def test_a_perfect_judge_is_shown_as_perfect():
    judge(SCORES)
    label_scores(SCORES)
    found = measure()
    figures = read_figures(found)
    assert found["n"] == 12
    assert figures.pop("mean error") == 0
    assert figures == pytest.approx(dict.fromkeys(FIGURES, 1.0))
    assert find_figure(found, "mean error")["constant"] == ["always the median label", pytest.approx(7 / 24)]
    assert found["corrected"]["corrected"] is None
    assert "nothing to correct" in found["corrected"]["reason"]


def test_the_verdict_is_the_first_sentence():
    judge(SCORES)
    label_scores(SCORES)
    words = "Better than a constant guess (12 records from 12 source groups). How well people agree with each other is not known."
    assert say().startswith(f"Relevance: {words} Spearman, all records 1.00.")
    (verdict,) = json.loads(ask("--format", "json").out)["verdicts"]
    counts = {"records": 12, "items": 12, "people": 1}
    named = {"metric": "relevance", "name": "Relevance", "finding": "better", "sentence": words}
    assert verdict == {**named, **counts}


def test_a_constant_judge_has_no_correlation_and_the_words_say_so():
    judge([3] * len(SCORES))
    label_scores(SCORES)
    said = say()
    assert "the judge gives all records the same value: correlations are undefined" in said
    assert "No verdict, because the figure is undefined (12 records from 12 source groups)." in said
    assert "Spearman, all records undefined" in said
    assert "NaN" not in said


def test_where_nothing_was_scored_the_words_say_why_every_figure_is_undefined():
    judge([None] * 3)
    label_scores((1, 2, 3))
    said = say()
    assert "the judge has no value for 3 of 3 labelled records" in said
    assert "none of the records has both a value of the judge and a label: every figure is undefined" in said


def test_labels_that_match_no_record_are_counted_and_named():
    judge(SCORES)
    with label_scores(SCORES).open("a", encoding="utf-8") as stream:
        stream.write("ghost,relevance,Ada,3\nphantom,relevance,Ada,3\nr1,beauty,Ada,3\nr2,relevance,Ben,\n")
    ended = ask("--format", "json")
    assert "2 of 15 labels name a record that the run does not have: ghost, phantom" in ended.err
    assert "1 of 15 labels are for metrics that the rubric does not have: beauty" in ended.err
    assert "1 rows have no label" in ended.err
    account = json.loads(ended.out)["agreement"]["account"]
    assert (account["labels"], account["used"]) == (15, 12)
    assert account["left_out"]["name a record that the run does not have"] == ["ghost", "phantom"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["ghost,relevance,Ada,3"], ["no label belongs to a record of run", "ghost"]),
        (["r0,relevance,Ada,7"], ["labels.csv:2: '7' does not fit the scale of relevance. Write a number from 1 to 5"]),
        (["r0,relevance,Ada,nice"], ["labels.csv:2: 'nice' does not fit the scale of relevance"]),
        (
            ["r0,relevance,Ada,2", "r0,relevance,Ada,3"],
            ["labels.csv:3: line 2 has another label for the same question: '2'"],
        ),
        (
            ["r0,relevance,Ada,2", "r1,relevance,Ada,good"],
            ["labels.csv:3: relevance has both numbers and good/bad labels"],
        ),
        (["r0,,Ada,2"], ["labels.csv:2: there is no metric"]),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_line(rows, words):
    judge(SCORES[:2])
    label(*rows)
    ended = ask()
    assert ended.code == 2
    assert all(each in ended.err for each in words)


def test_json_lines_are_read_like_csv():
    judge(SCORES)
    rows = [{"key": f"r{at}", "metric": "relevance", "person": "Ada", "score": each} for at, each in enumerate(SCORES)]
    found = measure("--labels", write_lines(Path("labels.jsonl"), rows))
    assert read_figures(found)["Spearman, all records"] == pytest.approx(1)


def test_two_annotators_give_a_ceiling():
    judge(SCORES)
    label_scores({"Ada": SCORES, "Ben": (1, 2, 2, 4, 5, 4, 4, 3, 3, 1, 2, 5)})
    found = measure()
    ceiling = find_figure(found, "Spearman, judge vs each annotator")
    assert found["people"] == ["Ada", "Ben"]
    assert 0.8 < ceiling["beside"]["value"] < 1
    assert ceiling["judge"]["value"] > ceiling["beside"]["value"]
    assert "people 0.9" in say()


def test_good_and_bad_are_held_against_a_threshold_with_baselines():
    judge(SCORES)
    label(*(f"r{at},relevance,Ada,{'good' if score >= 4 else 'bad'}" for at, score in enumerate(SCORES)))
    default = measure()
    assert "good if the normalized score is at least 0.5" in default["about"]
    figures = read_figures(default)
    assert set(figures) == {"AUC", "balanced accuracy", "Krippendorff alpha (nominal)"}
    assert (figures["AUC"], figures["balanced accuracy"]) == pytest.approx((1, (1 + 5 / 7) / 2))
    assert find_figure(default, "balanced accuracy")["constant"] == ["always bad", 0.5]
    strict = measure("--threshold", 0.75)
    assert read_figures(strict)["balanced accuracy"] == pytest.approx(1)
    assert strict["confusion"] == [[7, 0], [0, 5]]


def test_a_threshold_makes_good_and_bad_of_graded_labels():
    """People differ by one step here and there, and never about what is 4 or more."""
    judge(SCORES)
    label_scores({"Ada": SCORES, "Ben": (2, 1, 3, 5, 4, 5, 4, 3, 2, 2, 1, 4)})
    assert find_figure(measure(), "Krippendorff alpha (interval)")["beside"]["value"] < 0.95
    classes = measure("--threshold", 0.6)
    assert find_figure(classes, "Krippendorff alpha (nominal)")["beside"]["value"] == pytest.approx(1)
    assert find_figure(classes, "alpha, judge vs each annotator")["judge"]["value"] == pytest.approx(1)


def test_the_judges_mean_says_how_many_records_it_is_of():
    judge([1 + at % 5 if at < 35 else None for at in range(40)])
    label_scores(SCORES)
    corrected = measure()["corrected"]
    assert (corrected["records"], corrected["raw"]["n"]) == (40, 35)
    assert re.search(r"the judge's mean normalized score is 0\.50 \[.*?\] \(35 of 40 records scored\)", say())


def test_a_few_labels_correct_the_mean_of_the_run():
    many = SCORES * 5
    judge(many)
    label_scores(many[:30])
    found = measure()["corrected"]
    assert found["raw"]["value"] == pytest.approx(sum((score - 1) / 4 for score in many) / len(many))
    assert found["corrected"]["interval"][0] <= found["raw"]["value"] <= found["corrected"]["interval"][1]


def test_a_judge_that_orders_but_is_far_off_is_for_ordering_only_on_the_terminal_and_in_reports():
    """Reports left this half of the verdict out."""
    scores = [1, 2] * 20
    judge(scores)
    label_scores([score + 3 for score in scores])
    words = "Use its scores only to rank records: the median label is closer to people's labels than its scores are."
    assert words in say()
    assert run("labels", "import", LABELS, "--run", "last").code == 0
    assert run("report", "last", "--markdown", "r.md").code == 0
    assert words in Path("r.md").read_text(encoding="utf-8")


def test_labels_in_the_store_are_the_default():
    judge(SCORES)
    assert run("agree").code == 2
    assert run("labels", "import", label_scores(SCORES), "--run", "last").code == 0
    found = json.loads(run("agree", "--format", "json").out)["agreement"]
    assert found["labels"] == "the store"
    assert read_figures(found["metrics"][0])["Spearman, all records"] == pytest.approx(1)


@pytest.fixture
def claims(tmp_path: Path) -> list[tuple[str, str, str]]:
    """The claims of the shipped article summaries, as the scripted judge labels them."""
    Path(".assay").mkdir()
    with open_store(Path(".assay/assay.db")) as store:
        name = keep_example(store, "article-audit", tmp_path)
    assert run("runs", "export", name, "--to", "out.jsonl").code == 0
    lines = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        (line["record"], each["unit"], each["support"])
        for line in lines
        for each in line["metrics"]["hallucination"]["findings"]
        if each["kind"] == "claim"
    ]


def label_claims(claims: Iterable[tuple[str, str, str]], *people: str) -> None:
    rows = (
        f"{record},hallucination,{unit},{who},{said}" for record, unit, said in claims for who in people or ("Ada",)
    )
    label(*rows, header=UNITS)


def test_claim_labels_are_held_against_the_judge_unit_by_unit(claims):
    (record, unit, said), *others = [each for each in claims if each[2] != "undecided"]
    flipped = (record, unit, "absent" if said == "supported" else "supported")
    label_claims([flipped, *others, (record, "c99", "absent")])
    ended = ask("--format", "json")
    assert "1 of" in ended.err
    assert "name a unit that the record does not have" in ended.err
    units = json.loads(ended.out)["agreement"]["units"][0]
    count = 1 + len(others)
    assert (units["metric"], units["about"], units["n"]) == ("hallucination", "labels of each claim", count)
    counts = units["confusion"]
    assert sum(sum(row) for row in counts) == count
    assert sum(counts[at][at] for at in range(len(counts))) == count - 1
    assert set(read_figures(units)) == {"balanced accuracy", "Krippendorff alpha (nominal)"}


def test_whole_sets_of_claim_labels_give_the_score_that_the_rule_gives_and_are_compared_with_each_other(claims):
    label_claims(claims, "Ada", "Ben")
    found = agree()
    scored = next(each for each in found["metrics"] if each["metric"] == "hallucination")
    assert scored["n"] >= 2
    assert read_figures(scored)["quadratic weighted kappa"] == pytest.approx(1)
    units = found["units"][0]
    assert units["people"] == ["Ada", "Ben"]
    alpha = find_figure(units, "alpha, judge vs each annotator")
    assert alpha["beside"]["value"] == alpha["judge"]["value"] == pytest.approx(1)


def test_units_on_which_nobody_decided_have_no_figure_and_no_error(claims):
    label_claims([(*claims[0][:2], "undecided")])
    (units,) = agree()["units"]
    assert (units["name"], units["n"]) == ("Hallucination, claim", 0)
    assert set(read_figures(units).values()) == {None}


def test_one_person_may_name_a_records_only_system_and_another_leave_it_out():
    judge(SCORES, system="one")
    rows = (f"r{at},{system},relevance,{person},{score}" for at, score in enumerate(SCORES)
            for person, system in (("Ada", "one"), ("Bob", "")))  # fmt: skip
    label(*rows, header="record,system,metric,annotator,score")
    ended = ask("--format", "json")
    assert "name a record" not in ended.err
    assert set(json.loads(ended.out)["agreement"]["people"]) == {"Ada", "Bob"}


def test_a_record_of_several_systems_needs_the_system_named():
    records = [opinion("a", system="one"), opinion("a", system="two"), opinion("b", system="one")]
    keep(records, [reply("a", 4), reply("b", 2)])
    label("a,relevance,Ada,4", "b,relevance,Ada,2")
    ended = ask("--format", "json")
    assert "1 of 2 labels name a record that several systems answered, but no system: a" in ended.err
    assert json.loads(ended.out)["agreement"]["account"]["used"] == 1


def test_a_third_is_the_same_third_whoever_says_it():
    """On a scale of 0 to 3: a judge's 1/3 and a person's are one category, not two that nearly meet."""
    levels = [0, 1, 2, 3] * 3
    page = {"title": "Tea", "url": "https://example.org/tea", "content": "Drink one cup of tea a day."}
    search = {"user_query": "How much tea?", "search_results": [page], "summary": "One cup a day [1]."}
    said = [
        {"hallucination_evaluation": {"hallucination_score": level, "hallucination_justification": "so"}}
        for level in levels
    ]
    replies = ({"record": f"r{at}", "ask": "search-summary", "text": json.dumps(each)} for at, each in enumerate(said))
    keep(({"id": f"r{at}", **search} for at in range(len(levels))), replies, "search-summary")
    label_scores(levels, "hallucination")
    figures = read_figures(measure("--metric", "hallucination"))
    assert figures["quadratic weighted kappa"] == figures["Krippendorff alpha (interval)"] == 1.0


def test_a_table_needs_no_run():
    rows = (f"r{at},i{at // 2},{each},{who},{each}" for at, each in enumerate(SCORES) for who in ("Ada", "Ben"))
    label(*rows, header="record,item,judge,person,score")
    ended = run("agree", "--table", LABELS, "--scale", "1-5", "--format", "json")
    assert ended.code == 0, ended.err
    metric = json.loads(ended.out)["agreement"]["metrics"][0]
    assert (metric["n"], metric["clusters"]) == (12, 6)
    assert read_figures(metric)["Spearman, all records"] == pytest.approx(1)
    assert metric["corrected"]["raw"]["value"] == pytest.approx(sum((each - 1) / 4 for each in SCORES) / 12)
    ended = run("agree", "--table", LABELS)
    assert ended.code == 2
    assert "labels.csv:4: '2' does not fit the scale" in ended.err
    kept = run("agree", "--table", LABELS, "--save")
    assert (kept.code, "--save" in kept.err) == (2, True)


def test_a_gate_refuses_a_judge_whose_agreement_nobody_has_kept() -> None:
    judge(SCORES)
    label_scores(SCORES)
    required = ("report", "last", "--fail-under", "relevance.low=0", "--require-agreement")
    ended = run(*required)
    assert ended.code == 1
    assert "FAILED: Relevance: no agreement of recorded:" in ended.err
    assert "run `assay agree RUN --save`" in ended.err
    assert ask().code == 0
    assert run(*required, 12).code == 1, "only --save keeps it"
    assert ask("--save").code == 0
    ended = run(*required, 12, "--markdown", "-")
    assert ended.code == 0, ended.err
    assert "Better than a constant guess (12 records from 12 source groups)." in ended.err
    assert "Saved result, 12 records: Spearman, all records 1.00 [1.00, 1.00] (baseline 0.00)." in ended.err
    assert "Gate: passed" in ended.out
    assert "Wanted: 30 labelled records." in run(*required).err
    judge(SCORES, "others")
    assert run(*required, 12).code == 1, "another judge"


def test_a_kept_agreement_outlives_its_run_and_is_replaced_by_a_later_one() -> None:
    judge(SCORES)
    label_scores(SCORES)
    assert ask("--save").code == 0
    assert run("runs", "delete", "last").code == 0
    judge(SCORES)
    assert run("report", "last", "--require-agreement", 12).code == 0
    label_scores(SCORES[::-1])
    assert ask("--save").code == 0
    ended = run("report", "last", "--require-agreement", 12)
    assert (ended.code, "No better than a constant guess (12 records from 12 source groups)." in ended.err) == (1, True)


def test_the_verdict_on_too_few_labels_goes_wherever_its_figures_go() -> None:
    """Sixteen records from four items: on the terminal, in JSON, in reports and gates, and once it is saved."""
    scores = [1, 2, 3, 5] * 4
    judge(scores, items=4)
    label_scores(scores)
    words = "Too few labels for a verdict (16 records from 4 source groups). Label more."
    shown = say("--save")
    assert shown.startswith(f"Relevance: {words}")
    assert "16 items" not in shown
    assert [each["sentence"] for each in json.loads(ask("--format", "json").out)["verdicts"]] == [words]
    # As it was saved, then by labels of the run itself.
    for saved in ("Saved result, 16 records: Spearman, all records 1.00 (baseline 0.00).", ""):
        ended = run("report", "last", "--html", "r.html", "--markdown", "r.md", "--require-agreement", 10)
        assert ended.code == 1
        assert words in ended.err
        for name in ("r.html", "r.md"):
            text = Path(name).read_text(encoding="utf-8")
            # Once for the gate, and once for the metric.
            assert text.count(words) == 2
            assert saved in text
        assert run("labels", "import", LABELS, "--run", "last").code == 0


def test_an_agreement_saved_without_a_verdict_passes_no_gate() -> None:
    kept = KeptAgreement("j", "d", "m", "run", 90, "Spearman, all records", 0.8, 0.7, 0.9, 0.0)
    gate = hold_agreement("Relevance", "j", 30, kept)
    assert not gate.passed
    assert "No verdict was saved. Run `assay agree RUN --save` again." in gate.said
