"""Banks are asked for once per source, screened, kept in a file, and shared by every record that needs them."""

import asyncio
import json

import pytest
from clerks import AUDIT, SENTENCES, Clerk, build, build_walk, label, walk

from assay import errors
from assay.domain.ask import Answer, Fault, Written
from assay.domain.findings import Findings
from assay.files.banks import BankFile
from assay.runner.banks import BankCache

LONG = " ".join(
    f"Finding {word} matters to doctors a lot." for word in ("one", "two", "three", "four", "five", "six", "seven")
)
TOPICS = ["gout", "fever", "cough", "sleep", "diet", "rash", "pain", "thirst"]


def result(url, content):
    return {"url": url, "content": content, "metadata": {"title": url}}


SEARCH = {
    "user_query": "What matters?",
    "search_results": [result("https://a.example", LONG), result("https://b.example", "Short and sweet.")],
    "summary": "Finding one matters to doctors a lot.",
}
OPINION = {
    "product_title": "Dune backpack",
    "reviews": ["Soft straps. Heavy.", "Soft straps.", "It keeps the rain out."],
    "product_opinion_summary": "It has soft straps.",
}


def questions(*topics):
    return Answer(written=tuple(Written(f"How is {topic} treated?", ("S1.1",)) for topic in topics), reply="a bank")


def points(*topics):
    return Answer(written=tuple(Written(f"The {topic} was discussed", ("S1.1",)) for topic in topics), reply="a bank")


def judge_all(name, records, clerk, banks):
    async def run():
        walk = build_walk(name, clerk, banks)
        cards = await asyncio.gather(*(walk.judge_record(build(name, values)) for values in records))
        await banks.close()
        return cards

    return asyncio.run(run())


def texts(card, metric):
    return [unit.text for unit in card.outcomes[metric].trail.units if unit.span is None]


def two_systems(values, output):
    return [
        {**values, "id": f"r-{system}", "system": system, output: f"{values[output]} By {system}."} for system in "ab"
    ]


def test_two_systems_on_one_source_are_judged_on_one_bank():
    clerk = Clerk()
    first, second = judge_all("article-audit", two_systems(AUDIT, "summary"), clerk, BankCache())
    assert len(clerk.asked("key_points")) == 1
    assert len(clerk.asked("coverage")) == 2
    assert texts(first, "coverage") == texts(second, "coverage") != []


def test_a_bank_file_is_written_and_used_again(tmp_path):
    path = tmp_path / "bank.jsonl"
    first = Clerk({"key_points": [points(*TOPICS[:4])]})
    before = walk("article-audit", AUDIT, first, BankCache(BankFile(path)))
    [line] = path.read_text().splitlines()
    assert [unit["text"] for unit in json.loads(line)["units"]] == texts(before, "coverage")
    second = Clerk({"key_points": [errors.Unreachable("must not be asked")]})
    after = walk("article-audit", AUDIT, second, BankCache(BankFile(path)))
    assert second.asked("key_points") == []
    assert texts(after, "coverage") == texts(before, "coverage")


def test_a_bank_file_keeps_saying_that_a_bank_is_short(tmp_path):
    path = tmp_path / "bank.jsonl"
    few = Clerk({"questions.s1": [questions("gout")] * 2})
    before = walk("search-summary", SEARCH, few, BankCache(BankFile(path)))
    after = walk("search-summary", SEARCH, Clerk(), BankCache(BankFile(path)))
    for card in (before, after):
        assert "question_shortfall" in card.outcomes["summary_quality"].trail.flags


