"""Every way to get a rubric wrong is answered with its line and with what to write instead."""

import pytest
from rubric_texts import PATH, SMALL, edit, line_of, refusal

from assay.files.rubrics import open_rubric

# what is replaced, what by, a fragment of the line that is named (^2: two lines above it), the message, the remedy
Mistake = tuple[str, str, str, str, str]

SETTINGS: dict[str, Mistake] = {
    "a mistyped setting": (
        "- weight: 0.5", "- weigth: 0.5", "weigth", "unknown setting 'weigth'", "Did you mean 'weight'?"
    ),
    "a setting twice": ("- weight: 0.5", "- weight: 0.5\n- weight: 0.6", "0.6", "set twice", "Keep one"),
    "a setting with no value": ("- weight: 0.5", "- weight:", "- weight:", "has no value", "- weight: …"),
    "a setting without its colon": ("- weight: 0.5", "- weight 0.5", "weight 0.5", "is not a setting", "- name: value"),
    "a setting without its space": ("- evidence: output", "-evidence: output", "-evidence", "is not one", "space"),
    "a setting inside a paragraph": (
        "How much of each point is in the letter?", "How much of each point?\n- weight: 2", "How much", "is not a setting", "empty line"
    ),
    "an unknown rule": ("- rule: harmonic coverage", "- rule: harmonic coverge", "coverge", "unknown rule", "'harmonic coverage'"),
    "a decimal comma": ("- weight: 0.5", "- weight: 0,5", "0,5", "'weight' is '0,5'", "with a point for its decimals"),
    "a weight of thousands of digits": ("- weight: 0.5", f"- weight: {'9' * 5000}", "999", "'weight' is", "number"),
    "a cap above the scale": (
        "- cap: 4 when any claim is absent or contradicted", "- cap: 40 when any claim is absent", "40 when", "'cap' is '40'", "from 0 to 10"
    ),
    "a cap in other words": ("- cap: 4 when any claim is absent or contradicted", "- cap: 4 if a claim is absent", "if a", "can't be read", "4 when any claim"),
    "a cap on a label that no claim has": ("is absent or contradicted", "is absent or contradicting", "contradicting", "no claim can be", "'contradicted'"),
    "a cap on a unit that is not labelled": ("- cap: 4 when any claim is absent or contradicted", "- cap: 4 when any section is absent", "any section", "no section can be", "Label these units"),
    "a cap where low is best": ("- rule: severity bands", "- rule: severity bands\n- cap: 1 when any claim is extraneous", "any claim is extraneous", "low is best", "high is best"),
    "a scale with a typo": ("0 to 3, low is best", "0 to 3, low is bets", "bets", "can't be read", "low is best, 2 decimals"),
    "a scale without room": ("0 to 3, low is best", "3 to 3, low is best", "3 to 3", "has no values between its ends", "0 to 10"),
    "a scale finer than its scores": ("0 to 3, low is best", "0.5 to 3, low is best", "0.5 to 3", "more decimals", "decimal"),
    "a rule on a scale it does not fit": (
        "- rule: unsupported fraction", "- rule: share of words at fault", "- rule: share^1", "gives 1 to 5", "1 to 5, high is best"
    ),
    "a rule that counts down where low is best": (
        "- scale: 0 to 10, high is best\n- rule", "- scale: 0 to 10, low is best\n- rule", "10, low", "from the top", "high is best"
    ),
    "a rule's number out of range": ("- rule: unsupported fraction", "- rule: unsupported fraction\n- slope: -2", "slope", "'slope' is '-2'", "from 0"),
    "a count that is not whole": ("- rule: unsupported fraction", "- rule: unsupported fraction\n- most claims: 2.5", "most claims", "'most claims' is 2.5", "whole number"),
    "claims from nowhere": ("- claims from: support", "- claims from: suport", "suport", "not another metric", "'support'"),
    "coverage without claims": ("- claims from: support\n- cap: 4 when any claim is absent\n", "", "## Metric: coverage", "looks at claims", "claims from"),
    "an input shown that is not there": ("- shows: verdict, remark", "- shows: verdikt", "verdikt", "is not an input", "'verdict'"),
    "a source shown on demand": ("- shows: verdict, remark", "- shows: note", "shows: note", "always shown", "verdict"),
    "an unknown check": ("- version: 3", "- version: 3\n- checks: quantites", "quantites", "'checks' is 'quantites'", "'quantities'"),
}  # fmt: skip

