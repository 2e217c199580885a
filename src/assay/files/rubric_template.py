"""The text of a new rubric: a small one that works, with comments on what an author may change."""

from assay.errors import InputError
from assay.files.rubrics import is_identifier
from assay.scoring.rules import RULES

_TEMPLATE = """\
# {title}

- id: {identifier}
- version: 1

Judges the summary of a meeting against its minutes: does it carry what was decided, does it say only what
the minutes say, and can somebody who was absent follow it.

<!--
This rubric works as it stands: change it bit by bit and check it with `assay rubric check`.
What stands above is the rubric's purpose. Comments like this one, on lines of their own, are not read.
Everything else is read, or refused with its line: nothing you write is left out in silence.
-->

## Inputs

<!--
role: output is what is judged, source what it was made from and what evidence is quoted from, query a question it
answers, truth what is shown only where a metric says so (`- shows: …`), other anything else.
kind: text, value, texts (a list), documents, objects, any.
-->

| input | role | kind | required | meaning |
|---|---|---|---|---|
| minutes | source | text | yes | The minutes as they were taken. |
| summary | output | text | yes | The summary that is judged. |

## Bank: decisions

<!--
A bank is written once from the sources alone, without the output in sight, so that every system is judged on the
same units. The unit is a key point, a question or an item. Claims and sections of the output are cut by code.
-->

- unit: key point
- from: all sources together
- least: 1
- most: 9

Every decision and every task that the minutes record, one full statement each, with who is responsible and
by when where the minutes say so.

## Metric: decisions

- name: Decisions carried over
- scale: 0 to 100, high is best
- rule: mean of labels
- weight: 2

<!-- The question is put to the judge as it stands; each label's meaning goes with it. A value of 1 is best. -->

Does the summary carry each decision and task?

### Label each key point

- evidence: output

| label | value | meaning |
|---|---|---|
| carried | 1 | What was decided, who does it and by when are all there. |
| thinned | 0.5 | The decision is there; a person or a date that the minutes give is not. |
| lost | 0 | The summary does not speak of it. |

## Metric: groundedness

- name: Groundedness
- scale: 0 to 10, high is best
- rule: unsupported fraction
- most claims: 20
- slope: 10
- cap: 6 when any claim is contradicted

<!--
The score is 10 less the rounded product of slope and unsupported fraction. A cap holds a score down whatever the
rule says. The rules are: {rules}.
-->

Do the minutes support each claim of the summary?

### Label each claim

<!-- Claims that are looked for in a source always have these labels; their meanings are yours. -->

- evidence: source

| label | value | meaning |
|---|---|---|
| supported | 1 | The minutes say so, or it follows from what they say. |
| partial | 0.5 | The minutes say a part of it, or say it less firmly. |
| absent | 0 | The minutes do not speak of it. |
| contradicted | 0 | The minutes say otherwise. |

### Example

> Minutes: "Ada will ask for two offers by Friday." Summary: "Ada will buy the printer by Friday."
> She was to ask, not to buy: contradicted.

## Metric: clarity

- name: Clarity
- scale: 1 to 5, high is best
- rule: grade

<!-- A grade is the judge's opinion and is shown as one. On a short scale every level is put in words. -->

Would a colleague who missed the meeting understand the summary?

### Grade

| level | meaning |
|---|---|
| 5 | At first reading, with nothing to ask back. |
| 4 | At first reading, with a detail to ask back. |
| 3 | At second reading. |
| 2 | Only in part: names, terms or the order of things get in the way. |
| 1 | Not at all. |
"""


def new_rubric(identifier: str) -> str:
    """A rubric of this id that can be read as it stands."""
    if not is_identifier(identifier):
        remedy = "Use lower-case letters, digits and hyphens, as in `meeting-minutes`."
        raise InputError(f"the id {identifier!r} can't name a rubric", remedy=remedy)
    rules = ", ".join(RULES)
    title = identifier.replace("-", " ").strip().capitalize()
    return _TEMPLATE.replace("{identifier}", identifier).replace("{title}", title).replace("{rules}", rules)
