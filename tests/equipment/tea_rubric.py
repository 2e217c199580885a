"""A small rubric, in parts that tests put together: its head, a metric of labels and a metric of a grade."""

TEA = """# Tea

- id: tea
- version: 1

Is the tea as it is said to be?

## Inputs

| input | role | kind | required | meaning |
|---|---|---|---|---|
| tin | source | text | yes | What the tin says. |
| note | output | text | yes | What is judged. |

"""
GROUNDEDNESS = """## Metric: groundedness

- name: Groundedness
- scale: 0 to 10, high is best
- rule: unsupported fraction
- most claims: 20
- slope: 10

Does the tin say so?

### Label each claim

- evidence: source

| label | value | meaning |
|---|---|---|
| supported | 1 | It does. |
| partial | 0.5 | A part. |
| absent | 0 | Not a word. |
| contradicted | 0 | Otherwise. |

"""
CLARITY = """## Metric: clarity

- name: Clarity
- scale: 1 to 5, high is best
- rule: grade

Is it clear?

### Grade

| level | meaning |
|---|---|
| 5 | Very. |
| 4 | Rather. |
| 3 | So so. |
| 2 | Hardly. |
| 1 | No. |
"""
