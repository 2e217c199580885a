"""Replies kept in a file of JSON lines: written while a model answers, or read in its place."""

import asyncio
import hashlib
import warnings
from collections import defaultdict, deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from assay import errors
from assay.models.chat import Call, CallKey, Chat, Completion, WrappedChat, read_finish_reason, read_usage
from assay.models.wire import encode
from assay.private_files import open_private
from assay.replies.strict import holds_torn, parse_strictly

_EXAMPLE = '{"record": "a-17", "ask": "…", "sample": 0, "text": "…", "finish_reason": "stop"}'
# Failures that belong to the record and are replayed. Others were due to the connection at the time.
_LASTING: dict[str, type[errors.JudgeError]] = {"too_long": errors.TooLong, "refused": errors.Refused}


class Recording:
    """Answers from a file, by record, ask, sample and attempt; the texts sent are not looked at.

    A line without an `attempt` answers the next attempt: the second line of the same record, ask and sample is what
    came back when it was asked once more. The name holds a digest of the file, so an edited file is another judge.
    """

    context_tokens: int | None = None
    reasons = False
    shares_schema = False
    replays = True

    def __init__(self, path: Path) -> None:
        try:
            content = path.read_bytes()
        except OSError as error:
            remedy = "Write recorded:FILE with a file of JSON lines"
            raise errors.InputError(f"cannot be read ({error.strerror})", path=str(path), remedy=remedy) from None
        self.path = path
        self.name = f"recorded:{path.name}@{hashlib.sha256(content).hexdigest()[:12]}"
        self._answers = defaultdict[tuple[str, str | None, str, int], dict[int, Completion | errors.JudgeError]](dict)
        lines = content.split(b"\n")
        if _is_torn(lines[-1]):
            message = f"{path}: the last line is incomplete, as after a full disk, and was skipped"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            lines.pop()
        for number, line in enumerate(lines, start=1):
            if line.strip():
                self._add(_read_line(line, path, number), number)
        self._asks = {(record, ask) for record, _, ask, _ in self._answers}

    def has(self, record: str, ask: str) -> bool:
        return (record, ask) in self._asks

    async def complete(self, call: Call) -> Completion:
        await asyncio.sleep(0)  # a long replay must not keep the event loop to itself
        key = call.key
        answer = self._find(key)
        if answer is None:
            wanted = f'record "{key.record}", ask "{key.ask}", sample {key.sample}, attempt {key.attempt}'
            raise errors.NotRecorded(f"{self.path} holds no reply for {wanted}")
        if isinstance(answer, errors.JudgeError):
            raise type(answer)(str(answer))
        return answer

    def accept(self, key: CallKey) -> None:
        """All that is kept is in the file already."""

    async def close(self) -> None:
        """Nothing is open."""

    def _find(self, key: CallKey) -> Completion | errors.JudgeError | None:
        """A line that names a system answers for that system; one that names none answers for all."""
        for system in dict.fromkeys((key.system, None)):
            if (attempts := self._answers.get((key.record, system, key.ask, key.sample))) is not None:
                return attempts.get(key.attempt)
        return None

    def _add(self, line: dict[str, Any], number: int) -> None:
        key = CallKey(line["record"], line["ask"], line.get("sample", 0), system=line.get("system"))
        attempts = self._answers[key.record, key.system, key.ask, key.sample]
        given = line.get("attempt")
        attempt = max(attempts, default=-1) + 1 if given is None else given
        if attempt in attempts:
            raise errors.InputError(
                f'attempt {attempt} of record "{key.record}", ask "{key.ask}", sample {key.sample} appears twice',
                path=str(self.path),
                line=number,
                remedy="Leave `attempt` out to use the lines in their order",
            )
        attempts[attempt] = _read_answer(line)


