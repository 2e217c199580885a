"""Rubrics as HTML, prompts beside their replies."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import read

from assay.files.rubrics import open_rubric
from assay.models.chat import CallKey, Completion, Usage
from assay.packs import list_packs
from assay.web.exchange import build_exchanges
from assay.web.library import Library
from assay.web.rendering import render_markdown


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
    found = {each.ask: each for each in build_exchanges(library, run, card)}
    assert found["accuracy"].replies[0].tokens == "12 tokens in, 3 out"
    assert "hallucination" in found["hallucination"].replies[0].text
