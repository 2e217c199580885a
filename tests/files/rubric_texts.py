"""A small whole rubric, and edits of it, for tests of what is read and what is refused."""

from assay.errors import InputError
from assay.files.rubrics import read_rubric

PATH = "mine.md"
SMALL = """\
# Letters

- id: letters
- version: 3

Judges a letter against a note.

## Inputs

| input | role | kind | required | meaning |
|---|---|---|---|---|
| note | source | text | yes | The note. |
| letter | output | text | yes | The letter. |
| verdict | truth | text | no | What people said of it. |
| remark | other | text | no | Anything else. |

## Bank: points

- unit: key point
- from: all sources together
- least: 1
- most: 5

The points of the note.

## Metric: support

- scale: 0 to 10, high is best
- rule: unsupported fraction
- cap: 4 when any claim is absent or contradicted
- weight: 0.5

Does the note support each claim?

### Label each claim

- evidence: source

| label | value | meaning |
|---|---|---|
| supported | 1 | The note says so. |
| partial | 0.5 | The note says a part of it. |
| absent | 0 | The note is silent. |
| contradicted | 0 | The note says otherwise. |

## Metric: coverage

- scale: 0 to 10, high is best, 2 decimals
- rule: harmonic coverage
- claims from: support
- cap: 4 when any claim is absent

How much of each point is in the letter?

### Label each key point

- evidence: output

| label | value | meaning |
|---|---|---|
| Fully | 1 | All of it. |
| Partly | 0.5 | Some of it. |
| Not | 0 | None of it. |

## Metric: harm

- scale: 0 to 3, low is best
- rule: severity bands

Is anything in the letter invented?

### Label each claim

| label | value | meaning |
|---|---|---|
| supported | 1.0 | Nothing to say. |
| absent | 0.0 | Something to say. |

### Severity

| severity | meaning |
|---|---|
| slight | It does not matter. |
| serious | It does. |

### Bands

| score | slight at most | serious at most |
|---|---|---|
| 0 | 0 | 0 |
| 1 | 2 | 0 |
| 3 | any | any |

## Metric: style

- scale: 1 to 5, high is best
- rule: grade
- shows: verdict, remark

Is the letter well written?

### Grade

| level | meaning |
|---|---|
| 5 | Very. |
| 4 | Yes. |
| 3 | Fairly. |
| 2 | Hardly. |
| 1 | No. |

### Example

> Dear sir or madam: 3.
"""


def edit(old: str, new: str, text: str = SMALL) -> str:
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    return text.replace(old, new)


def line_of(fragment: str, text: str) -> int:
    """The number of the only line that holds this fragment."""
    (number,) = [number for number, line in enumerate(text.split("\n"), 1) if fragment in line]
    return number


def refusal_or_none(text: str) -> InputError | None:
    try:
        read_rubric(text, PATH)
    except InputError as error:
        return error
    return None


def refusal(text: str) -> InputError:
    error = refusal_or_none(text)
    assert error is not None, "the rubric was read"
    return error