@pytest.mark.parametrize("passing", [errors.Unreachable("down"), errors.TimedOut("silent"), errors.Malformed("HTML")])
def test_a_judge_that_could_not_be_heard_for_one_record_is_asked_again_for_the_next(passing):
    class Recovering(Clerk):
        async def answer(self, ask, passages):
            if ask.id == "key_points" and not self.asked("key_points"):
                self.asks.append(ask)
                await asyncio.sleep(0)
                raise passing
            return await super().answer(ask, passages)

    clerk, banks = Recovering(), BankCache()
    both = two_systems(AUDIT, "summary")
    (first,), (second,) = (judge_all("article-audit", [each], clerk, banks) for each in both)
    assert first.outcomes["coverage"].status == passing.status
    assert second.outcomes["coverage"].status == "ok"
    assert [ask.record for ask in clerk.asked("key_points")] == ["r-a", "r-b"]


def test_records_that_wait_for_a_bank_share_the_fault_that_they_waited_for():
    clerk = Clerk({"key_points": [errors.TimedOut("silent")]})
    cards = judge_all("article-audit", two_systems(AUDIT, "summary"), clerk, BankCache())
    assert [card.outcomes["coverage"].status for card in cards] == ["timed_out", "timed_out"]
    assert len(clerk.asked("key_points")) == 1


def test_a_fault_of_the_reply_does_not_last_where_the_reask_was_not_heard():
    unreadable = Answer(faults=(Fault("no JSON"),), reply="?")
    clerk, banks = Clerk({"key_points": [unreadable, errors.Unreachable("down")]}), BankCache()
    for each in two_systems(AUDIT, "summary"):
        judge_all("article-audit", [each], clerk, banks)
    assert len(clerk.asked("key_points")) == 4


def test_a_bank_that_was_refused_is_refused_for_every_record():
    clerk = Clerk({"key_points": [errors.Refused("filtered")]})
    cards = judge_all("article-audit", two_systems(AUDIT, "summary"), clerk, BankCache())
    assert [card.outcomes["coverage"].status for card in cards] == ["refused", "refused"]
    assert len(clerk.asked("key_points")) == 1


@pytest.mark.parametrize("together", [True, False])
def test_a_bank_that_one_judge_cannot_write_is_asked_of_the_next(together):
    unreadable = Answer(faults=(Fault("no JSON"),), reply="?")
    judges = [Clerk({"key_points": [unreadable] * 2}, name="clumsy"), Clerk(name="able")]

    async def run():
        banks = BankCache()
        work = [build_walk("article-audit", each, banks).judge_record(build("article-audit", AUDIT)) for each in judges]
        cards = await asyncio.gather(*work) if together else [await each for each in work]
        await banks.close()
        return cards

    clumsy, able = asyncio.run(run())
    assert clumsy.outcomes["coverage"].status == "malformed"
    assert able.outcomes["coverage"].status == "ok"


def test_more_than_seven_key_points_are_asked_about_once_and_then_the_first_seven_count():
    many = points(*TOPICS)
    clerk = Clerk({"key_points": [many, many]})
    card = walk("article-audit", AUDIT, clerk)
    assert "keypoint_count_violation" in card.outcomes["coverage"].trail.flags
    assert texts(card, "coverage") == [f"The {topic} was discussed" for topic in TOPICS[:7]]
    assert clerk.asked("key_points")[1].faults == ("more than 7 key points",)


def test_a_lawful_bank_replaces_one_with_too_many_points():
    card = walk("article-audit", AUDIT, Clerk({"key_points": [points(*TOPICS), points(*TOPICS[:3])]}))
    assert "keypoint_count_violation" not in card.outcomes["coverage"].trail.flags
    assert len(texts(card, "coverage")) == 3


def test_of_two_banks_outside_their_limits_the_fuller_one_counts():
    card = walk("search-summary", SEARCH, Clerk({"questions.s1": [questions(*TOPICS[:4]), questions(*TOPICS[:2])]}))
    assert len([unit for unit in card.outcomes["summary_quality"].trail.units if unit.sources == ("s1",)]) == 4
    assert "question_shortfall" in card.outcomes["summary_quality"].trail.flags