class Recorder(WrappedChat):
    """Passes every call on and keeps what came back, so that a run can be replayed exactly.

    Lines carry no `attempt`: a call that had to be sent twice over a bad connection replays as one that was sent once.
    """

    def __init__(self, chat: Chat, path: Path) -> None:
        self.chat = chat
        self._path = path
        self.replays = isinstance(chat, Recording)
        try:
            self._file = open(path, "a+b", opener=open_private)  # noqa: SIM115  # until `close`
        except OSError as error:
            remedy = "Write a path in an existing, writable folder"
            raise errors.InputError(f"cannot be written ({error.strerror})", path=str(path), remedy=remedy) from None
        self._repair_last_line()

    def has(self, record: str, ask: str) -> bool:
        """Whether the reply is in the recording that is passed on; what is asked of an endpoint is in none."""
        return isinstance(self.chat, Recording) and self.chat.has(record, ask)

    async def complete(self, call: Call) -> Completion:
        try:
            completion = await self.chat.complete(call)
        except tuple(_LASTING.values()) as error:
            self._write(call.key, {"text": str(error), "finish_reason": "other", "status": error.status})
            raise
        reply = {name: value for name, value in asdict(completion).items() if value not in (None, ())}
        self._write(call.key, reply)
        return completion

    def accept(self, key: CallKey) -> None:
        self.chat.accept(key)

    async def close(self) -> None:
        try:
            self._file.close()
        except OSError as error:
            raise self._explain(error) from None
        finally:
            await self.chat.close()

    def _write(self, key: CallKey, reply: dict[str, object]) -> None:
        system = {} if key.system is None else {"system": key.system}
        line = {"record": key.record, **system, "ask": key.ask, "sample": key.sample, **reply}
        try:
            self._file.write(encode(line) + b"\n")
            self._file.flush()
        except OSError as error:
            raise self._explain(error) from None

    def _explain(self, error: OSError) -> errors.InputError:
        remedy = "Make room, or go on without --record"
        return errors.InputError(f"cannot be written ({error.strerror})", path=str(self._path), remedy=remedy)

    def _repair_last_line(self) -> None:
        """Cuts off an incomplete last line, such as one on a full disk, so that the next line can be read."""
        if not self._path.is_file():  # a device has no last line
            return
        self._file.seek(0)
        [last] = deque(self._file, maxlen=1) or [b""]
        if _is_torn(last):
            self._file.truncate(self._file.tell() - len(last))
        elif last and not last.endswith(b"\n"):
            self._file.write(b"\n")


def _is_torn(last: bytes) -> bool:
    """Whether a last line is the beginning of an object and has no end, as a full disk leaves it."""
    if not last.startswith(b"{"):
        return False
    try:
        orjson.loads(last)
    except orjson.JSONDecodeError:
        return not last.endswith(b"\n")
    return False


def _read_line(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        value: Any = parse_strictly(line)
        fault = _find_fault(value)
    except ValueError as error:
        value, fault = {}, f"is not JSON ({error})"
    if fault is not None:
        raise errors.InputError(f"the line {fault}", path=str(path), line=number, remedy=f"Write {_EXAMPLE}")
    return dict(value)


def _find_fault(value: Any) -> str | None:
    if not isinstance(value, dict):
        return "is not a JSON object"
    if holds_torn(value):
        return "has a key twice with different contents"
    for field in ("record", "ask", "text"):
        if not isinstance(value.get(field), str):
            return f"has no `{field}`" if value.get(field) is None else f"has a `{field}` that is not a string"
    if not isinstance(value.get("system"), str | None):
        return "has a `system` that is not a string"
    for field in ("sample", "attempt"):
        count = value.get(field, 0)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            return f"has a `{field}` that is not a whole number from 0"
    if value.get("status") is not None and value["status"] not in list(_LASTING):
        return f"has a `status` other than {', '.join(_LASTING)}"
    return None


def _read_answer(value: dict[str, Any]) -> Completion | errors.JudgeError:
    if value.get("status") is not None:
        return _LASTING[value["status"]](value["text"])
    dropped, model = value.get("dropped"), value.get("model")
    return Completion(
        text=value["text"],
        finish_reason=read_finish_reason(value.get("finish_reason", "stop")),
        usage=read_usage(value.get("usage")),
        model=model if isinstance(model, str) else "",
        dropped=tuple(item for item in dropped if isinstance(item, str)) if isinstance(dropped, list) else (),
    )
