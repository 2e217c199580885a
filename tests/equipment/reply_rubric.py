"""A small rubric without a bank: labels of claims that need no quote, and a grade."""

RUBRIC = """# Reply

- id: reply
- version: 3

Judges a reply against the manual.

## Inputs

| input | role | kind | required | meaning |
|---|---|---|---|---|
| manual | source | text | yes | The manual. |
| reply | output | text | yes | The reply. |

## Metric: faithfulness

- scale: 0 to 100, high is best
- rule: mean of labels

Does the manual say so?

### Label each claim

| label | value | meaning |
|---|---|---|
| supported | 1 | It does. |
| partial | 0.5 | A part of it. |
| absent | 0 | It does not. |

## Metric: tone

- scale: 1 to 5, high is best
- rule: grade

Is it friendly?

### Grade

| level | meaning |
|---|---|
| 5 | Very. |
| 4 | Rather. |
| 3 | So so. |
| 2 | Hardly. |
| 1 | No. |
"""