def test_a_bank_reply_that_was_cut_off_is_asked_for_again_and_never_scored_on():
    cut = Answer(written=points(*TOPICS[:3]).written, faults=(Fault("the reply was cut off", "truncated"),), reply="x")
    whole = walk("article-audit", AUDIT, Clerk({"key_points": [cut, points(*TOPICS[:5])]}))
    assert len(texts(whole, "coverage")) == 5
    partly = walk("article-audit", AUDIT, Clerk({"key_points": [cut, errors.TimedOut("silence")]}))
    assert (partly.outcomes["coverage"].status, texts(partly, "coverage")) == ("truncated", [])


@pytest.mark.parametrize("second", [Answer(faults=(Fault("no list"),), reply="x"), errors.NotRecorded("no line")])
def test_a_bank_that_cannot_be_had_fails_its_metric_with_its_own_status(second):
    spoilt = Answer(faults=(Fault("no list"),), reply="x")
    card = walk("article-audit", AUDIT, Clerk({"key_points": [spoilt, second]}))
    assert card.outcomes["coverage"].status == "malformed"
    assert card.outcomes["hallucination"].status == "ok"


def test_questions_about_aspirin_that_differ_in_a_negation_both_stay_in_a_bank():
    texts_of = [
        "Which patients should not receive aspirin?",
        "Which patients should receive aspirin?",
        "When is the drug stopped before surgery?",
        "Why is the drug stopped before surgery?",
        "Germany beat France",
        "France beat Germany",
    ]
    bank = Answer(written=tuple(Written(text, ("S1.1",)) for text in texts_of), reply="x")
    card = walk("search-summary", SEARCH, Clerk({"questions.s1": [bank]}))
    assert texts(card, "summary_quality")[:6] == texts_of
    assert not [notice for notice in card.notices if notice.check == "repeated_unit"]


def test_the_same_question_is_dropped_and_listed_and_one_about_the_publisher_stays():
    written = questions(*TOPICS[:6]).written
    bank = (*written, Written("how is GOUT treated", ("S1.1",)), Written("Who published it?", ("S1.1",)))
    card = walk("search-summary", SEARCH, Clerk({"questions.s1": [Answer(written=bank, reply="x")]}))
    assert [notice.note for notice in card.notices if notice.check == "repeated_unit"] == [
        "dropped, the same text as another: how is GOUT treated"
    ]
    assert "Who published it?" in texts(card, "summary_quality")


def test_a_short_source_owes_no_six_questions_and_is_marked():
    clerk = Clerk({"questions.s1": [questions(*TOPICS[:6])], "questions.s2": [questions("thirst")]})
    card = walk("search-summary", SEARCH, clerk)
    assert [notice.note for notice in card.notices if notice.check == "short_source"] == ["s2 is short"]
    assert len(clerk.asked("questions.s2")) == 1
    assert "question_shortfall" not in card.outcomes["summary_quality"].trail.flags


def test_an_empty_source_is_left_out_and_reported():
    values = {**SEARCH, "search_results": [result("https://c.example", " "), *SEARCH["search_results"]]}
    clerk = Clerk({"questions.s2": [questions(*TOPICS[:6])], "questions.s3": [questions("thirst")]})
    card = walk("search-summary", values, clerk)
    assert clerk.asked("questions.s1") == []
    assert [notice.note for notice in card.notices if notice.check == "empty_source"] == [
        "s1 has no text and is left out"
    ]
    assert {source for unit in card.outcomes["summary_quality"].trail.units for source in unit.sources} == {"s2", "s3"}


def weights(card):
    return [(unit.text, unit.weight) for unit in card.outcomes["relevance"].trail.units if unit.span is None]


def test_an_item_that_was_written_as_minor_may_be_missed_beside_the_best_level():
    named = (Written("Soft straps", ("S2.1",)), Written("Heavy", ("S2.2",), "minor"), Written("A pack", ("S1.1",)))

    def miss_the_minor(ask):
        labels = tuple(
            label(ask, unit.id, "missed" if unit.text == "Heavy" else None, "soft straps") for unit in ask.units
        )
        return Answer(Findings(labels), reply="x")

    script = {"items": [Answer(written=named, reply="a bank")] * 2, "relevance": [miss_the_minor]}
    card = walk("opinion-relevance", OPINION, Clerk(script))
    assert weights(card) == [("Soft straps", "main"), ("Heavy", "minor"), ("A pack", "main")]
    assert card.outcomes["relevance"].score.value == 5


