"""What targets of the wire, the store and the live pages start from: replies, cells, addresses and forms."""

import base64
import json
from urllib.parse import quote

from fuzz.targets.seeds import joined

# Planted with every call, and in replies: it must never be told.
KEY = "sk-planted/Zq7+wX3kLm9vTb2NcR5yHd8e"
SPELLINGS = (
    KEY, KEY[:18], quote(KEY, safe=""), base64.b64encode(KEY.encode()).decode(),
    base64.b64encode(f"x:{KEY}".encode()).decode()[3:40],
)  # fmt: skip
STATUSES = (200, 400, 429, 500, 401, 404, 413, 422, 503, 529, 301, 402, 403, 408, 409, 201, 599)
_COUNTED, _SAID = ("requests", "tokens"), ("limit", "remaining", "reset")
HEADERS = (
    "Retry-After", "retry-after-ms", "Date", "Content-Encoding",
    *(f"x-ratelimit-{word}-{what}" for what in _COUNTED for word in _SAID),
    *(f"anthropic-ratelimit-{what}-{word}" for what in _COUNTED for word in _SAID),
)  # fmt: skip
API_KEYS = (
    "choices", "message", "content", "text", "refusal", "finish_reason", "usage", "prompt_tokens", "completion_tokens",
    "model", "error", "code", "type", "param", "detail", "loc", "msg", "stop_reason", "input", "input_tokens",
    "output_tokens", "cache_read_input_tokens", "name", "status",
)  # fmt: skip
API_WORDS = (
    *SPELLINGS, "stop", "length", "tool_use", "end_turn", "content_filter", "context_length_exceeded",
    "insufficient_quota", "invalid_api_key", "model_not_found", "max_tokens is not supported", "temperature", "schema",
    "json_validate_failed", "rate_limit_error", "overloaded_error", "unsupported response_format", "tool_choice",
)  # fmt: skip
HEADER_WORDS = (
    "30", "1.5", "6m0s", "12ms", "1h2m3s", "nan", "inf", "-1", "1e400", "2026-01-02T03:05:00Z", "+14:00", "GMT",
    "Fri, 02 Jan 2026 03:05:05 GMT", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00", "+99999999", "999999999d",
)  # fmt: skip
STORE_KEYS = ("$", "v", "a", "int", "float", "tuple", "fraction", "object", "is", "trail", "units", "total", "outcomes")
STORE_WORDS = ("object", "int", "float", "tuple", "fraction", "0x10", "1/3", "-1/2", "inf", "verdict", "failure", "$")
FIELDS = (
    "q", "metric", "status", "flag", "facet", "system", "order", "down", "page", "at", "from", "first",
    "second", "one", "two", "after", "key", "label", "other", "more", "note", "done", "rubric", "judge",
)  # fmt: skip
PAGE_WORDS = (
    "last", "1", "2", "0", "-1", "0,7", "coverage", "fidelity", "total", "id", "supported", "absent", "ok", "ann", "",
    "99999999", "a=b", "%3Czz%3E", "<zz zz=1>", "\" zz='", "//zz.example", "javascript:zz", "\ud800",
)  # fmt: skip
PATHS = (
    "/", "/compare", "/compare/records", "/runs/{}", "/runs/{}/summary", "/runs/{}/rubric", "/runs/{}/records/{}",
    "/runs/{}/records/{}/raw", "/judges", "/label", "/done", "/{}/{}/{}", "/static/{}",
)  # fmt: skip
REQUEST_HEADERS = ("host", "cookie", "origin", "sec-fetch-site", "content-type", "content-length")
KINDS = (
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=zz", "multipart/form-data", "text/plain", "",
    "application/x-www-form-urlencoded; charset=utf-16",
)  # fmt: skip
_BODIES: tuple[object, ...] = (
    {
        "model": "m", "choices": [{"message": {"content": '{"grade": 4}'}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 7},
    },
    {"choices": [{"message": {"content": [{"type": "text", "text": "a"}], "refusal": None}}], "usage": None},
    {
        "content": [{"type": "tool_use", "input": {"grade": 4}}], "stop_reason": "tool_use", "model": "m",
        "usage": {"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 4},
    },
    {"content": [{"type": "text", "text": "I would rather not."}], "stop_reason": "refusal"},
    {"error": {"message": f"Incorrect API key provided: {KEY}.", "type": "auth", "code": "invalid_api_key"}},
    {"error": {"message": "max_tokens is not supported, use max_completion_tokens", "param": "max_tokens"}},
    {"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}},
    {"detail": [{"loc": ["body", "temperature"], "msg": "not permitted", "input": KEY}]},
    {"error": {"code": 503, "message": "upstream"}}, "bare words",
)  # fmt: skip


def http_replies() -> tuple[bytes, ...]:
    written = [json.dumps(body) for body in _BODIES]
    plain = [joined(api, 0, status, 0, 0, body) for api in (0, 1) for status in (0, 1, 2, 4) for body in written]
    waiting = joined(0, 1, 2, 2, 0, "30", 4, "100", 0, "", 0, 0, 0, written[0])
    odd = (f"<html>{KEY}</html>\x1b[31m", "Basic " + SPELLINGS[3], "{", "[]", "null", '{"error": "' + "x" * 3000)
    return (*plain, waiting, *(joined(0, 0, 3, 0, 0, body) for body in odd), bytes(range(1, 250)))


def http_headers() -> tuple[bytes, ...]:
    waits = [joined(1, name, word) for name in (0, 1) for word in HEADER_WORDS]
    left = [
        joined(4, 4 + at, "100", 5 + at, "0", 6 + at, word, 2, HEADER_WORDS[10])
        for at in (0, 3, 6, 9)
        for word in HEADER_WORDS
    ]
    return (*waits, *left)


def stored_cards() -> tuple[bytes, ...]:
    return (
        joined("A claim.", "Another", bytes(range(200))), joined("\ud800 half", "", bytes(range(255, 0, -3))),
        joined("x" * 400, "y" * 400, b"\x04\x02\x03"), joined("", "", b""),
    )  # fmt: skip


def damaged_cells() -> tuple[bytes, ...]:
    steps = bytes(range(1, 40))
    cards = [bytes([kind, *steps[at : at + 8], 0, at]) for kind in (0, 2) for at in range(0, 30, 3)]
    columns = [joined(3, at, b"r[]", 2) + joined(3, at, "2026-01-02", 1) for at in range(12)]
    cells = [
        joined(5, cell) for cell in (b"rplain", b"z\x78\x01", b"?", b"", b"\xed\xa0\x80", b'{"a": [1]}', b"[" * 999)
    ]
    return (*cards, *columns, *cells, b"\x04" + bytes(range(60)))


def addresses() -> tuple[bytes, ...]:
    pages = [joined(at, 0, 0, 0, 1, 0, 1, 0) for at in range(len(PATHS))]
    named = [joined(3, 0, 0, 0, 1, at, 0, word) for at in range(14) for word in (1, 5, 6, 18)]
    compared = [joined(at, 0, 4, 13, 0, 0, 14, 0, 0, 15, 0, 1, 16, 0, 1) for at in (1, 2)]
    return (*pages, *named, *compared)


def forms() -> tuple[bytes, ...]:
    said = "label=supported&note=n&other=0.5"
    multipart = '--zz\r\nContent-Disposition: form-data; name="label"\r\n\r\nabsent\r\n--zz--\r\n'
    by = (2, 0, 0)
    return (
        joined(*by, 0, 1, said), joined(*by, 0, 1, f"{said}&key=planted-write-key"),
        *(joined(way, 0, 1, "done=1&key=planted-write-key") for way in (0, 1)), joined(*by, 1, 1, multipart),
        *(joined(*by, 0, 0, 0, 2, field, 0, word, 16, 0, 24) for field in range(19, 24) for word in range(14)),
    )  # fmt: skip


def visits() -> tuple[bytes, ...]:
    return (
        joined(0, 1, 0, 1, "/", 0, 0), joined(0, 1, 0, 1, "/runs/last", 0, 0),
        joined(1, 1, 1, 2, "http://127.0.0.1:8765", 1, "/done", 0, 0),
        joined(1, 1, 2, 2, "null", 3, "same-origin", 1, "/label/1/0", 0, 0),
        joined(0, 0, 1, 0, "evil.example", 0, "//zz.example", 0, 0),
    )  # fmt: skip
