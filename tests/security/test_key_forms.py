"""Which words are taken for a key, and which are left as they are."""

import base64
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models.secrets import find_query_secrets, find_secrets, hide_secrets

KEY = "sk-proj-Ab/9+x_yZ0123456789abcdefQQ"
keys = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=80)


@settings(deadline=None, derandomize=True)
@given(keys, st.binary(max_size=9), st.binary(max_size=9))
def test_a_key_is_blotted_out_wherever_base64_puts_it(key: str, before: bytes, after: bytes):
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        text = encode(before + key.encode() + after).decode()
        assert len(find_secrets(key).redact(text)) < len(text)


@settings(deadline=None, derandomize=True)
@given(keys, st.text(max_size=9), st.text(max_size=9))
def test_a_key_is_blotted_out_as_it_is_and_percent_encoded(key: str, before: str, after: str):
    secrets = find_secrets(key)
    assert "[key]" in secrets.redact(before + key + after)
    assert "[key]" in secrets.redact(before + quote(key, safe="") + after)


def test_half_a_key_is_blotted_out_too():
    assert find_secrets(KEY).redact(f"Incorrect key: {KEY[:25]}…") == "Incorrect key: [key]…"


@pytest.mark.parametrize("key", [None, "", "none", "EMPTY", "ollama"])
def test_a_word_that_stands_in_for_a_key_spoils_no_reply(key: str | None):
    text = "none of the EMPTY claims by ollama hold"
    assert find_secrets(key).redact(text) == text


def test_a_prefix_that_all_keys_share_is_no_secret():
    assert find_secrets(KEY).redact("keys begin with sk-proj- here") == "keys begin with sk-proj- here"


def test_a_secret_is_in_no_representation():
    assert KEY not in repr(find_secrets(KEY))


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://h/v1", ()),
        ("http://h/v1?api-version=2026-01-01", ()),
        ("http://h/v1?api-key=abc", ("abc",)),
        ("http://h/v1?sig=a%2Fb&v=1", ("a%2Fb", "a/b")),
        ("http://h/v1?x=0123456789abcdef0123", ("0123456789abcdef0123",)),
    ],
)
def test_the_secrets_of_a_query_are_known_by_name_or_length(address: str, found: tuple[str, ...]):
    assert find_query_secrets(address) == found


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://h:8000/v1", "http://h:8000/v1"),
        ("https//user:pass@h/v1", "h/v1"),
        ("htp://h/v1?token=abc&v=1", "htp://h/v1?token=[key]&v=1"),
        ("--base-url=http://h/v1?key=a", "--base-url=http://h/v1?key=[key]"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str, shown: str):
    assert hide_secrets(address) == shown


def test_a_long_text_of_near_misses_ends():
    text = (KEY[:20] + "!") * 100_000 + "@" * 100_000
    assert find_secrets(KEY).redact(text)
    assert hide_secrets(text) == ""
