"""Sentences that state nothing which a source could bear out: greetings, offers, advice, a bare determination."""

import re
from typing import Final

_NOTHING_STATED: Final = re.compile(
    r"^\W{0,6}(?:"
    r"(?:hello|hi|dear|good (?:morning|day|evening)|thank you|thanks|you'?re welcome|sure|certainly|of course)\b"
    r"[^.!?]{0,60}$"
    r"|(?:i hope|hope) (?:this|that|it) (?:helps|is (?:helpful|useful))"
    r"|(?:please )?(?:let me know|feel free|do not hesitate|don'?t hesitate)\b"
    r"|if you (?:have|need|would like|want|wish)\b.{0,120}\b(?:let me know|feel free|contact|ask|reach out|happy to)\b"
    r"|(?:please |you should |we (?:recommend|suggest) (?:that you )?|it is (?:best|advisable|important) to |always )?"
    r"(?:consult|talk to|speak (?:to|with)|ask|contact|discuss (?:this|it) with|check with)\b.{0,60}"
    r"\b(?:doctor|physician|clinician|care (?:team|provider)|provider|pharmacist|professional|coordinator"
    r"|study (?:team|staff)|specialist)"
    r"|(?:here (?:is|are)|below (?:is|are)|the following (?:is|are))\b.{0,80}:?$"
    r")",
    re.IGNORECASE,
)

# Whether a patient is eligible is the answer itself; what it rests on is for the other sentences to say.
_DETERMINES: Final = re.compile(r"\b(?:in)?eligib(?:le|ility)\b|\bqualif(?:y|ies)\b", re.IGNORECASE)
_MOST_WORDS: Final = 10


def states_nothing(text: str) -> bool:
    return _NOTHING_STATED.match(text) is not None or _only_determines(text)


def _only_determines(text: str) -> bool:
    """A short sentence about being eligible that names no figure."""
    is_short = len(text.split()) <= _MOST_WORDS and not any(sign.isdigit() for sign in text)
    return is_short and _DETERMINES.search(text) is not None
