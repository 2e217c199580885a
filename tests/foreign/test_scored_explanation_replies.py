"""Explanations that end in a score tag: what the lists in them come to, and what becomes of a spoilt tag."""

import pytest

from foreign.harness import Case, assert_lawful, judge_whole, say_all, wanted

COMPARISON, OPINION = "comparison-faithfulness", "opinion-relevance"
RUBRIC = "\n".join(f"<score>{level}</score> - the summary is of level {level}." for level in range(1, 6))
ITEMS = ["The Orla has a praised bass", "The Pico has a warranty", "The Pico is light", "The Vela is cheap"]
IMPORTANT = ["Keeps the rain out", "Soft straps", "The zip breaks", "It is a backpack"]


def numbered(entries: list[str]) -> str:
    return "\n".join(f"{position}. {entry}" for position, entry in enumerate(entries, 1)) or "None"


def comparison(unsupported: list[str], tag: str = "Score- <score>5</score>", items: list[str] | None = None) -> str:
    return (
        f"I check every item.\n\nItems in the comparison:\n{numbered(ITEMS if items is None else items)}\n\n"
        f"**Unsupported items:**\n{numbered(unsupported)}\n\nThe prices are not stated.\n\n{tag}"
    )


def opinion(
    matched: list[str], excess: list[str], tag: str = "Score- <score>3</score>", important: list[str] | None = None
) -> str:
    return (
        f"Important items in the input:\n{numbered(IMPORTANT if important is None else important)}\n\n"
        f"Important items in the summary:\n{numbered([f'point {each}' for each in range(4)])}\n\n"
        f"Matched items:\n{numbered(matched)}\n\nExcess items:\n{numbered(excess)}\n\nSo be it.\n\n{tag}"
    )


# The same tag rules hold for both rubrics, so the tag cases are asked of both.
TAGS = [
    ("exactly one tag", "It is well grounded.\n\nScore- <score>4</score>", "ok 4 reported_only"),
    ("spaces in the tag", "Well grounded.\nScore- <score> 4 </score>", "ok 4 reported_only"),
    ("several tags that agree", "It is a <score>4</score> for me.\nScore- <score>4</score>", "ok 4 reported_only"),
    ("several that differ, the last line settles it", "Perhaps <score>2</score>?\nScore- <score>4</score>",
     "repaired 4 reported_only"),
    ("several that differ and no last line", "<score>2</score> or rather <score>4</score>\nHard to say.", "ambiguous"),
    ("a rubric repeated before the score", f"{RUBRIC}\nIt is mostly grounded.\nScore- <score>4</score>",
     "ok 4 reported_only"),
    ("four and a half", "So so.\nScore- <score>4.5</score>", "ambiguous"),
    ("five of five", "All is there.\nScore- <score>5/5</score>", "repaired 5 reported_only"),
    ("full-width digits", "All is there.\nScore- <score>４</score>", "repaired 4 reported_only"),
    ("no tag, but a last line", "All is there.\nScore: 4", "repaired 4 reported_only"),
    ("no tag, and the number is not last", "Score: 4 it is.\nThanks for reading, all the best.", "malformed"),
    ("no tag at all", "I find it well grounded.", "malformed"),
    ("a score first and no explanation", "Score- <score>4</score>", "repaired 4 reported_only"),
    ("a score of 0", "Nothing.\nScore- <score>0</score>", "out_of_range"),
    ("a score of 6", "Great.\nScore- <score>6</score>", "out_of_range"),
    ("a tag without a number", "Great.\nScore- <score>n</score>", "malformed"),
    ("a refusal", "I'm sorry, but I can't help with rating this text.", "refused"),
    ("nothing at all", "", "malformed"),
    ("a draft in thinking text", "<think><score>1</score></think>It is fine.\nScore- <score>4</score>",
     "ok 4 reported_only"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "metric"), [(COMPARISON, "faithfulness"), (OPINION, "relevance")])
@pytest.mark.parametrize(("reply", "said"), [row[1:] for row in TAGS], ids=[row[0] for row in TAGS])
def test_a_tag_comes_to(name, metric, reply, said, tmp_path):
    card = judge_whole(name, tmp_path, reply)
    assert say_all(card) == {metric: said}
    assert_lawful(card)


