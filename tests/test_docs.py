"""The documents match the code: flags and notices are explained, links lead somewhere."""

import re
import tomllib
from pathlib import Path

import assay
from assay.cli.demo import judge_example
from assay.packs import list_packs
from assay.scoring.rules import RULES

ROOT = Path(__file__).parent.parent
EXPLAINED = (ROOT / "docs" / "flags.md").read_text(encoding="utf-8")


def test_every_notice_is_explained():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    raised = set(re.findall(r'Notice\(\s*"([a-z_]+)"', sources))
    assert len(raised) > 15
    assert [name for name in sorted(raised) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_that_code_writes_as_a_constant_is_explained():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    written = re.findall(
        r'flags(?: \+= \[|\.append\(|=\(|=\(\*[a-z.]+flags, )(?:\] if [a-z ]+ else \[)?"([a-z_]+)"', sources
    )
    assert len(written) > 8
    assert [name for name in sorted(set(written)) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_the_examples_and_rubrics_raise_is_explained():
    raised = {bank.outside_limits for rubric in assay.rubrics() for bank in rubric.banks}
    for pack in list_packs().values():
        for card in judge_example(pack, scripted=True):
            raised |= {flag for outcome in card.outcomes.values() for flag in outcome.trail.flags}
    assert [flag for flag in sorted(raised) if f"`{flag}`" not in EXPLAINED] == []


def _list_pages():
    yield from (ROOT / name for name in ("README.md", "SECURITY.md", "CHANGELOG.md"))
    yield from (ROOT / "docs").rglob("*.md")
    yield from (ROOT / "src" / "assay" / "packs").glob("*.md")


def _list_anchors(page):
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_between_pages_leads_somewhere():
    broken = []
    for page in _list_pages():
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            path, _, anchor = target.partition("#")
            there = (page.parent / path) if path else page
            if "://" in target:
                continue
            if not there.exists() or (anchor and anchor not in _list_anchors(there)):
                broken.append(f"{page.name}: {target}")
    assert broken == []


def test_every_extra_is_on_the_page_about_installing():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    assert [name for name in extras if f"`{name}`" not in page] == []


def test_every_installed_rubric_is_on_the_page_of_rubrics():
    page = (ROOT / "docs" / "shipped.md").read_text(encoding="utf-8")
    assert [rubric.id for rubric in assay.rubrics() if f"`{rubric.id}`" not in page] == []


def test_every_scoring_rule_and_its_settings_are_explained():
    page = (ROOT / "docs" / "rubrics.md").read_text(encoding="utf-8")
    rows = {row.split(" | ")[0]: row for row in re.findall(r"^\| (.+) \|$", page, re.MULTILINE)}
    for rule in RULES.values():
        assert rule.name in rows
        assert [setting.name for setting in rule.settings if f"`{setting.name}`" not in rows[rule.name]] == []
