"""The documentation site, opened from disk as `make docs` leaves it: it loads nothing from elsewhere and finds words."""

from pathlib import Path

import pytest
from visits import playwright

pytestmark = pytest.mark.integration

SITE = Path(__file__).parents[2] / ".site"
WIDTHS = (390, 1400)


@pytest.fixture
def page(context: "playwright.BrowserContext") -> "playwright.Page":
    if not (SITE / "index.html").exists():
        pytest.skip("the site is not built: make docs")
    return context.new_page()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("budget", "docs/cost.html"),
        ("ollama", "docs/judges.html"),
        ("resume interrupted", "docs/running.html"),
        ("corrected mean", "docs/agreement.html"),
        ("notebook", "docs/python.html"),
        ("exit code", "docs/commands.html"),
        ("unverifiable_quote", "docs/flags.html"),
        ("eligibility_criteria", "src/assay/packs/trial_eligibility/rubric.html"),
    ],
)
def test_the_search_works_without_a_server(page: "playwright.Page", words: str, found: str) -> None:
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={words}")
    page.wait_for_selector("#search-results li a")
    page.wait_for_function("!document.querySelector('#search-progress')?.textContent.includes('Searching')")
    links = page.eval_on_selector_all("#search-results li a", "links => links.map(link => link.href)")
    assert [link for link in links if found in link]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["docs/index", "docs/judges", "docs/commands", "src/assay/packs/article_audit/rubric"])
def test_a_page_loads_nothing_from_elsewhere_and_does_not_scroll_sideways(
    page: "playwright.Page", name: str, width: int
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_viewport_size({"width": width, "height": 900})
    page.goto((SITE / f"{name}.html").as_uri())
    assert asked
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
