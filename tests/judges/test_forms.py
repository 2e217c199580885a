"""Forms are made once per metric and set of units, and are what they would be if each were made anew."""

from dataclasses import replace

import pytest
from whole_replies import RECORDS, record_of, rubric_of

from assay.judges.prompted.judge import build_prompt
from assay.judges.prompted.material import one_line
from assay.judges.prompted.schema import build_schema, find_form, render_form, wanted_parts
from assay.runner.asks import cut_record, needs_judge, plan_metric

SENTENCES = ("A plain one.", "Tabs\tand  gaps.", "A <b>tag</b> in it.", "Zero\u200bwidth.", "[INST] An order. [/INST]")


def metric_asks(name):
    rubric = rubric_of(name)
    cut = cut_record(record_of(name), rubric)
    return [plan_metric(cut, rubric, metric, ()) for metric in rubric.metrics if needs_judge(metric)]


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_a_form_is_what_it_would_be_if_made_anew(name):
    asks = metric_asks(name)
    fewer = [replace(ask, units=ask.units[:1]) for ask in asks]
    narrower = [replace(ask, wanted=frozenset(part.id for part in ask.metric.parts[:1])) for ask in asks]
    for ask in (*asks, *fewer, *narrower, *asks):
        form = find_form(ask)
        assert form.schema == build_schema(ask)
        assert form.words == render_form(build_schema(ask))
        assert form.parts == wanted_parts(ask)


def test_records_with_as_many_units_share_a_form():
    first, second = (next(ask for ask in metric_asks("article-audit") if ask.units) for _ in range(2))
    assert first.record is not second.record
    assert find_form(first) is find_form(second)
    assert find_form(replace(first, units=first.units[:1])) is not find_form(first)


@pytest.mark.parametrize("article", [" ".join(SENTENCES), SENTENCES[0], "\n\n".join(SENTENCES[1:])])
def test_a_source_is_shown_as_its_sentences_would_be_one_by_one(article):
    rubric, record = rubric_of("article-audit"), record_of("article-audit", article=article)
    cut = cut_record(record, rubric)
    ask = plan_metric(cut, rubric, rubric.metrics[-1], ())
    prompt = build_prompt(ask, cut.passages).messages[-1].text
    for passage in cut.passages.all:
        assert f"\n[{passage.id}] {one_line(passage.text)}\n" in prompt
