"""A person labels by keyboard, one question at a time; two people label blind to each other and adjudicate."""

import pytest
from test_accessibility import find_faults
from visits import PATIENCE_MS, Kept, Visit, playwright

from assay.store.labels import ADJUDICATED
from assay.web.labelling import Task
from equipment.page_server import Served, serve_labels

pytestmark = pytest.mark.integration

expect = playwright.expect


def press(page: "playwright.Page", key: str) -> None:
    """A page is there before its script is, and keys are the script's."""
    page.wait_for_load_state("load")
    with page.expect_navigation():
        page.keyboard.press(key)


def test_questions_are_answered_by_keyboard_undone_and_found_after_a_reload(context, labelled: Served, kept: Kept):
    visit = Visit(context.new_page(), labelled)
    page = visit.page
    first, claim = page.url, page.get_by_role("heading", level=1).inner_text()
    expect(page.locator("#claim")).to_have_text(claim)
    expect(page.locator("#claim")).to_be_in_viewport()
    press(page, "5")
    expect(page.get_by_role("heading", level=1)).not_to_have_text(claim)
    expect(page.locator("#claim")).not_to_have_text(claim)
    press(page, "u")
    assert page.url == first
    assert kept.store.labels.all(kept.first, person="Ada") == ()
    press(page, "j")
    press(page, "k")
    page.keyboard.press("c")
    expect(page.get_by_label("Comment")).to_be_focused()
    page.keyboard.type("5 u ?")
    page.keyboard.press("Tab")
    page.locator("h1").click()
    press(page, "3")
    page.goto(first)
    expect(page.locator("button[aria-current]")).to_contain_text("not in source")
    expect(page.get_by_label("Comment")).to_have_value("5 u ?")
    assert visit.problems == []


def test_pairs_are_compared_by_keyboard(context, paired: Served, kept: Kept):
    visit = Visit(context.new_page(), paired)
    page = visit.page
    first = page.url
    expect(page.get_by_role("heading", level=1)).to_have_text("Which output is better?")
    press(page, "ArrowLeft")
    assert page.url != first
    second = page.url
    press(page, "0")
    said = kept.store.labels.preferences(kept.first, person="Ada")
    assert sorted(each.choice for each in said) == ["first", "unsure"]
    press(page, "u")
    assert page.url == second
    press(page, "k")
    assert page.url == first
    expect(page.locator("button[aria-current]")).to_contain_text("Output 1 is better")
    press(page, "j")
    assert page.url == second
    expect(page.get_by_role("button", name="Can't tell")).to_be_in_viewport()
    press(page, "u")
    assert kept.store.labels.preferences(kept.first) == ()
    assert visit.problems == []


def test_how_severe_it_is_is_asked_next(context, trials_labelled: Served, kept: Kept):
    visit = Visit(context.new_page(), trials_labelled)
    page = visit.page
    press(page, "3")
    expect(page.get_by_role("button", name="slight")).to_be_visible()
    press(page, "2")
    (label,) = kept.store.labels.all(kept.trials, person="Ada")
    assert (label.label, label.qualifier) == ("absent", "serious")
    assert visit.problems == []


def test_a_second_key_before_the_next_page_answers_nothing(context, labelled: Served, kept: Kept):
    visit = Visit(context.new_page(), labelled.as_person("Bo"))
    page = visit.page
    page.wait_for_load_state("load")
    sent: list[playwright.Route] = []
    page.route("**/label/**", lambda route: sent.append(route) if route.request.method == "POST" else route.continue_())
    with page.expect_request("**/label/**"):
        page.keyboard.press("1")
    page.keyboard.press("3")
    with page.expect_navigation():
        sent[0].continue_()
    assert len(sent) == 1
    assert [label.label for label in kept.store.labels.all(kept.first, person="Bo")] == ["no_fact"]


def test_a_label_can_be_given_and_taken_back_without_any_script(plain_context, labelled: Served, kept: Kept):
    visit = Visit(plain_context.new_page(), labelled.as_person("Cleo"))
    page = visit.page
    first = page.url
    page.get_by_label("Comment").fill("by hand")
    page.get_by_role("button", name="partly supported").click()
    page.get_by_role("button", name="slight").click()
    page.wait_for_url(lambda url: url.partition("?")[0] != first)
    (label,) = kept.store.labels.all(kept.first, person="Cleo")
    assert (label.label, label.qualifier, label.note) == ("partial", "slight", "by hand")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(first)
    assert kept.store.labels.all(kept.first, person="Cleo") == ()


def test_the_texts_stay_in_sight_and_keep_their_place_on_every_width(browser, labelled: Served):
    for width, height in ((390, 844), (820, 1100), (1400, 900)):
        context = browser.new_context(viewport={"width": width, "height": height})
        context.set_default_timeout(PATIENCE_MS)
        visit = Visit(context.new_page(), labelled.as_person("Eva"))
        page = visit.page
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.get_by_role("link", name="skip").scroll_into_view_if_needed()
        expect(page.locator("#claim")).to_be_in_viewport()
        assert visit.problems == []
        context.close()


def label_all(visit: Visit, digit: str) -> None:
    """Every open question, then the word that this person is done."""
    page = visit.page
    while not page.url.endswith("/done"):
        press(page, digit)
    page.get_by_role("button", name="I am done").click()


def test_two_people_see_where_they_differ_when_both_are_done_and_adjudicate_it(browser, kept: Kept, axe: str):
    """One on a wide and light screen, one on a narrow and dark one."""
    looks = (("Ada", "light", 1280), ("Bo", "dark", 390))
    task = Task(kept.store.find_run(kept.trials), ("clarity",))
    with serve_labels(kept.store, task, "Ada", "Bo") as served:
        visits = []
        for name, scheme, width in looks:
            context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
            context.set_default_timeout(PATIENCE_MS)
            visits.append(Visit(context.new_page(), served.as_person(name)))
        ada, bo = visits
        label_all(ada, "4")
        expect(ada.page.get_by_role("button", name="Continue labelling")).to_be_visible()
        assert find_faults(ada, axe) == []
        press(bo.page, "2")
        assert "Ada" not in bo.page.content()
        label_all(bo, "4")
        for visit in visits:
            visit.go("/done")
            expect(visit.page.get_by_role("heading", name="1 difference")).to_be_visible()
            expect(visit.page.get_by_role("row", name="Clarity, grade")).to_be_visible()
            assert find_faults(visit, axe) == []
        bo.page.get_by_role("link", name="Go through").click()
        expect(bo.page.get_by_text("Ada: ")).to_be_visible()
        assert find_faults(bo, axe) == []
        press(bo.page, "5")
        ada.go("/done")
        expect(ada.page.get_by_text("adjudicated 5")).to_be_visible()
        (label,) = kept.store.labels.all(kept.trials, person=ADJUDICATED)
        assert (label.metric, label.label) == ("clarity", "5")
        assert ada.problems == bo.problems == []
        for visit in visits:
            visit.page.context.close()
