"""What a model puts around its answer: byte-order marks, thinking text, code fences, full-width forms."""

import re
from dataclasses import dataclass

_THOUGHT = r"(?:think|thinking|thought|thoughts|reasoning)"
_OPENER = re.compile(rf"\s*[<\[]{_THOUGHT}[>\]]", re.IGNORECASE)
_CLOSER = re.compile(rf"[<\[]/{_THOUGHT}[>\]]", re.IGNORECASE)
_FENCE_OPENER = re.compile(r"```[\w+-]*[^\S\n]*\n?")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

# Only the forms whose meaning is the same: a full compatibility folding would turn 4½ into 41⁄2.
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


@dataclass(frozen=True, slots=True)
class Unwrapped:
    text: str
    repairs: tuple[str, ...]


def to_half_width(text: str) -> str:
    """Full-width Latin letters, digits and punctuation as their plain twins, one character for one."""
    return text.translate(_HALF_WIDTH)


def strip_thinking(text: str) -> str:
    """The text after the model's thinking; nothing, where the thinking never ends: a draft is not an answer."""
    while opener := _OPENER.match(text):
        closer = _CLOSER.search(text, opener.end())
        if closer is None:
            return ""
        text = text[closer.end() :]
    # Chat templates may hold the opener themselves, so that the reply shows only the closer.
    closers = list(_CLOSER.finditer(text))
    if closers and not re.search(rf"[<\[]{_THOUGHT}[>\]]", text, re.IGNORECASE):
        return text[closers[-1].end() :]
    return text


def strip_fence(text: str) -> str:
    """The inside of a code fence that holds the whole text; any other text unchanged."""
    bare = text.strip()
    opener = _FENCE_OPENER.match(bare)
    if opener and bare.endswith("```") and len(bare) >= opener.end() + 3:
        return bare[opener.end() : -3]
    return text


def unwrap(text: str) -> Unwrapped:
    repairs: list[str] = []
    if _SURROGATE.search(text):
        text = _SURROGATE.sub("\ufffd", text)
        repairs.append("invalid characters")
    if "\ufeff" in text[:1]:
        text = text.lstrip("\ufeff")
        repairs.append("byte-order mark")
    answer = strip_thinking(text)
    if answer != text:
        repairs.append("thinking text")
    content = strip_fence(answer)
    if content != answer:
        repairs.append("code fence")
    return Unwrapped(content, tuple(repairs))
