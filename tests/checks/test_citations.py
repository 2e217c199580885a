import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import RESULTS, build_search

from assay.checks.citations import check_citations, cite, find_markers, number_sources, read_citations
from assay.domain.record import Source

FIRST, SECOND, THIRD = ("https://heart.example/statins/", "http://kidney.example/dose#top", "https://trial.example/3")


def checks(summary, citations=None):
    return [(notice.check, notice.note) for notice in check_citations(build_search(summary, citations=citations))]


def names(summary, citations=None):
    return [check for check, _ in checks(summary, citations)]


CITED = "Statins lower cholesterol in adults [1]. Start low in renal disease [2]. The trial began in 2019 [3]."


@pytest.mark.parametrize(
    "citations",
    [
        None,
        {},
        {"1": {"text": "a", "url": FIRST}, "2": {"text": "b", "url": SECOND}, "3": {"text": "c", "url": THIRD}},
        {"[1]": FIRST, "[2]": SECOND, "[3]": THIRD},
        [{"text": "a", "url": FIRST}, {"text": "b", "URL": SECOND}, {"text": "c", "link": THIRD}],
        [FIRST, SECOND, THIRD],
        [f"[Statins at work]({FIRST})", SECOND, THIRD],
        [{"number": 3, "url": THIRD}, {"number": "2", "url": SECOND}, {"number": 1.0, "url": FIRST}],
        '{"1": {"url": "https://heart.example/statins"}, "2": {"url": "https://kidney.example/dose"}, "3": "https://trial.example/3"}',
    ],
)
def test_a_summary_whose_markers_all_stand_for_a_result_raises_nothing(citations):
    assert checks(CITED, citations) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"1": {"text": "a", "url": "https://a.example"}}, {1: "https://a.example"}),
        ({"2": {"text": "only words"}}, {2: ""}),
        ({"source": "https://a.example"}, {}),
        ({"1": None, "2": 5, "3": ["x"]}, {1: "", 2: "", 3: ""}),
        ({"9" * 5000: "https://a.example"}, {}),
        ({"PMC7654321": "https://a.example", "[^2]": "https://b.example"}, {2: "https://b.example"}),
        (None, {}),
    ],
)
def test_citations_are_read_from_a_map_or_a_list(value, expected):
    assert read_citations(value) == expected


@pytest.mark.parametrize(
    ("entries", "numbers"),
    [
        ([{"id": "PMC7654321"}, {"id": "PMC7654322"}], [1, 2]),
        ([{"id": "9b1f2c"}, {"id": "7"}], [1, 2]),
        ([{"id": 32456789}, {"id": 32456790}], [1, 2]),
        ([{"number": True}, {"number": 2.5}, {"number": -1}, {"number": "1, 2"}], [1, 2, 3, 4]),
        ([{"number": "[^4]"}, {"number": "(5)"}, {"number": " 6 "}, {"NUMBER": 7.0}], [4, 5, 6, 7]),
        ([{"number": 2}, {"number": 1}], [2, 1]),
        ([{"number": 7}, {}, {}], [1, 2, 3]),
        ([{"number": 1}, {"number": 1}, {"number": 1}], [1, 2, 3]),
    ],
)
def test_listed_citations_have_their_own_numbers_only_where_each_has_another(entries, numbers):
    urls = [f"https://{place}.example" for place in range(len(entries))]
    listed = [{**entry, "url": url} for entry, url in zip(entries, urls, strict=True)]

    assert read_citations(listed) == dict(zip(numbers, urls, strict=True))


@settings(deadline=None, derandomize=True)
@given(st.lists(st.one_of(st.none(), st.integers(0, 9), st.text("019[]P", max_size=4)), max_size=12))
def test_no_two_listed_citations_share_a_number(numbers):
    listed = [{"id": number, "url": f"https://{place}.example"} for place, number in enumerate(numbers)]

    assert sorted(read_citations(listed).values()) == sorted(entry["url"] for entry in listed)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("One [1] two [2].", [1, 2]),
        ("Both [1, 2] and [3;4].", [1, 2, 3, 4]),
        ("From [1-3] and [5–6].", [1, 2, 3, 5, 6]),
        ("Too long to be one [1-300].", [1, 300]),
        ("A link [2](https://a.example) and [[3]](https://b.example).", [2, 3]),
        ("A note [^4] and 【5†source】.", [4, 5]),
        ("A year [2024], a word [sic], an index [1000].", []),
        ("An interval, 95% CI [2, 5], is no citation [1].", [1]),
    ],
)
def test_markers_are_found_with_their_numbers(text, numbers):
    found = list(find_markers(text))

    assert [number for number, _ in found] == numbers
    assert all(span.of(text).startswith(("[", "【")) for _, span in found)


