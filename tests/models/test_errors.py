"""The tree of errors, and how an endpoint's complaint finds its place in it."""

import json
import pickle
from datetime import UTC, datetime
from functools import partial
from urllib.parse import quote, quote_plus

import pytest

from assay import errors
from assay.models.responses import clean, read_error_reply, read_retry_after
from assay.models.secrets import find_secrets


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (errors.InputError("the field is blank"), "the field is blank."),
        (
            errors.InputError("`ask` is missing", path="r.jsonl", line=3, remedy="Write an ask"),
            "r.jsonl:3: `ask` is missing. Write an ask.",
        ),
        (
            errors.InputError("No such file.", path="r.jsonl", remedy="Did you mean s.jsonl?"),
            "r.jsonl: No such file. Did you mean s.jsonl?",
        ),
    ],
)
def test_an_input_error_says_where_what_and_what_instead(error, text):
    assert str(error) == text


def test_errors_survive_a_process_boundary():
    error = pickle.loads(pickle.dumps(errors.InputError("bad", path="f", line=2, remedy="Fix it")))  # noqa: S301  # our own bytes
    assert str(error) == "f:2: bad. Fix it."
    limited = pickle.loads(pickle.dumps(errors.RateLimited("slow down", retry_after_seconds=3.0)))  # noqa: S301  # our own bytes
    assert limited.retry_after_seconds == 3.0


def test_a_refused_key_is_not_a_judge_error():
    assert not issubclass(errors.KeyRefused, errors.JudgeError)
    assert not issubclass(errors.UnknownModel, errors.JudgeError)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, {"code": "context_length_exceeded", "message": "too much"}, errors.TooLong),
        (400, {"message": "request (9031 tokens) exceeds the available context size (8192 tokens)"}, errors.TooLong),
        (400, {"message": "prompt is too long: 250000 tokens > 200000 maximum"}, errors.TooLong),
        (500, {"message": "Context size has been exceeded."}, errors.TooLong),
        (413, {"type": "request_too_large"}, errors.TooLong),
        (400, {"code": "content_filter", "message": "triggering the content management policy"}, errors.Refused),
        (403, {"message": "your input was flagged by moderation"}, errors.Refused),
        (401, {"message": "no"}, errors.KeyRefused),
        (403, {"message": "no"}, errors.KeyRefused),
        (402, {"message": "pay first"}, errors.KeyRefused),
        (400, {"message": "API key not valid. Please pass a valid one."}, errors.KeyRefused),
        (400, {"message": "Your credit balance is too low"}, errors.KeyRefused),
        (429, {"code": "insufficient_quota", "message": "You exceeded your current quota"}, errors.KeyRefused),
        (429, {"message": "slow down"}, errors.RateLimited),
        (429, {"message": "too many tokens for your context window tier, wait"}, errors.RateLimited),
        (404, {"code": "model_not_found"}, errors.UnknownModel),
        (400, {"message": "The model `tiny` does not exist"}, errors.UnknownModel),
        (400, {"code": "json_validate_failed", "message": "Failed to generate JSON"}, errors.Malformed),
        (408, {}, errors.TimedOut),
        (409, {}, errors.Unreachable),
        (503, {"message": "loading the model"}, errors.Unreachable),
        (529, {"type": "overloaded_error"}, errors.Unreachable),
        (400, {"message": "messages must alternate"}, errors.Rejected),
        (405, {}, errors.Rejected),
        (301, {}, errors.InputError),
    ],
)
def test_a_complaint_finds_its_place_in_the_tree(status, error, kind):
    complaint = read_error_reply(status, json.dumps({"error": error}).encode(), find_secrets())
    assert type(complaint.as_error("http://host/v1", "SOME_KEY")) is kind


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"error": {"message": "one"}}', "one"),
        (b'{"error": "two"}', "two"),
        (b'{"message": "three"}', "three"),
        (b'{"detail": "four"}', "four"),
        (
            b'{"detail": [{"loc": ["body", "model"], "msg": "field required", "input": "x"}]}',
            "body.model: field required",
        ),
        (b"<html>five</html>", "<html>five</html>"),
        (b'["six"]', "['six']"),
        (b"", ""),
        (b"\xff\xfe", "��"),
    ],
)
def test_every_shape_of_complaint_is_read(body, message):
    expected = message if body != b'["six"]' else "six"
    assert read_error_reply(500, body, find_secrets()).message == expected


def test_a_key_is_blotted_out_even_where_clipping_would_cut_it():
    secret = "sk-0123456789"
    body = json.dumps({"error": {"message": "x" * 1_995 + secret}}).encode()
    assert "sk-01" not in read_error_reply(500, body, find_secrets(secret)).message


@pytest.mark.parametrize("encode", [quote, quote_plus, partial(quote, safe="")])
@pytest.mark.parametrize("key", ["sk-planted/Zq7+wX3kLm9vTb2NcR5yHd8e", "sk-planted-aaaa/+/+/+/+/+/+/+/+bcdef"])
def test_a_percent_encoded_key_is_blotted_out_wherever_it_is_clipped(encode, key):
    echoed, half = encode(key), encode(key[: len(key) // 2])
    secrets = find_secrets(key)
    for end in range(len(half), len(echoed) + 1):
        assert secrets.redact(f"?key={echoed[:end]} is wrong") == "?key=[key] is wrong"


def test_a_servers_words_cannot_drive_the_terminal():
    assert clean("\x1b[31mred\x1b[0m\r\nline\u202etxet") == "[31mred [0m line txet"


def test_a_huge_complaint_is_read_to_its_end():
    body = json.dumps({"error": {"message": "model " * 900_000}}).encode()
    complaint = read_error_reply(400, body, find_secrets("sk-0123456789"))
    assert type(complaint.as_error("http://host", "SOME_KEY")) is errors.Rejected
    assert len(str(complaint.as_error("http://host", "SOME_KEY"))) < 400


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "3"}, 3.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After": "-4"}, 0.0),
        ({"Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"}, 37.0),
        ({"Retry-After": "Sun, 06 Nov 1994 08:48:00 GMT"}, 0.0),
        ({"Retry-After": "Sun, 06 Nov 1994 08:49:37 -0000"}, 37.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "nan"}, None),
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_from_seconds_or_a_date(headers, seconds):
    assert read_retry_after(headers, now=datetime(1994, 11, 6, 8, 49, 0, tzinfo=UTC)) == seconds
