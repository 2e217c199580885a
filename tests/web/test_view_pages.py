"""What the live pages show of the shipped examples."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from kept_many import begin, keep_many
from markup import read

from assay.domain.outcome import Failure, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import open_rubric
from assay.runner.combine import combine
from assay.runner.run import rubric_of
from assay.scoring.total import compute_total
from assay.store.faults import DamagedError
from assay.store.labels import PersonLabel
from assay.store.store import Store
from equipment.example_runs import keep_example
from equipment.page_server import Served, serve_view


def test_the_list_of_runs_leads_to_each_run(pages: Served, examples):
    page = read(pages.get("/").text)
    addresses = [link.attributes["href"] for link in page.of("a")]
    for run in (examples.first, examples.second, examples.trials):
        assert f"{pages.keys.root}/runs/{run}" in addresses


def rows(page: str) -> list[str]:
    """The numbers of the records that a list shows."""
    links = [link.attributes["href"] for link in read(page).of("a") if "/records/" in link.attributes.get("href", "")]
    return [link.partition("/records/")[2].partition("?")[0] for link in links]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [str(number) for number in range(1, 10)]),
        ("order=hallucination", ["9", "2", "4", "5", "6", "7", "1", "3", "8"]),
        ("order=hallucination&down=1", ["8", "3", "1", "7", "6", "5", "4", "2", "9"]),
        ("metric=alignment&status=truncated", ["8"]),
        ("metric=coverage&status=truncated", []),
        ("metric=ghost&status=truncated&page=minus&order=ghost", ["8"]),
        ("status=truncated", ["8"]),
        ("flag=injection_suspect", ["6"]),
        ("system=b", ["2"]),
        ("facet=topic%3Dtransport", ["1", "2", "3", "4"]),
        ("q=NINETY-NOTHING", []),
        ("q=96+million", ["2"]),
        ("q=96+million&order=hallucination", ["2"]),
    ],
)
def test_a_run_is_sorted_and_filtered_by_its_address(pages: Served, examples, query: str, found: list[str]):
    assert rows(pages.get(f"/runs/{examples.first}?{query}").text) == found


def test_a_record_shows_its_claims_quotes_and_the_way_each_number_came_about(pages: Served, examples):
    page = read(pages.get(f"/runs/{examples.first}/records/2").text)
    (contradicted,) = page.of("a", **{"class": "claim t-contradicted first"})
    shown = contradicted.attributes["data-shows"]
    quotes = [each for each in page.elements if shown in each.attributes.get("data-keys", "").split()]
    assert quotes
    assert "86 million crowns" in page.text
    assert "capped at 4 because c3 is contradicted" in page.text


def test_a_record_leads_on_in_the_order_of_the_list_it_was_opened_from(pages: Served, examples):
    run = pages.get(f"/runs/{examples.first}?order=hallucination&down=1").text
    first = next(link.attributes["href"] for link in read(run).of("a") if "/records/8" in link.attributes["href"])
    page = read(pages.get(first).text)
    (after,) = page.of("a", rel="next")
    assert "/records/3?" in after.attributes["href"]
    assert page.of("a", rel="prev") == []
    (back,) = read(pages.get(after.attributes["href"]).text).of("a", rel="prev")
    assert "/records/8?" in back.attributes["href"]


def test_a_record_opened_by_itself_leads_on_in_the_order_of_the_run(pages: Served, examples):
    page = read(pages.get(f"/runs/{examples.first}/records/5").text)
    assert [page.of("a", rel=way)[0].attributes["href"][-10:] for way in ("prev", "next")] == ["/records/4", "/records/6"]  # fmt: skip


def test_two_runs_stand_side_by_side_with_what_changed_most(pages: Served, examples):
    answer = pages.get(f"/compare?first={examples.first}&second={examples.second}&metric=alignment")
    assert "−0." in answer.text
    changed = [link for link in read(answer.text).of("a") if "/compare/records?" in link.attributes["href"]]
    assert changed
    two = pages.get(changed[0].attributes["href"])
    assert two.status == 200
    assert len(read(two.text).of("section", aria_label="First run")) == 1


def test_runs_of_two_rubrics_are_not_compared(pages: Served, examples):
    answer = pages.get(f"/compare?first={examples.first}&second={examples.trials}")
    assert answer.status == 404
    assert "Compare two runs of one rubric." in answer.text


def test_the_rubric_stands_there_as_its_author_wrote_it(pages: Served, examples):
    page = read(pages.get(f"/runs/{examples.first}/rubric").text)
    assert "Article summary audit" in page.text
    assert "Its main fact is there and a good part of the rest is not, or one of two equal facts is there." in page.text
    assert len(page.of("table")) > 8


def test_the_judge_has_a_page_of_its_own_that_leads_to_records_and_shows_what_is_in_doubt(pages: Served, examples):
    page = read(pages.get(f"/runs/{examples.first}/summary").text)
    assert "How the judge did" in page.text
    link = next(each.attributes["href"] for each in page.of("a") if "/records/" in each.attributes["href"])
    assert pages.get(link).status == 200
    assert "UnitView(" not in page.text
    assert "✕ contradicted The extension costs 96 million crowns" in " ".join(page.text.split())
    assert page.of("div", **{"class": "doubt"})


def test_a_run_has_as_many_records_with_a_failure_on_every_page(own_store):
    rubric = open_rubric("opinion-relevance")
    begin(own_store, "sampled", rubric)
    scale = rubric.metrics[0].scale
    verdict = Verdict(Score(scale.low, scale.low, (scale.low, scale.low), scale, "so"), Trail())
    said = {"a": [verdict, Failure("malformed", "no score")], "b": [verdict, verdict]}
    for position, (name, answers) in enumerate(said.items()):
        cards = [
            Scorecard(Record(name, name, "It is.", ()), rubric, "made", found, compute_total(rubric, found), sample=at)
            for at, found in enumerate({"relevance": each} for each in answers)
        ]
        own_store.add_record("sampled", position, combine(cards))
    own_store.flush()
    with serve_view(own_store) as served:
        texts = [" ".join(read(served.get(path).text).text.split()) for path in ("/", "/runs/sampled", "/runs/sampled/summary")]  # fmt: skip
    assert "1 with a failure" in texts[0]
    assert "1 with a failure" in texts[1]
    assert "Answers without a score 1 malformed" in texts[2]


def test_people_s_labels_are_held_against_the_judge_as_soon_as_they_are_given(own_store, tmp_path):
    run = keep_example(own_store, "search-summary", tmp_path)
    records = [card.record for card in own_store.cards(run, rubric_of(own_store.find_run(run)))]
    with serve_view(own_store) as served:
        assert "Agreement with people" not in read(served.get(f"/runs/{run}/summary").text).text
        for number, person in enumerate(("Ada", "<b>Bo</b>"), 1):
            labels = [
                PersonLabel(each.id, each.system, "hallucination", "", None, person, str(at % 3))
                for at, each in enumerate(records)
            ]
            own_store.labels.put(run, labels)
            page = read(served.get(f"/runs/{run}/summary").text)
            assert "Agreement with people" in page.text
            assert "Spearman" in page.text
            assert ("<b>Bo</b>" in page.text) == (number == 2)


@pytest.mark.parametrize(
    "path",
    ["/runs/ghost", "/runs/{run}/records/0", "/runs/{run}/records/99", "/compare?first=a", "/nowhere", "/compare/records?first={run}&second={run}&one=x&two=1"],
)  # fmt: skip
def test_what_is_not_there_is_said_in_a_sentence(pages: Served, examples, path: str):
    answer = pages.get(path.format(run=examples.first))
    assert answer.status == 404
    assert "Traceback" not in answer.text
    assert "<h1>Not found</h1>" in answer.text


def test_no_page_knows_a_key_of_the_environment(pages: Served, examples, monkeypatch):
    secret = "sk-planted-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    monkeypatch.setenv("ANTHROPIC_API_KEY", secret)
    for path in ("", "/summary", "/rubric", "/records/1", "/records/1/raw"):
        assert secret not in pages.get(f"/runs/{examples.first}{path}").text
    content = b"".join(entry.read_bytes() for entry in Path(examples.store.path).parent.iterdir())
    assert secret.encode() not in content


def test_a_run_of_a_thousand_records_has_pages(own_store):
    keep_many(own_store, 130)
    with serve_view(own_store) as served:
        assert len(rows(served.get("/runs/many").text)) == 50
        last = served.get("/runs/many?page=3").text
        assert rows(last) == [str(number) for number in range(101, 131)]
        assert "101 to 130 of 130 records" in read(last).text
        assert rows(served.get("/runs/many?page=99").text) == []


def test_a_damaged_run_is_named_below_the_others(own_store, tmp_path):
    sound, broken = (keep_example(own_store, "trial-eligibility", tmp_path) for _ in range(2))
    own_store.flush()
    with closing(sqlite3.connect(own_store.path)) as connection, connection:
        connection.execute("UPDATE runs SET body = x'7b' WHERE id = ?", (broken,))
    with serve_view(own_store) as served:
        page = read(served.get("/").text)
        addresses = [link.attributes["href"] for link in page.of("a")]
        assert f"{served.keys.root}/runs/{sound}" in addresses
        assert not [each for each in addresses if broken in each]
        assert f"a stored run {broken} can't be read" in page.text
        assert f"assay runs delete {broken}" in page.text
        assert served.get(f"/runs/{sound}").status == 200
        own_store.delete_run(sound)
        assert "There is no run" not in served.get("/").text


def test_a_row_that_is_lost_while_the_store_is_open_is_noticed_by_whatever_reads_all_cards(own_store):
    """Rows are counted when a run is first read and when it has more of them, not for each page."""
    keep_many(own_store, 3)
    rubric = rubric_of(own_store.find_run("many"))
    with closing(sqlite3.connect(own_store.path)) as connection, connection:
        connection.execute("DELETE FROM cards WHERE number = 2")
    with pytest.raises(DamagedError, match="2 of its 3 judged records are there"):
        list(own_store.cards("many", rubric))
    with Store(own_store.path) as opened_later, pytest.raises(DamagedError, match="2 of its 3 judged records"):
        opened_later.find_run("many")
    own_store.add_record(
        "many", 3, replace(next(own_store.cards("many", rubric)), record=Record("r3", "i3", "It.", ()))
    )
    own_store.flush()
    with pytest.raises(DamagedError, match="3 of its 4 judged records are there"):
        own_store.find_run("many")