TABLES: dict[str, Mistake] = {
    "a value above one": ("| Partly | 0.5 |", "| Partly | 2 |", "| Partly |", "'value' is '2'", "from 0 to 1"),
    "values all alike": ("| absent | 0.0 |", "| absent | 1.0 |", "| supported | 1.0 |^2", "the same value", "worst the value 0"),
    "a label twice": ("| Partly |", "| Fully |", "Some of it", "'Fully' appears twice", "one row"),
    "a label left empty": ("| Partly |", "| |", "Some of it", "an empty label", "Fill the column"),
    "a meaning left empty": ("| Some of it. |", "| |", "| Partly", "an empty meaning", "Fill the column"),
    "the word for no answer as a label": ("| Partly |", "| undecided |", "undecided", "is reserved", "choose another"),
    "a label of support in other words": ("| partial | 0.5 |", "| partly | 0.5 |", "| supported | 1 |^2", "'partly' is not a label of support", "supported, partial"),
    "a contradiction that counts most": ("| contradicted | 0 |", "| contradicted | 1 |", "| supported | 1 |^2", "'contradicted' counts as much as 'supported'", "supported the value 1"),
    "labels of support without the best": ("| supported | 1 |", "| no_fact | 1 |", "| no_fact |^2", "no label 'supported'", "Add it"),
    "a missing column": ("| severity | meaning |\n|---|---|\n| slight | It does not matter. |\n| serious | It does. |", "| severity |\n|---|\n| slight |\n| serious |", "| slight |^2", "the column 'meaning' is missing", "severity, meaning"),
    "an uneven row": ("| Partly | 0.5 | Some of it. |", "| Partly | 0.5 | Some | of it. |", "| Partly |", "4 cells under 3", "\\|"),
    "a row after the table that is prose": ("| Not | 0 | None of it. |", "| Not | 0 | None of it. |\nSo it is.", "So it is.", "1 cells under 3", "\\|"),
    "a table without its divider": ("| level | meaning |\n|---|---|\n", "| level | meaning |\n", "| level |", "without its divider", "|---|---|"),
    "a column twice": ("| level | meaning |\n|---|---|\n", "| level | level |\n|---|---|\n", "| level |", "the same name", "its own name"),
    "a missing level": ("| 3 | Fairly. |\n", "", "| level |", "level 3 is missing", "every level"),
    "a level twice": ("| 4 | Yes. |", "| 5 | Yes. |", "Yes.", "appears twice", "one row"),
    "a level between two": ("| 4 | Yes. |", "| 4.5 | Yes. |", "Yes.", "'level' is '4.5'", "whole numbers"),
    "no best level": ("| 5 | Very. |\n", "", "| level |", "both ends of the scale", "best and the worst"),
    "a last band that leaves counts out": ("| 3 | any | any |", "| 3 | 9 | any |", "| 3 | 9 |", "does not cover every count", "any"),
    "a band out of order": ("| 0 | 0 | 0 |\n| 1 | 2 | 0 |", "| 1 | 2 | 0 |\n| 0 | 0 | 0 |", "| 0 | 0 | 0 |", "out of order", "best score to the worst"),
    "severities of other names": ("| serious | It does. |", "| grave | It does. |", "### Severity", "not those that the rule counts", "slight and serious, in this order"),
    "an unknown role": ("| note | source |", "| note | sorce |", "sorce", "'role' is 'sorce'", "'source'"),
    "an input twice": ("| remark | other |", "| verdict | other |", "Anything else", "appears twice", "one row"),
    "fields of nothing": ("| remark | other |", "| nots.x | other |", "nots.x", "unknown input 'nots'", "'note'"),
    "no output": ("| letter | output |", "| letter | other |", "# Letters", "role output", "Give one input"),
    "two outputs": ("| remark | other |", "| remark | output |", "# Letters", "two inputs", "another role"),
}  # fmt: skip

