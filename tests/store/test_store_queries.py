"""The queries that the documentation shows run on a store, and find what is there."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from assay.files.rubrics import open_rubric
from assay.store.labels import PersonLabel
from assay.store.store import Store
from equipment.example_runs import keep_example

PAGE = Path(__file__).parents[2] / "docs/architecture.md"
CONTRADICTED, DIFFERENT, MEANS = re.findall(r"```sql [^\n]*\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
RUBRIC = open_rubric("search-summary")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, str]]:
    folder = tmp_path_factory.mktemp("queries")
    with Store(folder / "assay.db") as store:
        yield store, keep_example(store, RUBRIC.id, folder, samples=2)


def ask(store: Store, statement: str) -> list[tuple[object, ...]]:
    """As a user's own program does, which knows no function of ours."""
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute(statement).fetchall()


def test_contradicted_claims_are_found_with_their_quotes(kept):
    store, run = kept
    expected = [
        (card.record.id, name, unit.text, label.evidence[0].quote if label.evidence else None)
        for card in store.cards(run, RUBRIC)
        for name, outcome in card.outcomes.items()
        for label in outcome.trail.findings.labels
        for unit in outcome.trail.units
        if label.label == "contradicted" and unit.id == label.unit
    ]
    found = ask(store, CONTRADICTED)
    assert any(quote for *_, quote in found)
    assert sorted(found, key=repr) == sorted(expected, key=repr)


def test_a_person_and_a_judge_who_differ_are_found(kept):
    store, run = kept
    assert ask(store, DIFFERENT) == []
    record, metric, unit, said = ask(
        store,
        "SELECT record_id, metric, unit, label FROM labels JOIN cards ON card = cards.number"
        " WHERE kind = 'label' AND part = 'claim' ORDER BY labels.number LIMIT 1",
    )[0]
    word = "absent" if said != "absent" else "supported"
    (system,) = {each.system for each in store.list_judged(run) if each.record == record}
    store.labels.put(run, [PersonLabel(record, system, metric, "claim", unit, "Ada", word)])
    found = ask(store, DIFFERENT)
    judge = store.find_run(run).judge
    assert [row[3:] for row in found] == [("", said, "Ada", word), (judge, said, "Ada", word)]


def test_means_are_of_the_scores_that_count(kept):
    store, run = kept
    found = ask(store, MEANS)
    cards = list(store.cards(run, RUBRIC))
    assert sum(asked for _, _, _, asked, _ in found) == len(cards) * len(RUBRIC.metrics)
    for system, metric, scored, _, mean in found:
        listed = [row for row in store.browser.all(run) if row.system == system]
        goodness = [value for row in listed if (value := row.find_goodness(metric)) is not None]
        assert scored == len(goodness)
        assert mean == pytest.approx(sum(goodness) / len(goodness))
