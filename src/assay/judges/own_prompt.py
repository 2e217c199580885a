"""A user's own judge prompt: its slots are filled from the record, and the reply is read by the rubric's shape."""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from assay.domain.ask import Answer, Ask, WholeAsk
from assay.domain.json import JSON
from assay.domain.outcome import Trail
from assay.domain.record import Record
from assay.domain.rubric import Input, Rubric
from assay.errors import EndpointDown, InputError, JudgeError, OverBudget, TooLong
from assay.formats.objects import read_whole_reply
from assay.judges.judge import Judge
from assay.judges.prompted.material import CHARACTERS_PER_TOKEN
from assay.models.chat import Call, CallKey, Chat, Completion, Message
from assay.replies.strict import reading_reply
from assay.units.passages import Passages

NOT_PROVIDED: Final = "not provided"
# A reply in prose with lists, what it says about each source where it has units of each, and room for thoughts before.
_REPLY_TOKENS: Final = 4_000
_TOKENS_PER_SOURCE: Final = 800
_THINKING_TOKENS: Final = 8_000
# A reply that was cut off is asked for again with this much of its room.
_MORE_ROOM: Final = 2
_RECORD: Final = "record"
_SLOT: Final = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}|\{([A-Za-z_]\w*)\}")
_DOUBLED: Final = re.compile(r"\{\{|\}\}")
_LAST_LINE: Final = re.compile(r"\n[ \t]*[^\n:]{1,40}:[ \t]*\s*\Z")


@dataclass(frozen=True)
class OwnPrompt:
    """`pieces` are texts and the inputs that fill slots, None for the whole record; `inputs` are the rubric's."""

    pieces: tuple[str | Input | None, ...]
    inputs: tuple[Input, ...]
    digest: str

    @cached_property
    def _takes_output(self) -> bool:
        return any(piece is None or (isinstance(piece, Input) and piece.role == "output") for piece in self.pieces)

    def fill(self, record: Record) -> str:
        """The prompt for one record. Values go in once, so that braces in data stay braces."""
        text = "".join(self._fill_piece(piece, record) for piece in self.pieces)
        if self._takes_output:
            return text
        block = "\n\n".join(f"{spec.label}:\n{_spell(record.inputs.get(spec.name))}" for spec in self._list_unshown())
        last = _LAST_LINE.search(text)
        head, tail = (text[: last.start()], text[last.start() :]) if last else (text, "\n")
        return f"{head.rstrip()}\n\n{block}\n{tail}"

    def _fill_piece(self, piece: str | Input | None, record: Record) -> str:
        if isinstance(piece, str):
            return piece
        if piece is None:
            return json.dumps(dict(record.inputs), ensure_ascii=False, indent=1, default=str)
        return _spell(record.inputs.get(piece.name))

    def _list_unshown(self) -> Iterator[Input]:
        """The inputs that no slot takes; the right answer is shown only where a slot asks for it."""
        shown = {piece.name for piece in self.pieces if isinstance(piece, Input)}
        return (spec for spec in self.inputs if spec.name not in shown and spec.role != "truth")


def _spell(value: JSON) -> str:
    """A text as it is, a list of texts with numbers, anything else as JSON."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return NOT_PROVIDED
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        return "\n".join(f"{number}. {each}" for number, each in enumerate(value, 1)) or NOT_PROVIDED
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def open_own_prompt(path: str | Path, slots: Mapping[str, str] | Sequence[str], rubric: Rubric) -> OwnPrompt:
    """Raises InputError for a file that can't be read, a slot that nothing fills, and a rubric without a shape."""
    if rubric.shape is None:
        remedy = "Add `## Reply shape` to it: `- form: score` for a reply that ends in a score."
        message = f"the rubric {rubric.id} does not describe the reply to your own prompt"
        raise InputError(message, remedy=remedy)
    text, constants = _take_template(_read(path))
    given = _read_slots(slots)
    head, *rest = _SLOT.split(text)
    pieces: list[str | Input | None] = [_halve(head)]
    unfilled: list[str] = []
    slotted = [one or other for one, other in zip(rest[::3], rest[1::3], strict=True)]
    for name, behind in zip(slotted, rest[2::3], strict=True):
        filling, is_filled = _find_filling(name, given.get(_fold(name)), constants, rubric)
        unfilled += [] if is_filled else [name]
        pieces += [filling, _halve(behind)]
    names = ", ".join(spec.name for spec in rubric.inputs)
    if unfilled:
        said = ", ".join(f"{{{name}}}" for name in dict.fromkeys(unfilled))
        first = unfilled[0]
        remedy = f"Write --slot {first}=INPUT, --slot {first}=record or --slot {first}=@FILE. The inputs are: {names}"
        raise InputError(f"nothing fills the slots {said}", path=str(path), remedy=remedy)
    unknown = [name for name in given if name not in {_fold(each) for each in slotted}]
    if unknown:
        remedy = f"Its slots are: {', '.join(dict.fromkeys(slotted)) or 'none'}"
        raise InputError(f"the prompt has no slot {{{unknown[0]}}}", path=str(path), remedy=remedy)
    return OwnPrompt(tuple(pieces), rubric.inputs, sha256(repr(pieces).encode("utf-8", "replace")).hexdigest()[:8])


