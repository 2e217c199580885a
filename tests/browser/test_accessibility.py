"""No serious finding of axe-core on any page, light or dark, wide or narrow."""

import pytest
from visits import PATIENCE_MS, Kept, Visit

from equipment.page_server import Served

pytestmark = pytest.mark.integration


def find_faults(visit: Visit, axe: str) -> list[str]:
    visit.page.evaluate(axe)
    found = visit.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']} ({each['impact']}): {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"][:3]
    ]


@pytest.mark.parametrize("look", [("light", 1280), ("dark", 390)], ids=["light and wide", "dark and narrow"])
def test_the_pages_have_no_serious_fault(
    browser, served: tuple[Served, Served, Served], kept: Kept, axe: str, look: tuple[str, int]
):
    (scheme, width), (viewed, labelled, paired) = look, served
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_MS)
    run = f"/runs/{kept.first}"
    visit = Visit(context.new_page(), viewed)
    paths = [run, f"{run}/records/2", f"/compare?first={kept.first}&second={kept.second}"]
    paths += [f"{run}/groups", f"{run}/groups/1"]
    others = ["/", "/judges", f"{run}?q=nothing-fits", f"{run}/records/2/raw", f"{run}/rubric", f"{run}/summary"]
    for path in paths + (others if scheme == "light" else []):
        visit.go(path)
        assert find_faults(visit, axe) == [], path
    visit = Visit(context.new_page(), labelled.as_person("Eva"))
    assert find_faults(visit, axe) == []
    visit.go("/done")
    assert find_faults(visit, axe) == []
    visit = Visit(context.new_page(), paired)
    assert find_faults(visit, axe) == []
    context.close()
