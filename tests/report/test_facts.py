"""Facts over a run: rates of yes, and answers beside the truth; whatever a pack calls them."""

from assay.report.facts import FactCounts


def count(*facts: dict[str, str]) -> FactCounts:
    counts = FactCounts()
    for each in facts:
        counts.add(each)
    return counts


def test_answers_stand_by_truth_beside_the_most_common_answer() -> None:
    facts = [{"truth": "cat", "animal": "cat", "animal_match": "match"}] * 3
    (table,) = count(*facts, {"truth": "dog", "animal": "none_of_both", "animal_match": "mismatch"}).tables()
    assert (table.name, table.columns) == ("animal", ("cat", "dog", "none of both"))
    assert table.rows == (("cat", (3, 0, 0)), ("dog", (0, 0, 1)))
    assert table.said == ("Animal equals the truth in 3 of 4 records. Always answering “cat” would be right in 3 of 4.")


def test_yes_and_no_are_a_rate_over_the_records_that_have_the_fact() -> None:
    counts = count({"missed_dose": "yes"}, {"missed_dose": "no"}, {"missed_dose": "no"}, {"other": "long text"})
    assert list(counts.sentences()) == ["Missed dose: 1 of 3, 33 % (95 % interval 6 to 79 %)."]
    assert counts.tables() == ()


def test_without_a_truth_there_is_no_table() -> None:
    assert count({"animal": "cat"}, {"share": "0.93"}).tables() == ()