def _halve(text: str) -> str:
    """Doubled braces that hold no name stand for single ones."""
    return _DOUBLED.sub(lambda match: match[0][0], text)


def _fold(name: str) -> str:
    return name.lower().replace("msg", "message")


def _find_filling(
    name: str, given: str | None, constants: Mapping[str, str], rubric: Rubric
) -> tuple[str | Input | None, bool]:
    """What fills a slot, and whether anything does; None is the whole record."""
    if given is not None and given.startswith("@"):
        return _read(given[1:]).rstrip("\n"), True
    if given == _RECORD:
        return None, True
    wanted = given if given is not None else name
    spec = next((spec for spec in rubric.inputs if _fold(spec.name) == _fold(wanted)), None)
    if spec is not None:
        return spec, True
    if given is not None:
        remedy = f"Write one of: {', '.join(each.name for each in rubric.inputs)}, record, or @FILE."
        raise InputError(f"--slot {name}={given}: the rubric has no input {given!r}", remedy=remedy)
    return constants.get(_fold(name)), _fold(name) in constants


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        remedy = "Write the path of a text file"
        raise InputError(f"cannot be read ({error.strerror})", path=str(path), remedy=remedy) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", path=str(path), remedy="Save it as UTF-8") from None


def _read_slots(slots: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    pairs = slots.items() if isinstance(slots, Mapping) else (each.partition("=")[::2] for each in slots)
    found = {}
    for name, value in pairs:
        if not name or not value:
            remedy = "Write --slot NAME=INPUT, NAME=record or NAME=@FILE."
            raise InputError(f"--slot {name!r} can't be read", remedy=remedy)
        found[_fold(name.strip("{} "))] = value.strip()
    return found


def _take_template(text: str) -> tuple[str, dict[str, str]]:
    """The template and other named texts: of Python source its longest string, of any other file all of it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text, {}
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if not strings or not any(isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef) for node in tree.body):
        return text, {}
    template = max(strings, key=len)
    named = {
        _fold(target.id): node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name) and node.value.value != template
    }
    return template, named


def count_reply_tokens(rubric: Rubric, record: Record) -> int:
    """The room of a reply: more where it writes units for each source, such as questions about each search result."""
    sources = len(record.sources) if any(bank.each_source for bank in rubric.banks) else 0
    return _REPLY_TOKENS + _TOKENS_PER_SOURCE * sources


def build_own_call(prompt: OwnPrompt, ask: WholeAsk) -> Call:
    record = ask.record
    key = CallKey(record.id, ask.id, ask.sample, 0, record.system)
    return Call((Message("user", prompt.fill(record)),), None, count_reply_tokens(ask.rubric, record), None, key)


class OwnPromptJudge(Judge):
    """Sends the user's own prompt and reads the whole reply: one call per record, and one more if it was cut off."""

    def __init__(self, chat: Chat, prompt: OwnPrompt, *, temperature: float | None = 0.0) -> None:
        self._chat = chat
        self._prompt = prompt
        self._temperature = temperature

    @cached_property
    def name(self) -> str:
        return f"{self._chat.name}/own-prompt-{self._prompt.digest}"

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        del record, rubric
        return True

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        raise NotImplementedError("a prompt of one's own is answered by one whole reply")

    async def answer_whole(self, ask: WholeAsk, passages: Passages) -> Mapping[str, Trail]:
        del passages
        call = build_own_call(self._prompt, ask)
        room = call.max_tokens + (_THINKING_TOKENS if self._chat.reasons else 0)
        limit = self._chat.context_tokens
        free = None if limit is None else limit - call.characters // CHARACTERS_PER_TOKEN
        if free is not None and room > free:
            raise TooLong(f"about {room + (limit or 0) - free} tokens do not fit a context of {limit}")
        call, key = replace(call, max_tokens=room, temperature=self._temperature), call.key
        completion = await self._chat.complete(call)
        more = room * _MORE_ROOM if free is None else min(room * _MORE_ROOM, free)
        if completion.finish_reason == "length" and more > room:
            completion, key = await self._complete_again(replace(call, max_tokens=more), completion)
        with reading_reply("the reply"):
            answers = read_whole_reply(completion, ask)
        if not any(each.faults for each in answers.values()):
            self._chat.accept(key)
        return answers

    async def _complete_again(self, call: Call, first: Completion) -> tuple[Completion, CallKey]:
        """The reply in more room, or the first one if there is no other: a recording may hold that alone."""
        again = replace(call, key=replace(call.key, attempt=1))
        try:
            return await self._chat.complete(again), again.key
        except (OverBudget, EndpointDown):
            raise
        except JudgeError:
            return first, call.key

    async def close(self) -> None:
        await self._chat.close()
