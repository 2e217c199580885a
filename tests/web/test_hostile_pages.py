"""Data is hostile: nothing of a record, a reply, a judge's name or a rubric is ever markup."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from kept_many import EVIL, keep_claims, keep_hostile
from markup import Page, read

from assay.store.labels import PersonLabel
from assay.store.store import Store
from assay.web.labelling import Task
from equipment.page_server import Served, serve_labels, serve_view

OUR_TAGS = frozenset(
    """
a article b bdi blockquote body br button circle code dd del details dialog div dl dt fieldset figcaption figure
footer form g h1 h2 h3 h4 h5 head header html i input ins kbd label legend li line link main meta nav ol option
p polyline pre progress rect script section select span strong summary svg table tbody td text textarea th thead title
tr ul wbr
""".split()  # noqa: SIM905  # a list of forty lines says no more
)
VIEWED = ["/", "/runs/hostile", "/runs/hostile/summary", "/runs/hostile/rubric"] + [
    f"/runs/hostile/records/{number}{more}" for number in range(1, 6) for more in ("", "/raw")
]


def check(markup: Page) -> None:
    for element in markup.elements:
        assert element.tag in OUR_TAGS, element.tag
        assert not [name for name in element.attributes if name.startswith("on") or name in {"style", "srcdoc"}]
        for name in ("href", "src", "action"):
            address = element.attributes.get(name, "#")
            assert re.match(r"(?:/(?!/)|#|\?|https://fine\.example/|data:,$)", address), address
        if element.tag == "script":
            assert re.match(r"/[\w-]{32}/static/", element.attributes["src"])
        if element.tag == "meta":
            assert element.attributes.get("http-equiv", "") == ""
    assert "49" not in markup.text.split("{{7*7}}")[0][-3:]
    assert "\u202e" not in markup.text


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Store(tmp_path_factory.mktemp("hostile") / "assay.db") as store:
        keep_hostile(store)
        with serve_view(store) as served:
            yield served


def test_hostile_records_stay_text_on_every_page(hostile: Served):
    for path in VIEWED:
        answer = hostile.get(path)
        assert answer.status == 200, path
        markup = read(answer.text)
        check(markup)
        if "rubric" not in path:
            assert "window.executed=1" in markup.text, path


def test_a_hostile_query_stays_text(hostile: Served):
    for name in ("q", "metric", "least", "status", "flag", "facet", "system", "order", "down", "page", "at"):
        answer = hostile.get(f"/runs/hostile?{name}={quote(EVIL, errors='replace')}")
        assert answer.status == 200
        check(read(answer.text))
    for path in (f"/runs/{quote(EVIL, safe='', errors='replace')}", f"/compare?first={quote(EVIL, errors='replace')}"):
        answer = hostile.get(path)
        assert answer.status == 404
        check(read(answer.text))


def test_a_hostile_run_compared_with_itself_stays_text(hostile: Served):
    for path in ("/compare?first=hostile&second=hostile", "/compare/records?first=hostile&second=hostile&one=1&two=2"):
        answer = hostile.get(path)
        assert answer.status == 200
        check(read(answer.text))


def test_labelling_hostile_records_shows_text_alone(own_store):
    task = Task(own_store.find_run(keep_hostile(own_store)))
    position = own_store.browser.places("hostile")[0]
    listed = own_store.browser.find_place("hostile", position)
    assert listed is not None
    own_store.labels.put(
        "hostile",
        [PersonLabel(listed.record, listed.system, "coverage", "key_point", "k1", EVIL[:90], "Not", None, EVIL)],
    )
    own_store.labels.put(
        "hostile",
        [PersonLabel(listed.record, listed.system, "coverage", "key_point", "k1", "Ada", "Partially", None, EVIL)],
    )
    with serve_labels(own_store, task, "Ada", EVIL[:90]) as ada:
        evil = ada.as_person(EVIL[:90])
        for served in (ada, evil):
            for path in ("/done", *(f"/label/{place}/{at}" for place in range(3) for at in range(4)), "/label/99/0"):
                answer = served.get(path)
                assert answer.status in {200, 404}, path
                check(read(answer.text))
            assert served.post("/done", {"done": "1", "key": served.keys.write}).status == 303
        for path in ("/done", "/settle/0/0"):
            answer = ada.get(path)
            assert answer.status == 200, read(answer.text).text
            assert "window.executed=1" in read(answer.text).text
            check(read(answer.text))


def test_two_thousand_claims_make_a_page_that_says_what_it_left_out(own_store):
    run = keep_claims(own_store, 2_000)
    with serve_view(own_store) as served:
        assert served.get("/runs/claims").status == 200
        answer = served.get("/runs/claims/records/1")
        assert answer.status == 200
        assert "are not listed" in answer.text
        check(read(answer.text))
    task = Task(own_store.find_run(run), ("hallucination",))
    with serve_labels(own_store, task) as served:
        page = read(served.get("/label/0/1999").text)
        assert "claim 2000 of 2000" in page.text
        assert served.post("/label/0/1999", {"label": "absent", "key": served.keys.write}).status == 303
        assert [label.unit for label in own_store.labels.all(run)] == ["c2000"]