def test_a_marker_without_a_citation_dangles_where_it_stands():
    summary = CITED + " It is cheap, safe and well known [4]."

    (dangling,) = check_citations(build_search(summary))

    assert dangling.check == "dangling_citation"
    assert dangling.span is not None
    assert dangling.span.of(summary) == "[4]"


def test_a_marker_that_is_a_place_but_no_citation_dangles():
    assert ("dangling_citation", "[3] in the summary is not in the list of citations") in checks(
        CITED, {"1": FIRST, "2": SECOND}
    )


def test_a_citation_of_a_page_that_was_not_found_is_unknown():
    (notice,) = checks(CITED, {"1": FIRST, "2": SECOND, "3": THIRD, "4": "https://elsewhere.example/x"})

    assert notice == (
        "unknown_source",
        "citation [4] points to https://elsewhere.example/x, which is not among the results",
    )


def test_the_citations_own_numbers_win_over_the_places_and_are_reported():
    citations = {"1": SECOND, "2": FIRST, "3": THIRD}

    assert names(CITED, citations) == ["citation_order", "citation_order"]
    assert number_sources(build_search(CITED, citations=citations)) == {"s1": 2, "s2": 1, "s3": 3}


def test_a_source_without_a_citation_is_numbered_by_its_place():
    assert number_sources(build_search(CITED, citations={"7": SECOND})) == {"s1": 1, "s2": 7, "s3": 3}
    assert number_sources(build_search(CITED)) == {"s1": 1, "s2": 2, "s3": 3}


def test_one_page_found_twice_may_be_cited_by_either_place():
    twice = [RESULTS[0], RESULTS[1], RESULTS[0]]
    record = build_search(CITED, search_results=twice, citations={"1": FIRST, "2": SECOND, "3": FIRST})

    assert list(check_citations(record)) == []


def test_an_unused_result_is_reported():
    assert checks("Statins lower cholesterol in adults [1].") == [
        ("unused_source", "result 2 is never cited"),
        ("unused_source", "result 3 is never cited"),
    ]


def test_a_number_that_cites_another_page_does_not_use_the_result_in_its_place():
    summary = "Start low in renal disease, slowly [1]."

    assert ("unused_source", "result 1 is never cited") in checks(summary, {"1": SECOND})


def test_a_sentence_without_a_marker_is_uncited_but_a_heading_is_not():
    summary = (
        "## What the results say about statins\nThey say this about them:\n"
        + CITED
        + "\nGrapefruit juice raises the risk of harm."
    )
    record = build_search(summary)

    assert [notice.span.of(summary) for notice in check_citations(record) if notice.check == "uncited_sentence"] == [
        "Grapefruit juice raises the risk of harm."
    ]


def test_a_summary_without_markers_is_not_audited_sentence_by_sentence():
    assert checks("Statins lower cholesterol in adults. Start low in renal disease.") == []


def test_a_citation_is_rendered_as_a_link_that_its_title_cannot_break():
    assert (
        cite(Source("s1", "", "Dosing [update]", "https://k.example"), 2) == "[Dosing (update)](https://k.example) [2]"
    )
    assert cite(Source("s1", "", "Dosing"), 2) == "Dosing [2]"


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet="[]1239,;–-^ a.【】†(", max_size=60))
def test_markers_lie_in_the_text_in_order(text):
    spans = [span for _, span in find_markers(text)]

    assert spans == sorted(spans)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


@pytest.mark.parametrize("piece", ["[1", "[1-", "[1,2]", "【1†", "word [1]. "])
def test_a_long_summary_is_audited_to_its_end(piece):
    assert "unused_source" in names("Statins help [1]. " + piece * 4_000)


@pytest.mark.parametrize("key", ["S{}", "citation_{}", "ref{}", "source {}", "#{}", "{}:", "【{}】", "[{}]", "No. {}"])
def test_a_number_with_a_word_or_a_sign_around_it_is_still_a_number(key):
    given = {key.format(number): f"https://example.org/{number}" for number in (1, 2)}
    assert read_citations(given) == {1: "https://example.org/1", 2: "https://example.org/2"}
