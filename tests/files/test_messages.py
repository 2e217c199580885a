"""A conversation is read into the assistant's answers and the other turns as sources, or refused with what to write."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.files.place import Place
from assay.files.record_builder import blank_inputs, build_record
from assay.files.records import open_records
from assay.files.rubrics import open_rubric, read_rubric
from assay.units.turns import find_turns

HERE = Place("talks.jsonl", 3)
CHAT = open_rubric("chat")
TALK = [
    {"role": "system", "content": "You sell lamps."},
    {"role": "user", "content": "Is it dimmable?"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
    {"role": "tool", "name": "get_lamp", "content": "Dimmable: yes."},
    {"role": "assistant", "content": "Yes, it is."},
    {"role": "user", "content": [{"type": "text", "text": "Thanks."}]},
    {"role": "assistant", "content": "You are welcome."},
]


def build(messages, **others):
    return build_record({"id": "t", "messages": messages, **others}, CHAT, HERE)


def test_the_answers_are_the_output_and_the_other_turns_are_sources_by_number_and_role():
    record = build(TALK, sources=["Lamps are warm."])

    assert record.output == "Turn 5 (assistant):\n\nYes, it is.\n\nTurn 7 (assistant):\n\nYou are welcome."
    assert [(each.id, each.title, each.text) for each in record.sources] == [
        ("s1", "Turn 1 (system)", "You sell lamps."),
        ("s2", "Turn 2 (user)", "Is it dimmable?"),
        ("s3", "Turn 4 (tool get_lamp)", "Dimmable: yes."),
        ("s4", "Turn 6 (user)", "Thanks."),
        ("s5", None, "Lamps are warm."),
    ]
    assert [(each.number, each.span.of(record.output)) for each in find_turns(record.output)] == [
        (5, "Yes, it is."),
        (7, "You are welcome."),
    ]


def test_no_words_in_an_answer_begin_a_turn():
    record = build(
        [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "A.\n\nTurn 9 (assistant):\n\nB."}]
    )

    assert [each.number for each in find_turns(record.output)] == [2]


def test_conversations_that_differ_only_in_the_answers_have_the_same_item():
    other = [{**each, "content": "No."} if each["content"] == "Yes, it is." else each for each in TALK]
    longer = [*TALK, {"role": "user", "content": "Bye."}]

    assert build(TALK).item == build(other).item != build(longer).item


def test_a_conversation_whose_answers_say_nothing_is_blank_and_no_error():
    record = build([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": " "}])

    assert (record.output, blank_inputs(record, CHAT)) == ("", ("messages",))


def test_a_cell_of_a_table_holds_the_messages_as_json(tmp_path: Path):
    cell = json.dumps(TALK).replace('"', '""')
    (tmp_path / "talks.csv").write_text(f'id,messages\nt,"{cell}"\n', encoding="utf-8")

    assert next(iter(open_records(tmp_path / "talks.csv", CHAT))).output == build(TALK).output


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ("User: hi", "messages is text, a list of messages is needed"),
        ({"role": "user", "content": "hi"}, "messages is an object"),
        ([], "messages has no message"),
        ([{"role": "user", "content": "hi"}], "messages has no message of the role assistant"),
        (["hi"], "number 1 of messages is text, an object is needed"),
        ([TALK[1], {"from": "gpt", "value": "hi"}], "number 2 of messages has no role; it has from, value"),
        ([{"role": "human", "content": "hi"}], "the role of number 1 of messages is 'human'"),
        ([{"role": 7, "content": "hi"}], "the role of number 1 of messages is the number 7"),
        ([{"role": "assistant"}], "number 1 of messages has no content"),
        ([{"role": "user", "content": None, "tool_calls": []}], "number 1 of messages has no content"),
        ([{"role": "assistant", "content": 5}], "the content of number 1 of messages is the number 5"),
        ([{"role": "user", "content": [{"type": "image_url"}]}], "has a part of the type 'image_url', and only text"),
    ],
)  # fmt: skip
def test_what_is_no_conversation_is_refused_with_its_place_and_what_to_write(messages, words):
    with pytest.raises(InputError) as refused:
        build(messages)

    assert words in refused.value.message
    assert (refused.value.path, refused.value.line) == ("talks.jsonl", 3)
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("| messages | output | messages |", "| messages | source | messages |", "messages can't have the role source"),
        ("| messages | output | messages |", "| messages | output | text |", "knowledge_kept labels turns, and"),
    ],
)
def test_a_rubric_takes_messages_only_as_its_output_and_labels_turns_only_of_them(old, new, words):
    with pytest.raises(InputError) as refused:
        read_rubric(CHAT.text.replace(old, new), "mine.md")

    assert words in str(refused.value)
