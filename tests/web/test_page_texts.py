"""Rubrics as HTML, and the replies of a kept run by the name of their prompt."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import read

from assay.api.config import RunConfig
from assay.api.opening import Work, open_run
from assay.files.place import Place
from assay.files.record_builder import build_record
from assay.files.rubrics import open_rubric
from assay.models.chat import CallKey, Completion, Usage
from assay.packs import list_packs
from assay.runner.run import Progress
from assay.web.library import Library
from assay.web.rendering import render_markdown
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread
from equipment.page_server import serve_view


def read_tags(text: str) -> list[str]:
    return [element.tag for element in read(render_markdown(text)).elements]


@pytest.mark.parametrize("name", list_packs())
def test_a_shipped_rubric_is_shown_whole(name: str):
    rubric = open_rubric(name)
    shown = " ".join(read(render_markdown(rubric.text)).text.split())
    for metric in rubric.metrics:
        assert " ".join(metric.question.split("\n")[0].split()) in shown
        for part in metric.label_parts:
            assert all(" ".join(option.meaning.split()) in shown for option in part.options)
    assert {"h1", "ul", "table", "p"} <= set(read_tags(rubric.text))


def test_each_kind_of_block_is_told_apart():
    text = "# A `b`\n- x: 1\n- y\n\n| a | b |\n|---|--:|\n| 1 | 2 \\| 3 |\n\n> said\n\nplain\nmore\n"
    tags = read_tags(text)
    assert [tag for tag in tags if tag in {"h1", "code", "ul", "table", "blockquote", "br"}] == [
        *("h1", "code", "ul", "table", "blockquote", "br"),
    ]
    assert "2 | 3" in read(render_markdown(text)).text


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<!-- aside -->",
        "[x](javascript:alert(1))",
        "![x](https://evil.example/x.png)",
        "<https://evil.example>",
        "[x]: https://evil.example\n[x]",
        "| a |\n|--:|\n| <b onclick=x>b</b> |",
        '```x" onclick=y\n<b>\n```',
        "&lt;script&gt; &#60;b&#62;",
    ],
)
def test_markup_and_links_in_a_rubric_stay_text(text: str):
    markup = read(render_markdown(text))
    assert not {"script", "b", "a", "img"} & {element.tag for element in markup.elements}
    names = {name for element in markup.elements for name in element.attributes}
    assert names <= {"dir", "class", "tabindex", "role", "aria-label"}


@settings(deadline=None, derandomize=True)
@given(st.text(st.sampled_from("# -|>`<!ab\n\\:"), max_size=80))
def test_any_text_is_shown_with_all_its_letters_outside_tables(text: str):
    shown = read(render_markdown(text)).text
    if "|" not in text:
        assert [letter for letter in shown if letter in "ab"] == [letter for letter in text if letter in "ab"]


def test_a_long_line_ends_the_reading_soon():
    assert render_markdown("|" * 20_000 + "\n" + "|-" * 10_000)
    assert render_markdown("`" * 500_000)


def test_replies_stand_under_their_prompts_also_those_of_a_recording(own_store, trials):
    library = Library(own_store)
    run = own_store.find_run(trials)
    card = library.card(run, 0)
    reply = Completion('{"grade": 5}', "stop", Usage(12, 3), "m")
    own_store.put_reply("a", reply, run.id, CallKey(card.record.id, "accuracy"))
    own_store.flush()
    found = library.replies(run, card)
    assert found["accuracy"][0].reply == reply
    assert "hallucination" in found["hallucination"][0]
    with serve_view(own_store) as served:
        text = read(served.get(f"/runs/{trials}/records/1/raw").text).text
    assert "sample 1, ended by stop, 12 tokens in, 3 out, m" in text
    assert "reply 1 of 1" in text


AUDIT = {
    "article": "Die Brücke wurde am 3. Mai eröffnet. Sie kostete die Stadt zwei Millionen Euro. Viele Bürger kamen.",
    "summary": "Die neue Brücke wurde am 3. Mai eröffnet und kostete zwei Millionen Euro. Viele Bürger kamen zur Feier.",
}
TRIAL = {
    "user_input": "Is she eligible for this trial?",
    "patient_profile": "A woman of 54 with diabetes.",
    "trial_id": "NCT01234567",
    "trial_title": "A tablet",
    "eligibility_criteria": "Adults with diabetes.",
    "workflow_answer": "She is likely eligible. A woman of 54 with diabetes fits the criteria well.",
}


@pytest.mark.parametrize(
    ("values", "joint", "asked"),
    [
        (AUDIT, True, {"key_points", "all"}),
        (TRIAL | {"ground_truth_label": "Eligible"}, False, {"hallucination", "accuracy", "clarity", "language_correction"}),
        (TRIAL, False, {"hallucination", "clarity", "language_correction"}),
        (AUDIT | {"summary": " "}, False, set()),
    ],
    ids=["one call for all", "with a truth", "a metric that was not asked", "a blank output"],
)  # fmt: skip
def test_replies_from_over_the_wire_stand_under_the_prompts_that_were_sent(
    own_store, monkeypatch, values, joint, asked
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    rubric = open_rubric("article-audit" if "article" in values else "trial-eligibility")
    records = (build_record({"id": "r-1", **values}, rubric, Place(None, None)),)
    with run_in_thread(ScriptedServer(answer_by_schema(2))) as server:
        request = RunConfig(judges=("openai:m",), base_url=server.base_url, joint=joint)
        run = open_run(request, Work(rubric, records, "r.jsonl"), own_store)
        run.begin()
        run.carry_out(lambda _card: None, Progress())
    row, library = own_store.find_run(run.plan.run), Library(own_store)
    found = library.replies(row, library.card(row, 0))
    assert (set(found), all(found.values())) == (asked, True)