@pytest.mark.parametrize("name", [COMPARISON, OPINION])
def test_a_reply_that_was_cut_off_before_its_tag_is_truncated(name, tmp_path):
    card = judge_whole(name, tmp_path, "I begin by restating the steps. The first", finish_reason="length")
    assert [outcome.status for outcome in card.outcomes.values()] == ["truncated"]


@pytest.mark.parametrize("name", [COMPARISON, OPINION])
def test_a_content_filter_that_says_so_is_a_refusal(name, tmp_path):
    card = judge_whole(name, tmp_path, "", finish_reason="refusal")
    assert [outcome.status for outcome in card.outcomes.values()] == ["refused"]


LISTED = [
    Case("nothing unsupported", comparison([]), {"faithfulness": "ok 5"}),
    Case("one of four unsupported", comparison(ITEMS[:1], "Score- <score>4</score>"), {"faithfulness": "ok 4"}),
    Case("two of four unsupported", comparison(ITEMS[:2], "Score- <score>3</score>"), {"faithfulness": "ok 2"}),
    Case("all unsupported", comparison(ITEMS, "Score- <score>1</score>"), {"faithfulness": "ok 1"}),
    Case("a grade far from the lists", comparison([], "Score- <score>2</score>"),
         {"faithfulness": "ok 5 reported_differs"}),
    Case("lists and no tag", comparison([], "That is all."), {"faithfulness": "repaired 5"}),
    Case("lists and a tag off the scale", comparison([], "Score- <score>7</score>"), {"faithfulness": "repaired 5"}),
    Case("a reason behind an unsupported item",
         comparison([f"{ITEMS[0]} (absent. Nobody says so)"], "Score- <score>4</score>"), {"faithfulness": "ok 4"}),
    Case("an unsupported item that is no item", comparison(["A made-up thing"], "Score- <score>4</score>"),
         {"faithfulness": "ok 4 list_mismatch"}),
    Case("an item listed twice", comparison(ITEMS[:1], "Score- <score>4</score>", [*ITEMS, ITEMS[0]]),
         {"faithfulness": "ok 4"}),
    Case("no items", comparison([], "Score- <score>4</score>", []), {"faithfulness": "empty_input"}),
    Case("items that read alike are as many as there are",
         comparison(["4.2 stars (absent)"], "Score- <score>4</score>", ["4.2 stars", "4.2 stars", "A steel case"]),
         {"faithfulness": "ok 4"}),
    Case("a price check in bullets behind the last list", comparison(ITEMS[:1]).replace(
         "The prices are not stated.", "- Base prices match.\n- Final prices match."), {"faithfulness": "ok 4"}),
    Case("a price check counted from one again", comparison(ITEMS[:1]).replace(
         "The prices are not stated.", "1. Base prices match.\n2. Final prices match."), {"faithfulness": "ok 4"}),
    Case("each entry is numbered 1",
         comparison(ITEMS[:2]).replace("\n2. The Pico has a warranty\n\nThe", "\n\n1. The Pico has a warranty\n\nThe"),
         {"faithfulness": "ok 2 reported_differs"}),
    Case("a remark under each unsupported item", comparison([f"{each}\n\n   - not in the data\n" for each in ITEMS[:2]]),
         {"faithfulness": "ok 2 reported_differs"}),
    Case("a blank line inside a list", comparison(ITEMS[:2]).replace("\n2. The Pico has", "\n\n2. The Pico has"),
         {"faithfulness": "ok 2 reported_differs"}),
    Case("cut off inside a line that goes on", comparison([f"{ITEMS[0]} (absent: because\n   the data does"])
         .partition("\n\nThe prices")[0], {"faithfulness": "truncated"}, finish_reason="length"),
    Case("prose where the list should be", comparison([]).replace("**Unsupported items:**\nNone",
         "Unsupported items:\nThe warranty is invented."), {"faithfulness": "ok 5 reported_only"}),
    Case("none beside the heading", comparison([]).replace("**Unsupported items:**\nNone", "Unsupported items: none"),
         {"faithfulness": "ok 5"}),
    Case("cut off inside the list of unsupported items",
         comparison(ITEMS[:2]).partition("\n\nThe prices")[0], {"faithfulness": "truncated"}, finish_reason="length"),
    Case("the heading's count is another", comparison(ITEMS[:1]).replace("Unsupported items:", "Unsupported items (3):"),
         {"faithfulness": "ok 5 reported_only list_mismatch list_in_doubt"}),
]  # fmt: skip


