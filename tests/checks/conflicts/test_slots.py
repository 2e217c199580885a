"""Figures that the sources have, in another's place."""

import pytest

from assay.checks.conflicts.pair import find_conflicts

SWAPPED = [
    (
        "Entry costs $12 for adults and $6 for children under ten.",
        "Entry costs $6 for adults and $12 for children.",
        "“$6” where the source has “$12”",
    ),
    (
        "On Monday the parliament passed the law with 151 votes to 149.",
        "The parliament passed the law with 149 votes to 151.",
        "“149” where the source has “151”",
    ),
    (
        "Some analysts had expected revenue of $47 million.",
        "Analysts had expected revenue of $48.3 million.",
        "“$48.3 million” where the source has “$47 million”",
    ),
    (
        "On Friday chief executive Laura Mendes said the company will open two plants in Ohio.",
        "Chief executive Hale said the company will open two plants.",
        "“Hale” where the source has “Laura Mendes”",
    ),
]
ELSEWHERE = "Hale left in May for Brandt. Revenue was $48.3 million. The fee is $12 or $6, and 149 of 151 came."


@pytest.mark.parametrize(("passage", "claim", "note"), SWAPPED)
def test_a_figure_in_anothers_place_is_told_though_the_sources_have_it(passage, claim, note):
    found = find_conflicts(claim, passage, sources=(f"{passage} {ELSEWHERE}",))
    assert [conflict.note for conflict in found] == [note]


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("The two cost 5 and 7 euros each at the market.", "The two cost 7 and 5 euros each at the market."),
        ("Prices at the market rose from $5 to $7.", "Prices at the market rose to $7 from $5."),
        (
            "A third of men in Norland and a fifth of women in Norland smoke every day.",
            "A third of women in Norland smoke every day.",
        ),
        (
            "In the placebo group 15 patients had a stroke within a year, in the drug group 12 patients had a stroke.",
            "In the drug group 15 patients had a stroke.",
        ),
        ("Sales in the north were 5 million in 2019.", "Sales in the north were 6 million in 2020."),
        ("Around 1. 3 billion people marked the day at home.", "Around 1.3 billion people marked the day at home."),
        ("Children paid $6 that day.", "Adults paid $12 that day."),
        ("That day in May Harlow paid $6 to the club.", "That day in May Brandt paid $12 to the club."),
    ],
    ids=[
        "a list",
        "turned round",
        "shared out",
        "two groups",
        "another year",
        "torn",
        "another thing",
        "another person",
    ],
)
def test_what_may_be_said_of_something_else_is_no_conflict(passage, claim):
    assert find_conflicts(claim, passage, sources=(f"{passage} {ELSEWHERE} 6 million came in 2020.",)) == ()


def test_a_sentence_that_another_place_says_word_for_word_is_no_conflict():
    passage = "The upper hall seats 400 people in rows."
    source = f"{passage} After the repair the upper hall seats 300 people in rows."
    assert find_conflicts("The upper hall seats 300 people in rows.", passage, sources=(source,)) == ()
    assert find_conflicts("The upper hall seats 300 people in rows.", passage, sources=(f"{passage} 300 came.",))
