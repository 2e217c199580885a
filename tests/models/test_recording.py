import asyncio
import contextlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from assay import errors
from assay.models.chat import CallKey, Completion, Usage
from assay.models.openai import OpenAIChat
from assay.models.recording import Recorder, Recording
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, answer_by_schema

USAGE = {"prompt_tokens": 1, "completion_tokens": 2}


@pytest.fixture
def write(tmp_path):
    def write_lines(*lines):
        path = tmp_path / "replies.jsonl"
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
        return path

    return write_lines


def ask(chat, call, **key):
    return asyncio.run(chat.complete(replace(call, key=CallKey(**{"record": "r", "ask": "a", **key}))))


def line(text, **more):
    return {"record": "r", "ask": "a", "text": text, **more}


def test_a_line_needs_only_a_record_an_ask_and_a_text(write, call):
    recording = Recording(write(line("hello")))
    assert ask(recording, call) == Completion("hello", "stop", None)


def test_samples_are_apart(write, call):
    recording = Recording(write(line("one", sample=1), line("zero", sample=0)))
    assert [ask(recording, call, sample=sample).text for sample in (0, 1)] == ["zero", "one"]


def test_the_second_line_answers_the_second_attempt(write, call):
    recording = Recording(write(line("first"), line("other", ask="b"), line("second")))
    assert [ask(recording, call, attempt=attempt).text for attempt in (0, 1)] == ["first", "second"]
    assert ask(recording, call, attempt=0).text == "first", "an answer is not used up"


def test_an_attempt_may_be_written_out(write, call):
    recording = Recording(write(line("third", attempt=2), line("first", attempt=0)))
    assert [ask(recording, call, attempt=attempt).text for attempt in (0, 2)] == ["first", "third"]
    with pytest.raises(errors.NotRecorded):
        ask(recording, call, attempt=1)


@pytest.mark.parametrize("key", [{"record": "x"}, {"ask": "x"}, {"sample": 1}, {"attempt": 1}])
def test_what_is_not_recorded_is_a_failure_no_retry_mends(write, call, key):
    recording = Recording(write(line("only")))
    with pytest.raises(errors.NotRecorded) as caught:
        ask(recording, call, **key)
    assert (caught.value.status, caught.value.retry_helps) == ("unreachable", False)
    wanted = {"record": "r", "ask": "a", **key}
    for part in (wanted["record"], wanted["ask"], "replies.jsonl"):
        assert str(part) in str(caught.value)


def test_a_recording_knows_what_it_has(write):
    recording = Recording(write(line("x", sample=4)))
    assert recording.has("r", "a")
    assert not recording.has("r", "b")
    assert not recording.has("s", "a")


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"ask": "a", "text": "t"}', "has no `record`"),
        ('{"record": 7, "ask": "a", "text": "t"}', "`record` that is not a string"),
        ('{"record": "r", "text": "t"}', "has no `ask`"),
        ('{"record": "r", "ask": "a", "text": null}', "has no `text`"),
        ('{"record": "r", "ask": "a", "text": {"score": 1}}', "`text` that is not a string"),
        ('{"record": "r", "ask": "a", "text": "t", "sample": "0"}', "`sample` that is not a whole number"),
        ('{"record": "r", "ask": "a", "text": "t", "sample": -1}', "`sample` that is not a whole number"),
        ('{"record": "r", "ask": "a", "text": "t", "attempt": true}', "`attempt` that is not a whole number"),
        ('{"record": "r", "ask": "a", "text": "t", "status": "lost"}', "`status` other than"),
    ],
)
def test_a_bad_line_is_named_with_what_to_write(write, bad, fault):
    path = write(line("fine"), "", bad, "")
    with pytest.raises(errors.InputError) as caught:
        Recording(path)
    assert fault in str(caught.value)
    assert (caught.value.path, caught.value.line) == (str(path), 3)
    assert '"record": "a-17"' in str(caught.value)


def test_one_attempt_cannot_have_two_answers(write):
    with pytest.raises(errors.InputError, match="appears twice"):
        Recording(write(line("x", attempt=0), line("y", attempt=0)))


def test_a_line_separator_inside_a_text_does_not_end_the_line(write, call):
    path = write('{"record": "r", "ask": "a", "text": "one\u2028two\x85three"}')
    assert ask(Recording(path), call).text == "one\u2028two\x85three"


def test_an_edited_file_is_another_judge(write):
    before = Recording(write(line("x"))).name
    assert Recording(write(line("y"))).name != before


def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path):
    with pytest.raises(errors.InputError, match="cannot be read"):
        Recording(tmp_path)