HEADINGS: dict[str, Mistake] = {
    "an unknown heading": ("## Inputs", "## Input", "## Input", "unknown heading 'Input'", "'Inputs'"),
    "a second bank of key points": ("## Metric: support", "## Bank: more\n\n- unit: key point\n- from: each source\n- least: 1\n- most: 2\n\nMore.\n\n## Metric: support", "## Bank: more", "a second bank writes key points", "one bank"),
    "an unknown heading of a metric": ("### Severity", "### Severities", "Severities", "unknown heading", "'Severity'"),
    "an unknown unit": ("### Label each key point", "### Label each keypoint", "keypoint", "unknown unit", "'key point'"),
    "a bank of claims": ("- unit: key point", "- unit: claim", "unit: claim", "a bank can't write units", "Known are"),
    "no bank for a unit": ("- unit: key point", "- unit: question", "## Metric: coverage", "no bank writes", "- unit: key point"),
    "a bank with no room": ("- most: 5", "- most: 0", "## Bank", "at least 1 and at most 0", "limits"),
    "a bank that has no question": ("The points of the note.\n", "", "## Bank", "has no question", "what the bank holds"),
    "weights of a bank in other words": ("- most: 5", "- most: 5\n- weights: heavy and light", "heavy", "'weights' is 'heavy and light'", "main and minor"),
    "a metric twice": ("## Metric: style", "## Metric: harm", "- shows: verdict^4", "'Metric: harm' appears twice", "Keep one"),
    "inputs twice": ("## Bank: points", "## Inputs\n\n| input | role | kind | required | meaning |\n|---|---|---|---|---|\n| b | other | any | no | B. |\n\n## Bank: points", "| b |^4", "'Inputs' appears twice", "Keep one"),
    "two titles": ("## Bank: points", "# Bank: points", "# Bank", "exactly one title", "# Title"),
    "a metric without a question": ("Is anything in the letter invented?\n", "", "## Metric: harm", "has no question", "question"),
    "a table the rule needs": ("### Bands\n\n| score | slight at most | serious at most |\n|---|---|---|\n| 0 | 0 | 0 |\n| 1 | 2 | 0 |\n| 3 | any | any |\n", "", "## Metric: harm", "needs its table", "### Bands"),
    "a table the rule does not read": ("### Example", "### Limits\n\n| score |\n|---|\n| 1 |\n\n### Example", "### Limits", "has no table 'Limits'", "Remove it"),
    "a heading twice": ("### Severity", "### Severity\n\n| severity | meaning |\n|---|---|\n| slight | No. |\n\n### Severity", "| slight | It^4", "appears twice", "Keep one"),
    "a severity of nothing": ("### Example", "### Severity\n\n| severity | meaning |\n|---|---|\n| slight | X. |\n| serious | Y. |\n\n### Example", "### Example^7", "without labelled claims", "### Label each claim"),
    "faults counted of claims in other words": ("| absent | 0.0 |", "| odd | 0.0 |", "## Metric: harm", "needs the standard labels of claims", "supported, partial, absent"),
    "a list copied from a field that it has not": ("### Example", "### List: excess\n\n- copied from the output: words\n\n| field | meaning |\n|---|---|\n| text | A. |\n\n### Example", "copied from", "the list has no field 'words'", "text"),
    "a rule without its units": ("- rule: grade", "- rule: mean of labels", "## Metric: style", "none are labelled", "### Label each"),
    "a rule without its grade": ("### Grade\n", "### Grade\n\n- kept: beside the score\n", "## Metric: style", "needs one grade", "### Grade"),
    "a rule with too few grades": ("- rule: grade", "- rule: mean of subscores", "## Metric: style", "two grades", "### Grade: …"),
    "a grade the rule does not take": ("### Severity", "### Grade\n\n| level | meaning |\n|---|---|\n| 0 | A. |\n| 1 | B. |\n| 2 | C. |\n| 3 | D. |\n\n### Severity", "## Metric: harm", "not use the grade as the score", "- kept: beside the score"),
    "two parts of one name": ("### Example", "### List: grade\n\n| field | meaning |\n|---|---|\n| a | A. |\n\n### Example", "### List", "called 'grade'", "own name"),
    "source evidence for a key point": ("- evidence: output", "- evidence: source", "## Metric: coverage", "written from the sources are always found there", "- evidence: output"),
    "output evidence for a claim": ("- evidence: source", "- evidence: output", "| supported | 1 |^4", "claims can't have evidence from the output", "- evidence: source"),
    "evidence from elsewhere": ("- evidence: source", "- evidence: web", "web", "'evidence' is 'web'", "source, none"),
    "text where none is read": ("### Severity\n", "### Severity\n\nBe strict.\n", "### Severity", "text under 'Severity' would not be read", "<!--"),
    "a quote where none is read": ("### Grade\n", "### Grade\n\n> Be strict.\n", "### Grade", "a quote under 'Grade'", "<!--"),
    "a heading below a part": ("| 1 | No. |\n", "| 1 | No. |\n\n#### Notes\n", "#### Notes", "the heading 'Notes'", "<!--"),
    "a table of a metric": ("Is the letter well written?\n", "Is the letter well written?\n\n| a | b |\n|---|---|\n", "| a | b |", "a table under", "<!--"),
    "settings of an example": ("### Example\n", "### Example\n\n- weight: 2\n", "weight: 2", "the setting 'weight'", "<!--"),
    "an example without a quote": ("> Dear sir or madam: 3.\n", "Dear sir or madam: 3.\n", "### Example", "text under 'Example'", "<!--"),
    "an empty example": ("> Dear sir or madam: 3.\n", "", "### Example", "an empty example", "> "),
    "text before the title": ("# Letters\n", "Hello.\n\n# Letters\n", "Hello", "text before the title", "<!--"),
    "a comment without an end": ("### Example", "<!-- oh\n\n### Example", "<!-- oh", "without its end", "-->"),
    "text behind a comment": ("- version: 3", "<!-- oh --> - version: 3", "<!-- oh", "after the end of a comment", "separate"),
    "a pick with no room": ("### Example", "### Pick: tone\n\n- least: 2\n\n| option | meaning |\n|---|---|\n| a | A. |\n\n### Example", "### Pick", "at least 2 and at most 1", "limits"),
    "a pick over claims with options": ("### Example", "### Pick: worst\n\n- over: claims\n\n| option | meaning |\n|---|---|\n| a | A. |\n\n### Example", "| option |", "a table under", "<!--"),
}  # fmt: skip


