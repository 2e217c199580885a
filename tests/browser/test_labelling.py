"""A person labels by keyboard, leaves, comes back, and finds it all."""

import pytest
from visits import Kept, Visit, playwright

from equipment.page_server import Served

pytestmark = pytest.mark.integration

expect = playwright.expect
RECORDS = 9
DIGITS = {"no_fact": "1", "contradicted": "2", "absent": "3", "partial": "4", "supported": "5"}


def label_record(visit: Visit, choice: str) -> str:
    """Every question of the record by its digit; the record's name."""
    page = visit.page
    name = page.locator("h1").inner_text()
    questions = page.locator("fieldset")
    for at in range(questions.count()):
        expect(questions.nth(at)).to_have_class("now")
        page.keyboard.press(DIGITS[choice])
        expect(questions.nth(at)).to_have_class("now said")
        if at + 1 < questions.count():
            page.keyboard.press("Enter")
    expect(page.locator("[data-saved]")).to_contain_text("all questions are answered")
    return name


def test_three_records_are_labelled_by_keyboard_and_found_after_a_reload(context, labelled: Served, kept: Kept):
    visit = Visit(context.new_page(), labelled)
    page = visit.page
    page.get_by_label("Your name").fill("Ada")
    page.keyboard.press("Enter")
    names: list[tuple[str, str, str]] = []
    for choice in ("supported", "absent", "contradicted"):
        expect(page.locator("h1")).to_contain_text(f"of {RECORDS}")
        page.wait_for_load_state()
        if page.locator("fieldset").count() == 0:
            # The record whose summary is blank: there is nothing to say about it.
            page.get_by_role("link", name="next").click()
            expect(page.locator("fieldset").first).to_be_visible()
        address = page.url
        names.append((address, choice, label_record(visit, choice)))
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, before=address: url != before)
    labels = kept.store.labels.all(kept.first, person="Ada")
    assert len({label.record for label in labels}) == 3
    for address, choice, name in names:
        page.goto(address)
        assert page.locator("h1").inner_text() == name
        questions = page.locator("fieldset")
        for at in range(questions.count()):
            expect(questions.nth(at).locator("input:checked")).to_have_value(choice)
    assert visit.problems == []


def test_the_unit_in_question_is_lit_in_the_output(context, labelled: Served):
    visit = Visit(context.new_page(), labelled)
    page = visit.page
    visit.go("/by/Bo")
    first = page.locator("fieldset").first.locator("legend").inner_text()
    lit = page.locator(".output .lit")
    expect(page.locator("fieldset").first).to_have_class("now")
    shown = lit.first.inner_text()
    assert shown in first.replace("\n", " ")
    page.keyboard.press("j")
    expect(page.locator("fieldset").nth(1)).to_have_class("now")
    expect(lit.first).not_to_have_text(shown)
    page.keyboard.press("k")
    expect(page.locator("fieldset").first).to_have_class("now")
    page.keyboard.press("c")
    expect(page.locator("fieldset.now input[name^=note]")).to_be_focused()
    page.keyboard.type("1 j ?")
    expect(page.locator("fieldset.now input[name^=note]")).to_have_value("1 j ?")
    page.keyboard.press("Tab")
    assert visit.problems == []


def test_how_severe_it_is_is_chosen_by_a_second_digit(context, trials_labelled: Served, kept: Kept):
    visit = Visit(context.new_page(), trials_labelled)
    page = visit.page
    visit.go("/by/Ada")
    first = page.locator("fieldset").first
    expect(first.get_by_label("slight")).to_be_hidden()
    # Each answer is waited for: the response to an earlier one must not pass for that to a later one.
    with page.expect_response("**/say"):
        page.keyboard.press("5")
    expect(first).to_have_class("now said")
    expect(first.get_by_label("slight")).to_be_hidden()
    with page.expect_response("**/say"):
        page.keyboard.press("3")
    expect(first.get_by_label("slight")).to_be_visible()
    with page.expect_response("**/say"):
        page.keyboard.press("2")
    expect(first.get_by_label("serious")).to_be_checked()
    (label,) = kept.store.labels.all(kept.trials, person="Ada")
    assert (label.label, label.qualifier) == ("absent", "serious")
    assert visit.problems == []


def test_of_two_answers_in_a_row_the_later_is_kept(context, labelled: Served, kept: Kept):
    visit = Visit(context.new_page(), labelled)
    page = visit.page
    visit.go("/by/Fay")
    first = page.locator("fieldset").first
    expect(first).to_have_class("now")
    sent: list[playwright.Route] = []

    def hold_first(route: playwright.Route) -> None:
        sent.append(route)
        if len(sent) > 1:
            route.continue_()

    page.route("**/say", hold_first)
    with page.expect_request("**/say"):
        page.keyboard.press("1")
    page.keyboard.press("3")
    expect(first.locator("input:checked")).to_have_value("absent")
    assert len(sent) == 1, "the second answer waits for the first"
    with page.expect_response(lambda response: "absent" in (response.request.post_data or "")):
        sent[0].continue_()
    assert [label.label for label in kept.store.labels.all(kept.first, person="Fay")] == ["absent"]
    assert visit.problems == []


def test_a_label_can_be_given_without_any_script(plain_context, labelled: Served, kept: Kept):
    visit = Visit(plain_context.new_page(), labelled)
    page = visit.page
    visit.go("/by/Cleo")
    page.locator("fieldset").first.get_by_role("radio").nth(3).check()
    before = page.url
    page.get_by_role("button", name="Save and continue").click()
    page.wait_for_url(lambda url: url != before)
    assert [label.label for label in kept.store.labels.all(kept.first, person="Cleo")] == ["partial"]


def test_what_could_not_be_saved_is_said(context, labelled: Served):
    visit = Visit(context.new_page(), labelled)
    page = visit.page
    visit.go("/by/Dora")
    page.route("**/say", lambda route: route.abort())
    page.keyboard.press("1")
    expect(page.locator("[data-saved]")).to_contain_text("not saved")
    page.unroute("**/say")
    page.keyboard.press("2")
    expect(page.locator("[data-saved]")).to_contain_text("saved;")
