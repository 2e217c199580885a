"""One call that every chat of this folder is asked."""

import pytest

from assay.models.chat import Call, CallKey, Message

SCHEMA = {
    "type": "object",
    "properties": {
        "label": {"enum": ["supported", "absent"]},
        "grade": {"type": "integer", "minimum": 1, "maximum": 5},
        "quotes": {"type": "array", "items": {"type": "string"}, "minItems": 2},
    },
    "required": ["label", "grade", "quotes"],
    "additionalProperties": False,
}


@pytest.fixture
def call():
    return Call(
        messages=(Message("system", "You label claims."), Message("user", "Claim: the tea is green.")),
        schema=SCHEMA,
        max_tokens=200,
        temperature=0.0,
        key=CallKey(record="a-17", ask="hallucination"),
    )