@pytest.mark.parametrize(
    "mistake", [*SETTINGS.values(), *TABLES.values(), *HEADINGS.values()], ids=[*SETTINGS, *TABLES, *HEADINGS]
)
def test_a_mistake_is_answered_with_its_line_and_a_remedy(mistake: Mistake) -> None:
    old, new, fragment, message, remedy = mistake
    text = edit(old, new)
    first = refusal(text)
    found = [error for error in (first, *first.others) if message in error.message]
    assert [error.message for error in found] != [], first.message
    error = found[0]
    assert error.path == PATH
    assert error.remedy is not None
    assert remedy in error.remedy
    marker, _, above = fragment.partition("^")
    assert error.line == line_of(marker, text) - int(above or 0)
    assert str(error).startswith(f"{PATH}:{error.line}: ")


def test_a_metric_of_yes_and_no_without_its_grade_is_told_its_levels() -> None:
    text = edit("- scale: 1 to 5, high is best", "- scale: no to yes, yes is best")
    error = refusal(text[: text.index("### Grade")])
    assert "needs one grade" in error.message
    assert error.remedy == "Give it one `### Grade` with a table of the levels no and yes."


# In a shipped rubric that compares its answers with the truth and has a reply shape.
TRIAL: dict[str, Mistake] = {
    "a truth label twice": ("| Excluded | not_eligible |", "| eligible | not_eligible |", "| eligible | not", "appears twice", "'Eligible'"),
    "a comparison of one fact": ("- compares: ", "- compares: only ", "- compares: only", "'compares' is 'only", "two facts"),
    "a watch that can't be read": ("likely_eligible where the truth is not_eligible", "likely_eligible", "- watch: ", "'watch' is", "where the truth is"),
    "an unknown form of reply": ("- form: object\n", "- form: essay\n", "- form: essay", "'form' is 'essay'", "object"),
    "a reply of an unknown metric": ("| clarity | clarity | score |", "| charity | clarity | score |", "| charity | ", "'metric' is 'charity'", "'clarity'"),
    "a reply that holds nothing known": ("| clarity | clarity | score |", "| clarity | clarity | mark |", "| clarity | clarity | mark |", "'holds' is 'mark'", "Write score"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", TRIAL.values(), ids=TRIAL)
def test_a_mistake_in_a_comparison_with_the_truth_is_answered_too(mistake: Mistake) -> None:
    old, new, fragment, message, remedy = mistake
    text = edit(old, new, open_rubric("trial-eligibility").text)
    error = refusal(text)
    assert message in error.message
    assert error.remedy is not None
    assert remedy in error.remedy
    assert error.line == line_of(fragment, text)


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "hello", "## Inputs\n", "#", "---\nid: x\n---\n"])
def test_a_file_without_a_title_is_refused_at_its_first_line(text: str) -> None:
    error = refusal(text)
    assert (error.message, error.line) == ("a rubric has exactly one title", 1)
    assert error.remedy is not None
    assert "# Title" in error.remedy