def test_with_one_review_alone_its_word_is_enough():
    bank = Answer(written=(Written("Heavy", ("S1.1",)),), reply="x")
    card = walk(
        "opinion-relevance", {"reviews": ["Heavy."], "product_opinion_summary": "Heavy."}, Clerk({"items": [bank]})
    )
    assert texts(card, "relevance") == ["Heavy"]


def items(*named):
    return Answer(written=tuple(Written(text, tuple(sentences)) for text, *sentences in named), reply="a bank")


NAMED = ("Soft straps", "Heavy", "Zips", "Rain cover")
PLACED = items(*((text, "S2.1") for text in NAMED))
NOWHERE = items(*((text, "S9.1") for text in NAMED[:3]), ("Rain cover",))


def test_units_that_name_no_sentence_there_is_are_asked_for_again():
    clerk = Clerk({"items": [NOWHERE, PLACED]})
    card = walk("opinion-relevance", OPINION, clerk)
    assert {unit.sources for unit in card.outcomes["relevance"].trail.units if unit.kind == "item"} == {("s2",)}
    first, second = clerk.asked("items")
    assert first.faults == ()
    assert second.faults[0].startswith("4 items without the id of any sentence in the sources: 'Soft straps' (S9.1)")


@pytest.mark.parametrize("second", [NOWHERE, errors.Unreachable("down"), Answer(faults=(Fault("no list"),), reply="x")])
def test_units_that_still_name_no_sentence_are_kept_for_nothing_is_counted_by_their_sources(second):
    clerk = Clerk({"items": [NOWHERE, second]})
    card = walk("opinion-relevance", OPINION, clerk)
    assert texts(card, "relevance") == list(NAMED)
    assert len(clerk.asked("items")) == 2


def test_of_two_banks_the_one_with_more_units_that_are_placed_counts():
    some = items(("Soft straps", "S2.1"), ("Heavy", "S9.9"), ("Zips", "S2.2"), ("Rain cover", "S9.8"))
    card = walk("opinion-relevance", OPINION, Clerk({"items": [some, NOWHERE]}))
    named = {unit.text: unit.sources for unit in card.outcomes["relevance"].trail.units if unit.kind == "item"}
    assert named == {"Soft straps": ("s2",), "Heavy": (), "Zips": ("s2",), "Rain cover": ()}


def test_a_shared_bank_names_the_sources_of_each_record_that_uses_it():
    """The same reviews stand in other places of the two records; the bank must not mix them up."""
    bank = Answer(written=tuple(Written(text, ("S1.1", "S2.1")) for text in NAMED), reply="x")
    plain = {"id": "r-a", "reviews": ["Soft straps.", "Soft straps!"], "product_opinion_summary": "Soft straps."}
    blank = {**plain, "id": "r-b", "product_title": "", "reviews": ["Soft straps.", "Soft straps!", " "]}
    clerk = Clerk({"items": [bank]})
    cards = judge_all("opinion-relevance", [plain, blank], clerk, BankCache())
    for card in cards:
        item, *_ = [unit for unit in card.outcomes["relevance"].trail.units if unit.kind == "item"]
        raised = [card.record.source(name).text for name in item.sources]
        assert raised == ["Soft straps.", "Soft straps!"]
    assert len(clerk.asked("items")) == 1


def test_a_bank_is_asked_without_the_output():
    clerk = Clerk()
    walk("article-audit", {**AUDIT, "summary": "Unheard-of things."}, clerk)
    [ask] = clerk.asked("key_points")
    assert [source.text for source in ask.sources] == [" ".join(SENTENCES)]
    assert not hasattr(ask.record, "output"), "a bank ask knows its record by name alone"
