"""Screens use the words of docs/terms.md, not the names of code and JSON that stand beside them in its table."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from click import Command, Context, Group
from runs import run_row

from assay.cli.demo import judge_story
from assay.cli.main import assay
from assay.domain.terms import name_label, plain
from assay.report.examples import Example
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.web.rendering import render_examples, render_report
from equipment.example_runs import SCRIPTED, judge_once

NAMES = re.compile(
    r"(?i)embedded judge|abstain|goodness|\btaint|\bfacet|\bundecided\b|\bnotices\b|found by code|(?<!words )at fault"
)


class Visible(HTMLParser):
    """Text of a page, and the attributes that are read out or shown; no styles, scripts or addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._hidden = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in {"style", "script"}
        self.said += [value for name, value in attrs if value and name in {"title", "aria-label", "alt", "placeholder"}]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"style", "script"}

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.said.append(data)


def find_names(text: str) -> list[str]:
    return [text[max(0, found.start() - 40) : found.end() + 20] for found in NAMES.finditer(text)]


def list_helps(command: Command, name: str = "assay") -> Iterator[str]:
    yield command.get_help(Context(command, info_name=name))
    if isinstance(command, Group):
        for each in command.list_commands(Context(command)):
            yield from list_helps(command.get_command(Context(command), each), each)


@pytest.mark.parametrize("scripted", [False, True])
@pytest.mark.parametrize("rubric", SCRIPTED)
def test_a_report_of_the_examples_uses_the_words_of_the_table(rubric: str, scripted: bool) -> None:
    cards = list(judge_once(rubric, scripted=scripted).values())
    report = build_run_report(run_row(rubric), cards[0].rubric, cards)
    assert find_names(" ".join(Visible("".join(render_report(report, cards))).said)) == []
    assert find_names(re.sub(r"`[^`]*`", "", format_markdown(report))) == []


def test_the_page_of_the_demo_uses_the_words_of_the_table() -> None:
    sets = []
    for rubric in SCRIPTED:
        examples = zip(judge_once(rubric, scripted=False).values(), judge_once(rubric).values(), strict=True)
        sets.append([Example(*each) for each in examples])
    assert find_names(" ".join(Visible("".join(render_examples(judge_story(), sets))).said)) == []


def test_the_help_of_every_command_uses_the_words_of_the_table() -> None:
    assert [found for text in list_helps(assay) for found in find_names(text)] == []


def test_a_partial_answer_to_a_question_is_not_called_partly_supported() -> None:
    assert (plain("partial"), name_label("partial", "claim", None)) == ("partly supported", "partly supported")
    assert name_label("partial", "question", None) == "partial"
