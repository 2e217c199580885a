"""Reads a conversation: messages with a role and a content. The assistant's are judged, the others are sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.domain.json import JSON
from assay.domain.record import Source
from assay.files.json_values import describe, is_absent, is_blank, is_list, join_lines, rename
from assay.files.place import Place
from assay.units.turns import ASSISTANT, join_answers, name_turn

EXAMPLE = '[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]'
_ROLES = ("user", ASSISTANT, "system", "developer", "tool", "function")
_FIELDS = ("role", "content", "name", "tool_calls")
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Conversation:
    """`messages` are those that were read, as they go into the record."""

    messages: Sequence[Mapping[str, JSON]]

    @property
    def output(self) -> str:
        answers = [(at, each) for at, each in enumerate(self.messages, 1) if each["role"] == ASSISTANT]
        return join_answers([(at, str(each["content"])) for at, each in answers])

    def list_sources(self, name: str) -> tuple[Source, ...]:
        """The turns of everyone but the assistant, by their number and role."""
        return tuple(
            Source("", str(each["content"]), name_turn(at, str(each["role"]), str(each.get("name", ""))), None, name)
            for at, each in enumerate(self.messages, 1)
            if each["role"] != ASSISTANT and not is_blank(str(each["content"]))
        )


def read_messages(value: JSON, name: str, place: Place) -> Conversation:
    """Raises InputError for what is no list of messages, for a message that can't be read, and without an answer."""
    remedy = f'Write `"{name}": {EXAMPLE}`'
    if isinstance(value, str) and is_blank(value):
        return Conversation(())
    if not is_list(value):
        raise place.fault(f"{name} is {describe(value)}, a list of messages is needed", remedy)
    messages = [_read_message(each, f"number {at} of {name}", place) for at, each in enumerate(value, 1)]
    if not any(each["role"] == ASSISTANT for each in messages):
        held = f"no message of the role {ASSISTANT}" if messages else "no message"
        raise place.fault(f"{name} has {held}: there is nothing to judge", remedy)
    return Conversation(messages)


def _read_message(value: JSON, name: str, place: Place) -> Mapping[str, JSON]:
    remedy = 'Write `{"role": "user", "content": "…"}`'
    if not isinstance(value, Mapping):
        raise place.fault(f"{name} is {describe(value)}, an object is needed", remedy)
    fields = rename(value, _FIELDS, place)
    role = fields.get("role")
    if is_absent(role):
        raise place.fault(f"{name} has no role; it has {', '.join(map(str, value)) or 'nothing'}", remedy)
    if role not in _ROLES:
        said = repr(role) if isinstance(role, str) else describe(role)
        raise place.fault(f"the role of {name} is {said:.60}", f"Write one of {', '.join(_ROLES)}")
    content = fields.get("content")
    if is_absent(content):
        # An answer that only calls tools says nothing.
        if role != ASSISTANT or is_absent(fields.get("tool_calls")):
            raise place.fault(f"{name} has no content; it has {', '.join(map(str, value))}", remedy)
        content = ""
    message: dict[str, JSON] = {"role": role, "content": _read_content(content, name, place)}
    if isinstance(speaker := fields.get("name"), str) and not is_blank(speaker):
        message["name"] = join_lines(speaker)[:_LONGEST_NAME]
    return message


def _read_content(value: JSON, name: str, place: Place) -> str:
    """A text, or parts that are texts, as some interfaces write them."""
    if isinstance(value, str):
        return value
    if not is_list(value):
        raise place.fault(f"the content of {name} is {describe(value)}, text is needed", 'Write `"content": "…"`')
    texts = []
    for part in value:
        text = part.get("text") if isinstance(part, Mapping) else part
        if not isinstance(text, str):
            kind = part.get("type") if isinstance(part, Mapping) else None
            said = f"of the type {kind!r:.40}" if isinstance(kind, str) else "that is no text"
            message = f"the content of {name} has a part {said}, and only text can be judged"
            raise place.fault(message, "Leave it out, or write in words what it holds")
        texts.append(text)
    return "\n\n".join(texts)
