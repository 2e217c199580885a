import pytest

import assay
from assay.errors import InputError
from assay.report.result import Result

ARTICLE = (
    "The council of Marlow Bay voted on Tuesday to extend its harbour tram line by 4.2 kilometres. "
    "The extension will add six stops and connect the old docks with the general hospital. "
    "Work starts in March and should end in the autumn of the following year. "
    "The council puts the cost at 86 million crowns, two thirds of which the state will pay. "
    "Shop owners on Pier Street fear that eighteen months of digging will drive their customers away."
)


def judge(summary: str, article: str = ARTICLE) -> Result:
    records = [{"id": "r", "article": article, "summary": summary}]
    return next(iter(assay.judge(records, rubric="article-audit")))


def test_the_embedded_judge_is_the_default():
    run = assay.judge([{"id": "r", "article": ARTICLE, "summary": ARTICLE}], rubric="article-audit")

    assert run.judge.startswith("embedded:")


def test_a_copied_sentence_is_supported_by_its_own_words():
    metric = judge("Work starts in March and should end in the autumn of the following year.").metrics["hallucination"]

    (finding,) = metric.findings
    assert finding["support"] == "supported"
    assert finding["evidence"][0]["quote"].startswith("Work starts in March")
    assert metric.score == 10


def test_another_number_is_absent_and_named():
    metric = judge("The council puts the cost at 96 million crowns, two thirds of which the state will pay.")

    (finding,) = metric.metrics["hallucination"].findings
    assert finding["support"] == "absent"
    assert "'96 million' is nowhere in the sources" in finding["note"]


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("Nurses criticised that no staff was added. The ward opened in May.", "Staff was added."),
        ("No liver damage was seen. The trial ended in June.", "Liver damage was seen."),
        ("Dogs are allowed, if they are kept on a lead.", "Dogs are allowed."),
        ("Bus 77 leaves at 9 o'clock from stop 99.", "Bus 77 leaves at 99 o'clock."),
        ("Take 40 mg once a day, in the morning.", "Take no more than 80 mg once a day."),
    ],
)
def test_words_of_the_source_that_it_does_not_say_so_are_not_supported(source, claim):
    (finding,) = judge(claim, source).metrics["hallucination"].findings
    assert finding["support"] != "supported"


def test_a_clause_between_semicolons_is_supported_by_its_own_words():
    (finding,) = (
        judge("Children under 12 enter free.", "Adults pay 12 euros; children under 12 enter free.")
        .metrics["hallucination"]
        .findings
    )
    assert (finding["support"], finding["note"]) == ("supported", "the source says it word for word")


def test_a_figure_that_two_others_come_to_is_uncertain_and_both_are_named():
    source = "The museum is open from Tuesday to Sunday, 10 am to 5 pm. Admission costs 12 euros for adults."
    (finding,) = judge("Admission costs 15 euros for adults.", source).metrics["hallucination"].findings
    assert finding["support"] == "undecided"
    assert "no source states '15 euros'; '10' and '5' together give it" in finding["note"]


def test_does_not_open_on_sundays_is_not_contradicted_by_closed_on_sundays():
    article = f"The tram museum is closed on Sundays. {ARTICLE}"
    (finding,) = judge("The tram museum does not open on Sundays.", article).metrics["hallucination"].findings

    assert finding["support"] != "contradicted"


def test_opinions_are_declined_with_a_reason():
    result = judge("Work starts in March.")

    assert result.metrics["alignment"].status == "abstained"
    assert "no opinions" in (result.metrics["alignment"].reason or "")


def test_another_language_is_declined():
    article = (
        "Der Stadtrat von Marlow Bay hat am Dienstag beschlossen, die Hafenbahn um 4,2 Kilometer zu verlängern. "
        "Die Arbeiten beginnen im März und sollen im Herbst des folgenden Jahres enden."
    )
    metric = judge("Die Arbeiten beginnen erst im Sommer, wie der Stadtrat mitteilte.", article).metrics[
        "hallucination"
    ]

    assert metric.status == "abstained"
    assert "English" in (metric.reason or "")


@pytest.mark.parametrize("summary", ["The scale costs 24 dollars.", "Barista Duo makes espresso."])
def test_a_few_english_words_that_look_italian_are_english(summary):
    metric = judge(summary, f"{summary} {ARTICLE}").metrics["hallucination"]
    assert [finding["support"] for finding in metric.findings] == ["supported"]


@pytest.mark.parametrize("summary", ["Die Lampe kostet 24 Dollar.", "La lampada da tavolo costa 24 euro."])
def test_a_few_foreign_words_are_declined_by_the_name_of_their_language(summary):
    metric = judge(summary).metrics["hallucination"]
    assert metric.status == "abstained"
    assert any(language in (metric.reason or "") for language in ("German", "Italian", "Spanish"))


