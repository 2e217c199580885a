"""The lines at the top of the README are what the demo finds. After an intended change, `make readme` updates them."""

import io
import os
import re
from difflib import SequenceMatcher
from pathlib import Path

from assay.cli.demo import judge_story, print_story
from assay.report.terminal import open_console

README = Path(__file__).parent.parent / "README.md"
WIDTH = 100
BEGIN, END = "```console by=tests/test_readme.py\n$ assay demo\n…\n", "```\n"
# Another processor may round a probability differently and so change a label or a digit. Most lines must be the same.
SAME_SHARE = 0.8


def print_fresh() -> list[str]:
    """The finding about the wrong answer: from the first line that is set in, to the count of supported claims."""
    stream = io.StringIO()
    print_story(open_console(stream, WIDTH), *judge_story())
    lines = [line.rstrip() for line in stream.getvalue().rstrip().splitlines()]
    first = next(number for number, line in enumerate(lines) if re.match(r" {2}\S", line))
    last = next(number for number, line in enumerate(lines) if number > first and "✓" in line)
    return lines[first : last + 1]


def test_the_readme_shows_what_the_demo_finds():
    text = README.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    block, end, after = rest.partition(END)
    fresh = print_fresh()
    if os.environ.get("UPDATE_GOLDEN"):
        block = "\n".join([*fresh, "…", ""])
        README.write_text(f"{before}{begin}{block}{end}{after}", encoding="utf-8")
    kept = block.splitlines()
    assert begin
    assert kept[-1] == "…"
    same = SequenceMatcher(None, kept[:-1], fresh, autojunk=False).ratio()
    assert same >= SAME_SHARE, f"{same:.0%} of the lines are the same. Refresh the README with: make readme"
