"""The self-contained page in a real browser: its own script runs, a record's never does."""

from dataclasses import replace
from pathlib import Path

import pytest
from kept_many import hostile_card
from runs import example_cards, page_of
from test_hostile_pages import ATTACKS, RUBRIC
from visits import playwright

from assay.domain.outcome import Abstention

pytestmark = pytest.mark.integration

expect = playwright.expect


def open_page(browser: object, path: Path, text: str, **options: object) -> tuple[object, list[str]]:
    """The page, and everything it complained about, asked for over the network or tried to say."""
    path.write_text(text, encoding="utf-8")
    page = browser.new_context(viewport={"width": 1280, "height": 900}, **options).new_page()
    trouble: list[str] = []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("dialog", lambda dialog: (trouble.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: trouble.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(path.as_uri())
    return page, trouble


def single_page() -> str:
    """The examples of a rubric, each as a record of its own: outputs of two systems would stand in columns."""
    return page_of(
        [replace(card, record=replace(card.record, system=None)) for card in example_cards("search-summary")]
    )


def test_a_click_on_a_claim_lights_its_quote_beside_it(browser: object, tmp_path: Path) -> None:
    page, trouble = open_page(browser, tmp_path / "report.html", single_page())
    page.locator("#r2 .claim.t-contradicted").first.click()
    lit = page.locator("#r2 .sources .lit")
    # The words that correct the fault stand in a piece of their own.
    expect(lit).to_have_text(["The starting dose ", "was 5", " mg once daily at bedtime"])
    expect(lit.nth(1).locator(".fault.right")).to_have_count(1)
    expect(lit.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)
    assert trouble == []


def test_without_javascript_a_claim_is_a_link_to_its_quote(browser: object, tmp_path: Path) -> None:
    page, trouble = open_page(browser, tmp_path / "report.html", single_page(), java_script_enabled=False)
    page.locator("#r2 .claim.t-contradicted").first.click()
    expect(page.locator(".quoted:target")).to_have_text("The starting dose ")
    assert trouble == []


def test_keys_walk_through_records_and_doubts(browser: object, tmp_path: Path) -> None:
    page, trouble = open_page(browser, tmp_path / "report.html", single_page())
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("#r2")).to_be_focused()
    page.keyboard.press("k")
    expect(page.locator("#r1")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#r2 .unit.lit")).to_contain_text("50 mg")
    page.keyboard.press("/")
    page.keyboard.type("dangling")
    expect(page.locator("article.record:visible")).to_have_count(1)
    page.keyboard.press("Escape")
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert trouble == []


def test_records_sort_by_a_metric(browser: object, tmp_path: Path) -> None:
    page, trouble = open_page(browser, tmp_path / "report.html", single_page())
    page.get_by_role("button", name="Summary quality").click()
    expect(page.locator("table.index tbody th").first).to_have_text("blank-summary")
    assert trouble == []


def test_no_attack_runs(browser: object, tmp_path: Path) -> None:
    cards = [hostile_card(attack, RUBRIC) for attack in ATTACKS]
    page, trouble = open_page(browser, tmp_path / "report.html", page_of(cards))
    page.locator(".claim").first.click()
    page.locator("#r1 .sources").hover()
    assert page.locator("script").count() == 1
    assert page.locator("img, iframe, base, object, embed").count() == 0
    assert page.locator("article.record").count() == len(ATTACKS)
    assert trouble == []


def test_nothing_is_wider_than_the_screen_and_no_status_is_broken_inside_a_word(
    browser: object, tmp_path: Path
) -> None:
    card = example_cards("article-audit")[0]
    declined = replace(card, outcomes=dict.fromkeys(card.outcomes, Abstention("abstained", "nothing to go by")))
    page, _ = open_page(browser, tmp_path / "report.html", page_of([declined]))
    wide, _ = open_page(browser, tmp_path / "wide.html", page_of([hostile_card("W" * 3_000, RUBRIC)]))
    for width in (360, 1280):
        for each in (page, wide):
            each.set_viewport_size({"width": width, "height": 800})
            assert each.evaluate("document.documentElement.scrollWidth") <= width
        chips = page.locator(".index td .chip b")
        assert chips.evaluate_all("chips => chips.map(chip => chip.getClientRects().length)") == [1] * 5