def test_a_title_alone_is_no_rubric() -> None:
    assert "'id' is not set" in refusal("# T\n").message
    assert "there are no inputs" in refusal("# T\n\n- id: t\n- version: 1\n").message


def test_a_rubric_without_a_metric_is_refused() -> None:
    error = refusal(SMALL[: SMALL.index("## Bank")])
    assert error.message == "a rubric without a metric"


def test_a_table_under_a_reply_that_is_a_score_alone_is_refused() -> None:
    text = SMALL[: SMALL.index("## Metric: coverage")] + "## Reply shape\n\n- form: score\n\n| a |\n|---|\n| b |\n"
    error = refusal(text)
    assert error.message == "a table under 'Reply shape' would not be read"
    assert error.line == line_of("| a |", text)


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_lines_are_numbered_alike_whatever_ends_them(newline: str) -> None:
    text = edit("- weight: 0.5", "- weigth: 0.5")
    assert refusal(text.replace("\n", newline)).line == line_of("weigth", text)


def test_lines_inside_comments_are_numbered() -> None:
    text = edit("- weight: 0.5", "<!--\na\n\nb\n-->\n- weigth: 0.5")
    assert refusal(text).line == line_of("weigth", text)


def test_the_message_reads_as_a_sentence_with_its_place() -> None:
    error = refusal(edit("- weight: 0.5", "- weigth: 0.5"))
    assert str(error) == f"mine.md:{error.line}: unknown setting 'weigth'. Did you mean 'weight'?"


def test_weights_that_are_all_nothing_make_no_total() -> None:
    weightless = SMALL.replace("- weight: 0.5\n", "").replace("- scale:", "- weight: 0\n- scale:")
    assert "every metric has the weight 0" in refusal(weightless).message