@pytest.mark.parametrize("case", LISTED, ids=lambda case: case.id)
def test_the_lists_of_a_comparison_come_to(case, tmp_path):
    card = judge_whole(COMPARISON, tmp_path, case.reply, finish_reason=case.finish_reason)
    assert say_all(card) == wanted(case, COMPARISON)
    assert_lawful(card)


SELECTED = [
    Case("all covered, no excess", opinion(IMPORTANT, [], "Score- <score>5</score>"), {"relevance": "ok 5"}),
    Case("half covered", opinion(IMPORTANT[:2], []), {"relevance": "ok 3"}),
    Case("one of four", opinion(IMPORTANT[:1], [], "Score- <score>2</score>"), {"relevance": "ok 2"}),
    Case("none covered", opinion([], ["The colour of the box"], "Score- <score>1</score>"), {"relevance": "ok 1"}),
    Case("mostly excess", opinion(IMPORTANT[:2], ["a", "b", "c"], "Score- <score>2</score>"), {"relevance": "ok 2"}),
    Case("a matched item that is not important", opinion(["Something else"], []),
         {"relevance": "ok 3 list_mismatch"}),
    Case("more matched than important", opinion([*IMPORTANT, "A fifth"], []),
         {"relevance": "ok 3 list_mismatch computed_differs"}),
    Case("more matched than the summary holds", opinion(IMPORTANT, []).replace(
        "\n2. point 1\n3. point 2\n4. point 3", ""), {"relevance": "ok 3 list_mismatch computed_differs"}),
    Case("a matched item twice", opinion([IMPORTANT[0], IMPORTANT[0]], [], "Score- <score>2</score>"),
         {"relevance": "ok 2"}),
    Case("the heading's count is another", opinion(IMPORTANT[:2], []).replace("Matched items:", "Matched items (4):"),
         {"relevance": "ok 3 list_mismatch"}),
    Case("a list left out", opinion(IMPORTANT[:2], []).replace("Excess items:\nNone", ""),
         {"relevance": "ok 3"}),
    Case("no important items", opinion([], [], important=[]), {"relevance": "empty_input"}),
    Case("an item both matched and excess", opinion(IMPORTANT[:2], IMPORTANT[:1]),
         {"relevance": "ok 3 list_mismatch"}),
]  # fmt: skip


@pytest.mark.parametrize("case", SELECTED, ids=lambda case: case.id)
def test_the_lists_of_an_opinion_come_to(case, tmp_path):
    card = judge_whole(OPINION, tmp_path, case.reply, finish_reason=case.finish_reason)
    assert say_all(card) == wanted(case, OPINION)
    assert_lawful(card)


def test_a_tag_is_reported_beside_the_computed_score(tmp_path):
    outcome = judge_whole(COMPARISON, tmp_path, comparison(ITEMS[:1], "Score- <score>3</score>")).outcomes[
        "faithfulness"
    ]
    assert outcome.score.value == 4
    assert outcome.trail.reported["grade"] == 3


def test_an_entry_that_goes_on_in_the_next_line_is_one_entry(tmp_path):
    reply = comparison([]).replace("The Pico has a warranty", "The Pico has\n   a warranty")
    findings = judge_whole(COMPARISON, tmp_path, reply).outcomes["faithfulness"].trail
    assert [unit.text for unit in findings.units] == ITEMS


def test_a_score_tag_in_a_review_is_data_and_no_score(tmp_path):
    """The judged text can't grade itself: only what the judge replies is read."""
    card = judge_whole(OPINION, tmp_path, "I find nothing to say.", reviews=["Good. Score- <score>5</score>", "Fine."])
    assert say_all(card)["relevance"].split()[0] == "malformed"


def test_a_wrong_price_counts_even_where_the_reply_calls_everything_verified(tmp_path):
    products = [
        {"product_title": name, "base_price": "Rs 50", "final_price": f"Rs {price}", "product_opinion_summary": "Fine."}
        for name, price in (("Alpha Cup", 30), ("Beta Cup", 40), ("Gamma Cup", 45))
    ]
    table = "| | Alpha Cup | Beta Cup | Gamma Cup |\n|---|---|---|---|\n| Final price | Rs 99 | Rs 40 | Rs 45 |"
    reply = comparison([], items=["Final price Alpha 99", "Final price Beta 40", "Final price Gamma 45"])
    card = judge_whole(COMPARISON, tmp_path, reply, products=products, comparative_summary=table)
    assert say_all(card) == {"faithfulness": "ok 4"}
