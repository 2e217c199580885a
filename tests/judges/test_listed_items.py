"""What code finds wrong in a comparison counts among the items that a whole reply lists of it."""

import pytest
from whole_replies import assert_lawful, judge_whole, say_all

from assay.domain.findings import Label

NAME = "comparison-faithfulness"
# The Alba kettle costs 30 and the Brio kettle 50: two of the cells may be wrong.
TABLE = """| | Alba kettle | Brio kettle | Cora kettle |
|---|---|---|---|
| Base price | $40 | $55 | $25 |
| Final price | ${alba} | ${brio} | $25 |
| Pros | quiet | thermometer | good value |

The Brio comes with a steel case."""
ITEMS = [
    "Base price Alba 40", "Base price Brio 55", "Base price Cora 25", "Final price Alba {alba}",
    "Final price Brio {brio}", "Final price Cora 25", "Alba is quiet", "Brio has a thermometer",
    "Cora is good value", "Steel case",
]  # fmt: skip
ALBA, BRIO, STEEL = 3, 4, 9


def reply(unsupported: list[str], items: list[str], tag: int) -> str:
    listed = ["\n".join(f"{at}. {each}" for at, each in enumerate(part, 1)) or "None" for part in (items, unsupported)]
    return f"Items in the comparison:\n{listed[0]}\n\nUnsupported items:\n{listed[1]}\n\nScore- <score>{tag}</score>"


def items_of(alba: int = 30, brio: int = 50) -> list[str]:
    return [item.format(alba=alba, brio=brio) for item in ITEMS]


def judge(folder, text, alba=30, brio=50):
    card = judge_whole(NAME, folder, text, comparative_summary=TABLE.format(alba=alba, brio=brio))
    assert_lawful(card)
    return card


def by_code(card) -> list[Label]:
    return [label for label in card.outcomes["faithfulness"].trail.findings.labels if label.by == "code"]


def test_a_wrong_price_is_counted_beside_another_item_that_the_reply_names(tmp_path):
    items = items_of(alba=35)
    card = judge(tmp_path, reply([items[STEEL]], items, 4), alba=35)
    assert say_all(card)["faithfulness"] == "ok 3 code_overrides_judge"
    (label,) = by_code(card)
    assert label.unit == f"c{ALBA + 1}"
    assert label.evidence, "with the data that says otherwise"
    assert card.outcomes["faithfulness"].score.figures == {"items": 10, "unsupported": 2}


def test_a_wrong_price_that_the_reply_names_itself_counts_once(tmp_path):
    items = items_of(alba=35)
    card = judge(tmp_path, reply([items[ALBA]], items, 4), alba=35)
    assert say_all(card)["faithfulness"] == "ok 4"
    assert [label.unit for label in by_code(card)] == [f"c{ALBA + 1}"]


@pytest.mark.parametrize(
    "written",
    ["$35", "The Alba now costs $35.00", "Final price of the Alba kettle", "Alba: the final price is wrong", "Alba 35"],
)
def test_an_item_is_known_by_its_figure_or_by_its_words(written, tmp_path):
    items = items_of()
    items[ALBA] = written
    card = judge(tmp_path, reply([written], items, 4), alba=35)
    assert say_all(card)["faithfulness"] == "ok 4"


def test_a_wrong_price_that_no_item_states_is_added(tmp_path):
    items = [item for item in items_of(alba=35) if "Final" not in item]
    card = judge(tmp_path, reply([], items, 5), alba=35)
    assert say_all(card)["faithfulness"] == "ok 4 code_overrides_judge"
    trail = card.outcomes["faithfulness"].trail
    assert [(unit.id, unit.context, unit.text) for unit in trail.units[7:]] == [
        ("c8", "Final price | Alba kettle", "$35")
    ]
    assert [label.unit for label in by_code(card)] == ["c8"]


def test_the_same_figure_in_another_place_is_another_item(tmp_path):
    """The Alba's wrong final price reads like the Brio's right base price, which the reply doubts."""
    items = [item for item in items_of(alba=55) if item != "Final price Alba 55"]
    card = judge(tmp_path, reply(["Base price Brio 55"], items, 4), alba=55)
    assert say_all(card)["faithfulness"] == "ok 3 code_overrides_judge"
    assert card.outcomes["faithfulness"].score.figures == {"items": 10, "unsupported": 2}


def test_an_item_that_speaks_of_two_wrong_prices_counts_for_one_of_them(tmp_path):
    items = [item for item in items_of() if "Final" not in item]
    both = "Final prices: Alba 35, Brio 52"
    card = judge(tmp_path, reply([both], [*items, both], 4), alba=35, brio=52)
    assert say_all(card)["faithfulness"] == "ok 3 code_overrides_judge"
    assert card.outcomes["faithfulness"].score.figures == {"items": 9, "unsupported": 2}


def test_the_name_of_a_product_alone_is_no_statement_about_its_price(tmp_path):
    card = judge(tmp_path, reply(["Alba kettle"], ["Alba kettle", *items_of()[4:]], 4), alba=35)
    assert card.outcomes["faithfulness"].score.figures["unsupported"] == 2


def test_a_comparison_without_items_is_not_scored_by_what_code_finds(tmp_path):
    assert say_all(judge(tmp_path, reply([], [], 5), alba=35))["faithfulness"] == "empty_input"


def test_a_tag_alone_is_held_to_what_the_rule_allows(tmp_path):
    tag = "Everything can be verified.\n\nScore- <score>5</score>"
    assert say_all(judge(tmp_path, tag, alba=35))["faithfulness"] == "ok 4 (5) reported_only code_overrides_judge"
    both = say_all(judge(tmp_path, tag, alba=35, brio=52))
    assert both["faithfulness"] == "ok 3 (5) reported_only code_overrides_judge"


def test_a_right_comparison_is_left_to_its_reply(tmp_path):
    items = items_of()
    assert say_all(judge(tmp_path, reply([items[STEEL]], items, 4)))["faithfulness"] == "ok 4"
