"""The list of keys says what they do on the page it stands on."""

from pathlib import Path

from markup import Page
from runs import example_page

from assay.store.store import Store
from assay.testing.example_runs import keep_example
from assay.testing.page_server import serve_labels
from assay.web.labelling import Task


def list_keys(page: str) -> list[str]:
    """The keys of the list, each as often as it stands there."""
    start = page.index('<dl class="keys">')
    return [each.text for each in Page(page[start : page.index("</dl>", start)]).of("kbd")]


def test_a_report_lists_its_keys() -> None:
    assert list_keys(example_page("article-audit")) == ["j", "k", "n", "p", "/", "?", "Esc"]


def test_the_page_for_labels_lists_its_own_keys_and_none_of_a_report(tmp_path: Path) -> None:
    with Store(tmp_path / "assay.db") as store:
        task = Task(store.find_run(keep_example(store, "opinion-relevance", tmp_path)))
        with serve_labels(store, task) as served:
            page = served.get("/by/Ada/1").text
    assert list_keys(page) == ["1", "9", "0", "Enter", "j", "k", "n", "p", "c", "?", "Esc"]
    assert "claim in doubt" not in page
