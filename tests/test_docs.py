"""Documents that can't lie: every flag and notice the code can raise is explained."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXPLAINED = (ROOT / "docs" / "flags.md").read_text(encoding="utf-8")


def test_every_notice_is_explained():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    raised = set(re.findall(r'Notice\(\s*"([a-z_]+)"', sources))
    assert len(raised) > 15
    assert [name for name in sorted(raised) if f"`{name}`" not in EXPLAINED] == []


def test_every_flag_the_examples_and_rubrics_raise_is_explained():
    from importlib.resources import as_file, files

    from assay.cli.demo import judge_example
    from assay.files.rubrics import open_rubric, shipped_rubrics

    raised = {bank.outside_limits for name in shipped_rubrics() for bank in open_rubric(name).banks}
    with as_file(files("assay") / "examples") as folder:
        for name in shipped_rubrics():
            for card in judge_example(folder, name):
                raised |= {flag for outcome in card.outcomes.values() for flag in outcome.trail.flags}
    assert [flag for flag in sorted(raised) if f"`{flag}`" not in EXPLAINED] == []
