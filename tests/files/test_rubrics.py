"""What a rubric file may hold, and that nothing in it is changed or lost in silence."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rubric_texts import PATH, SMALL, edit, refusal, refusal_or_none

from assay.domain.rubric import Cap
from assay.domain.scale import Scale
from assay.errors import InputError
from assay.files.rubrics import find_rubric, new_rubric, open_rubric, read_rubric
from assay.packs import list_packs
from assay.scoring.rules import RULES

SHIPPED = {
    "article-audit": ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"],
    "comparison-faithfulness": ["faithfulness"],
    "opinion-relevance": ["relevance"],
    "search-summary": ["hallucination", "summary_quality", "answer_relevancy"],
    "trial-eligibility": ["hallucination", "accuracy", "clarity", "language_correction"],
}
QUICK = settings(deadline=None, derandomize=True, max_examples=80)


def shipped_text(name: str) -> str:
    return list_packs()[name].read_rubric()


@pytest.mark.parametrize(("name", "metrics"), SHIPPED.items())
def test_a_shipped_rubric_is_read_whole(name: str, metrics: list[str]) -> None:
    rubric = open_rubric(name)
    assert rubric.id == name
    assert [metric.id for metric in rubric.metrics] == metrics
    assert rubric.text == shipped_text(name)
    assert all(metric.question for metric in rubric.metrics)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("name", SHIPPED)
def test_every_sentence_of_a_shipped_rubric_reaches_the_rubric(name: str) -> None:
    kept = set(_strings(asdict(replace(open_rubric(name), text=""))))
    lines = [line for line in shipped_text(name).split("\n") if line and not line.startswith(("#", "- ", "|--"))]
    for line in lines:
        if line.startswith("| ") and line.endswith(". |"):
            assert line.removesuffix(" |").split("| ")[-1] in kept, line
        elif not line.startswith("| "):
            assert line.removeprefix("> ") in kept, line


def test_the_numbers_of_the_article_audit_are_exact() -> None:
    rubric = open_rubric("article-audit")
    assert [metric.weight for metric in rubric.metrics] == [
        Fraction(part) for part in ("0.25", "0.2", "0.15", "0.15", "0.05")
    ]
    relevance = rubric.metric("relevance")
    assert relevance.caps == (
        Cap(Fraction(4), "section", ("None",)),
        Cap(Fraction(4), "claim", ("extraneous",)),
    )
    assert relevance.scale == Scale(Fraction(0), Fraction(10), "high", 2)


def test_what_a_judge_copies_weighs_and_calls_severe_is_read_from_the_rubric() -> None:
    opinions = open_rubric("opinion-relevance")
    (bank,) = opinions.banks
    assert (bank.weights, bank.directions) == (True, ("praised", "criticised", "mixed", "neutral"))
    (excess,) = opinions.metric("relevance").list_parts
    assert (excess.copied, [field.name for field in excess.fields]) == ("words", ["words", "kind"])
    (claims,) = open_rubric("comparison-faithfulness").metric("faithfulness").label_parts
    assert claims.qualifier is not None
    assert [option.name for option in claims.qualifier.options] == ["slight", "serious"]
    assert not open_rubric("search-summary").banks[0].weights


def test_a_small_rubric_is_read() -> None:
    rubric = read_rubric(SMALL, PATH)
    assert (rubric.id, rubric.version, rubric.purpose) == ("letters", "3", "Judges a letter against a note.")
    assert rubric.metric("style").shows == ("verdict", "remark")
    assert rubric.metric("style").examples == ("Dear sir or madam: 3.",)
    assert rubric.metric("support").name == "Support"
    assert rubric.metric("harm").bands[1] == {"score": "1", "slight at most": "2", "serious at most": "0"}


TEXTS = [
    "no", "null", "1:20", "1.10", "007", "drug #2", "**bold** _and_ `code`", "&amp;", "<b>", "a: b", "[link](there)",
    "naïve – “so”", "部分的", "\\alpha", "- dash", '"quoted"', "#", "---", "<!-- no comment -->", "Fair\u2028ly\x85.",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_text_survives_as_text_in_labels_meanings_and_names(text: str) -> None:
    rubric = read_rubric(
        edit("| Partly | 0.5 | Some of it. |", f"| {text} | 0.5 | {text} |")
        .replace("| 3 | Fairly. |", f"| 3 | {text}   |")
        .replace("- rule: grade", f"- rule: grade\n- name: {text}  ")
        .replace("- version: 3", f"- version: {text}\n- notice: {text}"),
        PATH,
    )
    option = rubric.metric("coverage").label_parts[0].options[1]
    assert (option.name, option.meaning) == (text, text)
    assert rubric.metric("style").grade_parts[0].levels[2].meaning == text
    assert rubric.metric("style").name == text
    assert (rubric.version, rubric.notice) == (text, text)


def test_a_bar_is_written_with_a_backslash() -> None:
    rubric = read_rubric(edit("| Partly | 0.5 | Some of it. |", r"| 5 mg \| 10 mg | 0.5 | a \| b \| |"), PATH)
    option = rubric.metric("coverage").label_parts[0].options[1]
    assert (option.name, option.meaning) == ("5 mg | 10 mg", "a | b |")


def test_a_value_may_hold_colons() -> None:
    rubric = read_rubric(edit("- version: 3", "- version: 3: beta: https://example.org/a:b"), PATH)
    assert rubric.version == "3: beta: https://example.org/a:b"


def test_a_title_may_end_in_a_sharp_and_a_closed_heading_loses_its_closing() -> None:
    assert read_rubric(edit("# Letters\n", "# Letters in C#\n"), PATH).title == "Letters in C#"
    assert read_rubric(edit("# Letters\n", "# Letters ##\n"), PATH).title == "Letters"


def test_a_quote_keeps_its_own_signs() -> None:
    rubric = read_rubric(edit("> Dear sir or madam: 3.", "> >10 % is much:\n> 3."), PATH)
    assert rubric.metric("style").examples == (">10 % is much: 3.",)


def test_a_list_inside_a_paragraph_is_prose() -> None:
    question = "Is the letter well written?\n- in tone\n- in order"
    assert read_rubric(edit("Is the letter well written?", question), PATH).metric("style").question == question


def test_comments_are_left_out_wherever_they_stand() -> None:
    commented = edit("- version: 3", "<!-- one\n\n## Metric: none\n-->\n- version: 3")
    commented = edit("| Partly | 0.5", "  <!-- two -->\n| Partly | 0.5", commented)
    assert read_rubric(commented, PATH).digest == read_rubric(SMALL, PATH).digest


SPACINGS = {
    "windows line ends": SMALL.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + SMALL,
    "trailing spaces": SMALL.replace("\n", "  \t\n"),
    "wide tables": SMALL.replace(" | ", "    |\t"),
    "tables without outer bars": "\n".join(
        line.strip("| ") if line.startswith("|") else line for line in SMALL.split("\n")
    ),
    "coloned dividers": SMALL.replace("|---", "|:---:"),
    "starred settings": SMALL.replace("\n- ", "\n* "),
    "indented settings": SMALL.replace("\n- ", "\n  - "),
    "closed headings": SMALL.replace("### Grade\n", "### Grade ###\n"),
    "a broken paragraph": SMALL.replace("Judges a letter against", "Judges a letter\nagainst"),
}


@pytest.mark.parametrize("text", SPACINGS.values(), ids=SPACINGS)
def test_layout_does_not_change_the_digest(text: str) -> None:
    assert text != SMALL
    assert read_rubric(text, PATH).digest == read_rubric(SMALL, PATH).digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The note is silent.", "The note is mute."),
        ("| Partly | 0.5", "| Partial | 0.5"),
        ("| Partly | 0.5", "| Partly | 0.4"),
        ("- cap: 4 when any claim is absent or", "- cap: 5 when any claim is absent or"),
        ("| 1 | 2 | 0 |", "| 1 | 3 | 0 |"),
        ("- most: 5", "- most: 6"),
        ("- shows: verdict, remark", "- shows: verdict"),
        ("| remark | other | text | no |", "| remark | other | text | yes |"),
        ("- evidence: output\n", ""),
    ],
)
def test_any_change_of_content_changes_the_digest(old: str, new: str) -> None:
    assert read_rubric(edit(old, new), PATH).digest != read_rubric(SMALL, PATH).digest


def test_a_rubric_is_opened_by_its_path_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert open_rubric(str(path)).digest == read_rubric(SMALL, PATH).digest


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_bytes(SMALL.replace("note", "nöte").encode("latin-1"))
    with pytest.raises(InputError, match="UTF-8"):
        open_rubric(str(path))


@pytest.mark.parametrize("name", ["artikle-audit", "", ".", "nowhere/at/all.md", "a\0b", "x" * 5000])
def test_a_rubric_that_is_not_there_is_an_input_error(name: str) -> None:
    with pytest.raises(InputError, match=r"there is no rubric"):
        open_rubric(name)


def test_a_rubric_is_found_by_its_id_or_its_path(tmp_path: Path) -> None:
    assert find_rubric("article-audit") == ("article-audit/rubric.md", shipped_text("article-audit"))
    path = tmp_path / "article-audit"
    path.write_text(SMALL, encoding="utf-8")
    assert find_rubric(str(path)) == (str(path), SMALL)


def test_a_new_rubric_can_be_read_as_it_stands() -> None:
    rubric = read_rubric(new_rubric("board-minutes"), PATH)
    assert (rubric.id, rubric.title) == ("board-minutes", "Board minutes")
    assert {metric.rule for metric in rubric.metrics} <= set(RULES)
    assert "<!--" not in repr((rubric.purpose, rubric.metrics, rubric.banks, rubric.inputs))
    assert "<!--" in rubric.text


def test_a_new_rubric_names_every_rule() -> None:
    text = new_rubric("x")
    assert "{" not in text
    assert all(rule in text for rule in RULES)


@pytest.mark.parametrize("name", ["", "Mine", "my rubric", "-x", "a/b", "a\n", "é"])
def test_a_new_rubric_needs_an_id_that_can_name_a_file(name: str) -> None:
    with pytest.raises(InputError, match="lower-case"):
        new_rubric(name)


@QUICK
@given(st.text())
def test_no_text_at_all_breaks_the_reader(text: str) -> None:
    with pytest.raises(InputError):
        read_rubric(text, PATH)


PIECES = sorted({line for name in SHIPPED for line in shipped_text(name).split("\n")} | set(SMALL.split("\n")))
MORSELS = st.sampled_from(
    ["|", "\\", ":", "-", "#", ">", "- ", "\n", "\n\n", "0", "9" * 5000, "1.2.3", ".", "any", "²", "٣", "\ud800", "`",
     "<!--", "-->", "\x0b", " or ", ", ", "undecided", "Grade: ", "claim"]
)  # fmt: skip


@QUICK
@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_mixture_of_rubric_lines_breaks_the_reader(lines: list[str]) -> None:
    error = refusal_or_none("# T\n" + "\n".join(lines))
    if error is not None:
        assert error.path == PATH
        assert error.line is not None
        assert error.remedy


@settings(deadline=None, derandomize=True, max_examples=120)
@given(st.integers(0, len(SMALL)), st.integers(0, 30), MORSELS | st.text(max_size=4))
def test_no_edit_of_a_rubric_breaks_the_reader(start: int, length: int, morsel: str) -> None:
    text = SMALL[:start] + morsel + SMALL[start + length :]
    error = refusal_or_none(text)
    if error is not None:
        assert error.path == PATH
        assert error.line is not None
        assert 1 <= error.line <= text.count("\n") + text.count("\r") + 1
        assert error.remedy


@pytest.mark.parametrize(
    "line",
    ["# a" + " " * 50_000 + "b", "-" + " " * 50_000 + "x", "-|" * 10_000, "| " * 10_000, "- a" + ":" * 50_000,
     "> " * 20_000, "<!--" * 10_000, "- cap: 4 when any " + "claim is " * 10_000],
)  # fmt: skip
def test_long_hostile_lines_are_read_or_refused(line: str) -> None:
    refusal_or_none(f"{SMALL}\n\n{line}\n{line}\n")
    assert refusal(edit("- weight: 0.5", f"- weight: 0.5\n{line}")).remedy
