"""A person looks through a run: filters it, opens a record, sees the evidence, compares two runs."""

import re

import pytest
from kept_many import keep_hostile
from visits import Kept, Visit, playwright

from assay.store.store import Store
from equipment.page_server import Served, serve_view

pytestmark = pytest.mark.integration

expect = playwright.expect
FIND_BROKEN = """() => {
  const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("script, style, svg, option")) continue;
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}]{2,24}/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
      if (lines.size > 1) found.add(word[0]);
    }
  }
  return [...found];
}"""


def test_from_the_list_of_runs_to_the_sentence_that_speaks_against_a_claim(context, viewed: Served, kept: Kept):
    visit = Visit(context.new_page(), viewed)
    page = visit.page
    page.get_by_role("link", name=kept.first, exact=True).click()
    page.get_by_label("Text", exact=True).fill("96 million")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("status")).to_contain_text("1 to 1 of 1 record")
    page.get_by_role("link", name="contradicted-number").click()
    claim = page.locator(".claim.t-contradicted.first")
    expect(page.locator(".sources .lit")).to_have_count(0)
    claim.click()
    expect(page.locator(".sources .lit")).to_have_text("The council puts the cost at 86 million crowns")
    expect(page.locator(".sources .lit")).to_be_in_viewport()
    page.locator(".claim.t-supported.first").first.click()
    expect(page.locator(".sources .lit").first).not_to_contain_text("86 million")
    assert visit.problems == []


def test_a_claim_of_any_output_lights_its_quote_in_the_source_also_where_that_is_folded(context, viewed, kept: Kept):
    visit = Visit(context.new_page(), viewed)
    page = visit.page
    visit.go(f"/runs/{kept.first}")
    page.get_by_role("link", name="see them side by side").click()
    page.locator("tbody a[data-step]").first.click()
    columns = page.locator(".column")
    expect(page.locator(".columns .sources").first).to_be_visible()
    expect(page.locator(".sources .lit")).to_have_count(0)
    page.locator(".sources summary").first.click()
    expect(page.locator(".sources .text").first).not_to_be_visible()
    columns.filter(has=page.locator(".claim.t-contradicted.first")).locator(".claim.t-contradicted.first").first.click()
    expect(page.locator(".sources .lit").first).to_be_in_viewport()
    assert visit.problems == []


def test_filters_by_metric_status_and_flag_narrow_the_list(context, viewed: Served, kept: Kept):
    visit = Visit(context.new_page(), viewed)
    page = visit.page
    visit.go(f"/runs/{kept.first}")
    rows = page.locator("tbody a[data-step]")
    expect(rows).to_have_count(9)
    page.get_by_label("Metric").select_option("hallucination")
    page.get_by_label("Status").select_option("ok")
    page.get_by_role("button", name="Show").click()
    expect(rows).not_to_have_count(9)
    page.get_by_label("Flag").select_option("injection_suspect")
    page.get_by_role("button", name="Show").click()
    expect(rows).to_have_text(["injected-instruction"])
    page.get_by_role("link", name="show all").click()
    page.get_by_role("columnheader", name="Hallucination").get_by_role("link").click()
    # What has no score and no estimate comes first: it may be the worst.
    expect(rows.first).to_have_text("blank-summary")
    expect(page.get_by_role("columnheader", name="Hallucination")).to_have_attribute("aria-sort", "ascending")
    assert visit.problems == []


def test_the_keyboard_alone_leads_through_a_run(context, viewed: Served, kept: Kept):
    visit = Visit(context.new_page(), viewed)
    page = visit.page
    visit.go(f"/runs/{kept.first}?order=hallucination")
    page.keyboard.press("/")
    expect(page.get_by_label("Text", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    page.locator("body").click(position={"x": 2, "y": 300})
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.evaluate("window.scrollTo(0, 0)")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    for key, found in (("j", "blank-summary"), ("k", "contradicted-number"), ("", "blank-summary")):
        expect(page.get_by_role("heading", level=1)).to_contain_text(found)
        # A page is there before its script is, and keys are the script's.
        page.wait_for_load_state("load")
        if key:
            page.keyboard.press(key)
    assert visit.problems == []


def test_two_runs_are_compared_and_the_record_that_changed_most_is_opened(context, viewed: Served, kept: Kept):
    visit = Visit(context.new_page(), viewed)
    page = visit.page
    page.locator(f'input[name="first"][value="{kept.first}"]').check()
    page.locator(f'input[name="second"][value="{kept.second}"]').check()
    page.get_by_role("button", name="Compare the two").click()
    row = page.get_by_role("row", name=re.compile("^Alignment"))
    expect(row).to_contain_text("−0.")
    expect(page.get_by_label("Metric", exact=True)).to_have_value("alignment")
    expect(page.get_by_role("heading", name=re.compile("^Worse in the second run"))).to_be_visible()
    page.locator("tbody a[data-step]").first.click()
    expect(page.get_by_role("region", name="First run")).to_be_visible()
    expect(page.get_by_role("region", name="Second run")).to_be_visible()
    assert visit.problems == []


def test_a_run_can_be_read_without_any_script(plain_context, viewed: Served, kept: Kept):
    visit = Visit(plain_context.new_page(), viewed)
    page = visit.page
    visit.go(f"/runs/{kept.first}")
    page.get_by_label("Text", exact=True).fill("96 million")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("link", name="contradicted-number").click()
    page.locator(".claim.t-contradicted.first").click()
    # The link leads to the quote by its address, and the style lights its target.
    expect(page.locator(":target")).to_be_in_viewport()
    page.get_by_role("link", name="Replies").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Replies")


def test_hostile_records_do_nothing_in_a_real_browser(context, tmp_path):
    pages = (
        "",
        "/summary",
        "/rubric",
        "/groups",
        "/groups/1",
        *(f"/records/{number}{more}" for number in (1, 2) for more in ("", "/raw")),
    )
    with Store(tmp_path / "a.db") as store:
        keep_hostile(store)
        with serve_view(store) as served:
            visit = Visit(context.new_page(), served)
            for path in (*(f"/runs/hostile{page}" for page in pages), "/compare?first=hostile&second=hostile"):
                visit.go(path)
                for place in visit.page.locator(".claim.first, summary").all()[:3]:
                    place.dispatch_event("click")
                assert visit.page.evaluate("window.executed") is None, path
                assert visit.page.locator("x-evil").count() == 0
            assert visit.problems == []


@pytest.mark.parametrize("width", [390, 820, 1400])
def test_no_word_is_broken_and_nothing_is_wider_than_the_screen(context, viewed: Served, kept: Kept, width: int):
    visit = Visit(context.new_page(), viewed)
    visit.page.set_viewport_size({"width": width, "height": 900})
    run = f"/runs/{kept.first}"
    others = (f"{run}/groups", f"{run}/groups/1", f"/compare?first={kept.first}&second={kept.second}")
    for path in ("/", run, f"{run}/records/2", f"{run}/summary", *others):
        visit.go(path)
        assert visit.page.evaluate(FIND_BROKEN) == [], path
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= width, path
        bar = "(bar => bar.scrollWidth - bar.clientWidth)(document.querySelector('.top nav'))"
        assert visit.page.evaluate(bar) <= 0, path
