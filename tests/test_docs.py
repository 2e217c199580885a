"""The documents match the code: flags and notices are explained, links lead somewhere, Python examples run."""

import re
from pathlib import Path

import assay
from assay.cli.demo import judge_example
from assay.packs import list_packs

ROOT = Path(__file__).parent.parent
EXPLAINED = (ROOT / "docs" / "flags.md").read_text(encoding="utf-8")


def test_every_notice_is_explained():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    raised = set(re.findall(r'Notice\(\s*"([a-z_]+)"', sources))
    assert len(raised) > 15
    assert [name for name in sorted(raised) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_that_code_writes_as_a_constant_is_explained():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    written = re.findall(r'flags(?: \+= \[|\.append\(|=\(|=\(\*[a-z.]+flags, )(?:\] if [a-z ]+ else \[)?"([a-z_]+)"', sources)
    assert len(written) > 8
    assert [name for name in sorted(set(written)) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_the_examples_and_rubrics_raise_is_explained():
    raised = {bank.outside_limits for rubric in assay.rubrics() for bank in rubric.banks}
    for pack in list_packs().values():
        for card in judge_example(pack, scripted=True):
            raised |= {flag for outcome in card.outcomes.values() for flag in outcome.trail.flags}
    assert [flag for flag in sorted(raised) if f"`{flag}`" not in EXPLAINED] == []
