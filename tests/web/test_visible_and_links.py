"""Nothing hidden stays hidden, and only a web address may be followed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.report.display import show_hidden
from assay.web.rendering import find_link


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u202eb\u202c", "a‹U+202E›b‹U+202C›"),
        ("\u2066x\u2069", "‹U+2066›x‹U+2069›"),
        ("nul\x00", "nul␀"),
        ("lone \ud800", "lone \ufffd"),
        ("tag\U000e0041", "tag‹U+E0041›"),
        ("line\r\nnext\ttab", "line\nnext\ttab"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zero‹U+200B›width"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert show_hidden(text) == shown


@settings(deadline=None, derandomize=True)
@given(st.text(st.characters(exclude_categories=())))
def test_every_shown_text_is_utf8_without_overrides(text: str) -> None:
    shown = show_hidden(text)
    shown.encode("utf-8")
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00\x1b")
    assert show_hidden(shown) == shown


@pytest.mark.parametrize("address", ["https://example.org/a?b=c#d", "HTTP://example.org", " https://example.org/x "])
def test_a_web_address_is_a_link(address: str) -> None:
    assert find_link(address) == address.strip()


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//example.org/x",
        "/local",
        "https:",
        "https:///path",
        "http://[broken",
        "https://exam ple.org",
        "https:\\\\example.org",
        "mailto:someone@example.org",
        "https://example.org/" + "x" * 2_000,
    ],
)
def test_everything_else_is_text(address: str | None) -> None:
    assert find_link(address) is None