def test_lies_are_not_padded_until_they_pass():
    lies = [
        "The council bribed the state.",
        "The hospital burned down.",
        "The shop owners fled the docks.",
        "The harbour was sold to a bank.",
    ]
    estimates = [judge(" ".join(lies[:count])).metrics["hallucination"].weakest_support or 0 for count in (1, 2, 4)]

    assert estimates == sorted(estimates, reverse=True)


def test_true_sentences_around_a_lie_do_not_raise_its_estimate():
    lie = "The council bribed the state."
    alone = judge(lie).metrics["hallucination"].weakest_support
    among = judge(f"{ARTICLE} {lie}").metrics["hallucination"].weakest_support
    assert alone is not None
    assert among is not None
    assert 0.99 * alone <= among <= alone


def test_an_undecided_claim_stands_beside_the_nearest_sentences_of_its_source():
    metric = judge("The hospital burned down.").metrics["hallucination"]
    (finding,) = metric.findings
    assert (metric.score, finding["support"]) == (None, "undecided")
    assert any("hospital" in each["quote"] for each in finding["evidence"])


RETOLD = "The Marlow Bay council decided on Tuesday that its tram line will grow by 4.2 kilometres."


def hide(text: str) -> str:
    """The same text to a reader."""
    for word, hidden in {
        "Marlow": "Mar\u00adlow",
        "council": "coun\u200bcil",
        "kilometres": "ki\u00adlo\u00adme\u00adtres",
        "Tuesday": "<b>Tues\u2060day</b>",
        "tram": "<!-- draft --> tram",
    }.items():
        text = text.replace(word, hidden)
    return text


@pytest.mark.parametrize("summary", [RETOLD, ARTICLE.split(". ", maxsplit=1)[0] + "."])
@pytest.mark.parametrize(("output", "source"), [(hide, str), (str, hide)])
def test_what_no_reader_sees_changes_no_score(summary, output, source):
    plain, hidden = judge(summary), judge(output(summary), source(ARTICLE))

    assert hidden.metrics["hallucination"].score == plain.metrics["hallucination"].score
    assert [each["note"] for each in hidden.metrics["hallucination"].findings] == [
        each["note"] for each in plain.metrics["hallucination"].findings
    ]


def test_evidence_is_quoted_from_the_source_as_it_stands():
    article = f"<p>{hide(ARTICLE)}</p>"
    (finding,) = judge(ARTICLE.split(". ", maxsplit=1)[0] + ".", article).metrics["hallucination"].findings

    (evidence,) = finding["evidence"]
    start, end = evidence["span"]
    assert article[start:end] == evidence["quote"]
    assert evidence["quote"].startswith("The coun\u200bcil of Mar\u00adlow Bay")
    assert evidence["quote"].rstrip(".").endswith("by 4.2 ki\u00adlo\u00adme\u00adtres")


def test_a_long_comment_in_a_source_bears_nothing_out():
    lie = "The mayor was arrested for fraud in Lindholm."
    article = ARTICLE.replace("Work starts", f"<!-- {lie * 60} --> Work starts")
    (finding,) = judge(lie, article).metrics["hallucination"].findings

    assert finding["support"] == "absent"


def test_a_comment_in_another_language_is_no_reason_to_decline():
    comment = "<!-- Der Stadtrat hat am Dienstag beschlossen, die Bahn zu verlängern, und das ist gut so. -->"

    assert judge(RETOLD + comment * 3).metrics["hallucination"].status == "ok"


@pytest.mark.parametrize("glue", ["<br>", "<!-- -->", "\u200b "])
def test_lies_are_not_hidden_by_markup_between_sentences(glue):
    told = ["Work starts in March.", "The mayor was arrested for fraud.", "The extension will add six stops."]
    plain, glued = judge(" ".join(told)), judge(glue.join(told))

    assert glued.metrics["hallucination"].score == plain.metrics["hallucination"].score
    assert len(glued.metrics["hallucination"].findings) == 3


def test_each_judged_claim_has_a_probability_and_each_score_an_interval():
    metric = judge(f"{ARTICLE} The first trams were ordered from a factory in Lindholm last week.")

    found = metric.metrics["hallucination"]
    judged = [finding for finding in found.findings if finding.get("probability") is not None]
    assert judged
    assert all(0 <= finding["probability"] <= 1 for finding in judged)
    assert found.interval is not None
    assert found.interval[0] <= found.score <= found.interval[1]


@pytest.mark.parametrize("flags", [{"base_url": "http://localhost:1/v1"}, {"samples": 3}])
def test_what_only_a_model_can_do_is_refused(flags):
    with pytest.raises(InputError):
        assay.judge([{"article": ARTICLE, "summary": "x"}], rubric="article-audit", **flags)