def test_a_recorded_run_replays_exactly(tmp_path, call):
    path = tmp_path / "run.jsonl"
    calls = [
        replace(
            call,
            messages=(replace(call.messages[1], text=f"Claim {record}"),),
            key=CallKey(record, "a", sample, attempt),
        )
        for record in ("r1", "r2", "r3", "r4")
        for sample in (0, 1)
        for attempt in (0, 1)
    ]
    faults = [
        FaultRule(Fault.CUT, containing="Claim r2"),
        FaultRule(Fault.REFUSAL, always=True, containing="Claim r3"),
        FaultRule(Fault.TOO_LONG, always=True, containing="Claim r4"),
    ]

    async def outcome_of(chat, one):
        try:
            return await chat.complete(one)
        except errors.JudgeError as error:
            return type(error), str(error)

    async def record():
        async with ScriptedServer(answer_by_schema(seed=1), faults) as server:
            chat = Recorder(OpenAIChat("small", base_url=server.base_url), path)
            outcomes = [await outcome_of(chat, one) for one in calls]
            await chat.close()
            return outcomes

    async def replay():
        recording = Recording(path)
        return [await outcome_of(recording, one) for one in calls]

    live = asyncio.run(record())
    assert asyncio.run(replay()) == live
    assert {getattr(outcome, "finish_reason", "error") for outcome in live} == {"stop", "length", "refusal", "error"}


def test_a_call_sent_twice_over_a_bad_connection_replays_as_sent_once(tmp_path, call):
    path = tmp_path / "run.jsonl"

    async def record():
        async with ScriptedServer(faults=[Fault.SERVER_ERROR]) as server:
            chat = Recorder(OpenAIChat("small", base_url=server.base_url), path)
            with pytest.raises(errors.Unreachable):
                await chat.complete(call)
            completion = await chat.complete(replace(call, key=replace(call.key, attempt=1)))
            await chat.close()
            return completion

    live = asyncio.run(record())
    assert asyncio.run(Recording(path).complete(call)) == live


def test_a_recorder_keeps_the_name_and_adds_to_a_file_cut_off_in_mid_line(write, call):
    path = write(line("old"))  # without a newline at its end
    fixed = Recording(write(line("new", usage=USAGE, dropped=["temperature"])))
    path.write_text(json.dumps(line("old")), "utf-8")
    recorder = Recorder(fixed, path)
    assert recorder.name == fixed.name

    async def run():
        await recorder.complete(replace(call, key=CallKey("r", "a")))
        await recorder.close()

    asyncio.run(run())
    replayed = Recording(path)
    assert ask(replayed, call).text == "old"
    assert ask(replayed, call, attempt=1) == Completion("new", "stop", Usage(1, 2), "", ("temperature",))


def test_a_line_that_a_full_disk_tore_is_skipped_with_a_warning_and_cut_off_by_the_next_recording(write, call):
    fixed = Recording(write(line("new")))
    path = write(line("old"), json.dumps(line("torn"))[:-9])
    with pytest.warns(RuntimeWarning, match="the last line is incomplete"):
        assert ask(Recording(path), call).text == "old"

    async def record():
        recorder = Recorder(fixed, path)
        await recorder.complete(replace(call, key=CallKey("r", "a")))
        await recorder.close()

    asyncio.run(record())
    again = Recording(path)
    assert [ask(again, call, attempt=number).text for number in range(2)] == ["old", "new"]


def test_a_recorder_that_cannot_write_says_so_before_any_call(tmp_path, write):
    with pytest.raises(errors.InputError, match="cannot be written"):
        Recorder(Recording(write(line("x"))), tmp_path / "nowhere" / "run.jsonl")


def test_a_recorder_knows_what_the_recording_behind_it_holds(write, tmp_path):
    fixed = Recording(write(line("new")))
    recorder = Recorder(fixed, tmp_path / "again.jsonl")
    known = line("new")
    assert recorder.has(known["record"], known["ask"])
    assert not recorder.has(known["record"], "other")
    asyncio.run(recorder.close())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_stops_the_recording_with_a_word_and_closes_the_chat_behind_it(write, call):
    class Closing(Recording):
        is_closed = False

        async def close(self):
            self.is_closed = True

    fixed = Closing(write(line("new")))
    recorder = Recorder(fixed, Path("/dev/full"))

    async def run():
        with pytest.raises(errors.InputError, match="cannot be written"):
            await recorder.complete(replace(call, key=CallKey("r", "a")))
        with contextlib.suppress(errors.InputError):
            await recorder.close()

    asyncio.run(run())
    assert fixed.is_closed
