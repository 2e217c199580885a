"""Rubrics as blocks, prompts beside their replies."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.ask import MetricAsk
from assay.engine.cache import digest_call
from assay.files.rubrics import open_rubric, shipped_rubrics
from assay.judges.prompted.judge import build_prompt
from assay.models.chat import Call, CallKey, Completion, Usage
from assay.runner.asks import cut_record, plan_metric
from assay.serve.exchange import build_exchanges
from assay.serve.library import Library
from assay.serve.markdown import read_blocks


def words(text: str) -> str:
    return "\n".join(
        "".join(piece.text for piece in cell) for block in read_blocks(text) for line in block.lines for cell in line
    )


@pytest.mark.parametrize("name", shipped_rubrics())
def test_a_shipped_rubric_is_shown_whole(name: str):
    rubric = open_rubric(name)
    shown = words(rubric.text)
    for metric in rubric.metrics:
        assert metric.question.split("\n")[0] in shown
        for part in metric.label_parts:
            assert all(option.meaning in shown for option in part.options)
    kinds = {block.kind for block in read_blocks(rubric.text)}
    assert {"heading", "list", "table", "text"} <= kinds


def test_each_kind_of_block_is_told_apart():
    text = "# A `b`\n- x: 1\n- y\n\n| a | b |\n|---|---|\n| 1 | 2 \\| 3 |\n\n> said\n\n<!-- aside -->\n\nplain\n"
    assert [(block.kind, block.level) for block in read_blocks(text)] == [
        ("heading", 1),
        ("list", 0),
        ("table", 0),
        ("quote", 0),
        ("comment", 0),
        ("text", 0),
    ]
    heading, _, table, *_ = read_blocks(text)
    assert [(piece.text, piece.is_code) for piece in heading.lines[0][0]] == [("A ", False), ("b", True)]
    assert ["".join(piece.text for piece in cell) for cell in table.lines[1]] == ["1", "2 | 3"]


@settings(deadline=None, derandomize=True)
@given(st.text(st.sampled_from("# -|>`<!ab\n\\:"), max_size=80))
def test_any_text_is_shown_with_all_its_letters(text: str):
    letters = [letter for letter in text if letter in "ab"]
    assert [letter for letter in words(text) if letter in "ab"] == letters


def test_a_long_line_ends_the_reading_soon():
    assert len(read_blocks("|" * 200_000 + "\n" + "|-" * 100_000)) == 1
    assert read_blocks("`" * 500_000)


def test_a_prompt_that_is_to_the_letter_what_was_sent_says_so(own_store, trials):
    library = Library(own_store)
    run = own_store.find_run(trials)
    card = library.card(run, 0)
    metric = card.rubric.metric("clarity")
    cut = cut_record(card.record, card.rubric)
    ask: MetricAsk = plan_metric(cut, card.rubric, metric, [])
    prompt = build_prompt(ask, cut.passages)
    call = Call(prompt.messages, prompt.schema, prompt.max_tokens, 0.0, CallKey(card.record.id, "clarity"))
    key = digest_call(run.judges[0].split("/prompts-")[0], call)
    reply = Completion('{"grade": 5}', "stop", Usage(12, 3), "m")
    own_store.put_reply(key, reply, run.id, CallKey(card.record.id, "clarity"))
    own_store.put_reply("other", reply, run.id, CallKey(card.record.id, "accuracy"))
    own_store.flush()
    found = {each.ask: each for each in build_exchanges(own_store, run, card)}
    assert found["clarity"].is_certain
    assert not found["accuracy"].is_certain
    assert found["clarity"].replies[0].tokens == "12 tokens in, 3 out"
    assert found["hallucination"].replies[0].text.startswith("{")
