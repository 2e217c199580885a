"""Which words are taken for a key, and which are left as they are."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models.secrets import find_address_secrets, find_login_secrets, find_secrets, hide_secrets

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


def escape_all(text: str) -> str:
    return "".join(f"\\u{ord(letter):04X}" for letter in text)


@settings(deadline=None, derandomize=True)
@given(keys, st.text(max_size=9), st.text(max_size=9))
def test_a_key_is_blotted_out_in_every_way_of_escaping_it(key: str, before: str, after: str):
    secrets = find_secrets(key)
    spelled = (
        escape_all(key),
        key.upper(),
        key.swapcase(),
        json.dumps(escape_all(key))[1:-1],
        json.dumps(key)[1:-1].replace("/", "\\/"),
        quote(quote(key, safe=""), safe=""),
        html.escape(key),
        "".join(f"&#{ord(letter)};" for letter in key),
    )
    for form in spelled:
        redacted = secrets.redact(f"{before} {form} {after}")
        assert "[key]" in redacted, form
        assert form not in redacted


def test_json_that_holds_a_key_stays_json_and_keeps_its_other_escapes():
    text = '{"note": "line\\n\\"you sent ' + escape_all(KEY) + '\\" \\u00e9 50%25", "next": "\\\\"}'
    assert find_secrets(KEY).redact(text) == text.replace(escape_all(KEY), "[key]")
    assert json.loads(find_secrets(KEY).redact(text))["note"] == 'line\n"you sent [key]" é 50%25'


def test_a_login_is_blotted_out_as_a_header_holds_it():
    secrets = find_secrets(*find_login_secrets("http://someone:pa%2Fss%3Aword@proxy:3128"))
    header = base64.b64encode(b"someone:pa/ss:word").decode()
    assert secrets.redact(f"Basic {header}, pa/ss:word") == "Basic [key], [key]"


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
        ("http://h/v1?0123456789abcdef0123#sig=abc", ("0123456789abcdef0123", "abc")),
        ("http://h/9f86d081884c7d65/v1", ("9f86d081884c7d65",)),
        ("http://h/proxy/sk-Ab12Cd34Ef56Gh78%2Fx/v1", ("sk-Ab12Cd34Ef56Gh78%2Fx", "sk-Ab12Cd34Ef56Gh78/x")),
        ("http://h/my-secret-word/v1", ("my-secret-word",)),
        ("https://a1b2c3d4e5f6g7h8.example/openai/deployments/gpt-4o-mini-2024-07-18/chat/completions", ()),
    ],
)
def test_the_secrets_of_an_address_are_known_by_name_or_form(address: str, found: tuple[str, ...]):
    assert find_address_secrets(address) == found


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://h:8000/v1", "http://h:8000/v1"),
        ("https//user:pass@h/v1", "h/v1"),
        ("htp://h/v1?token=abc&v=1", "htp://h/v1?token=[key]&v=1"),
        ("--base-url=http://h/v1?key=a", "--base-url=http://h/v1?key=[key]"),
        ("http://h/sk-Ab12Cd34Ef56Gh78/v1", "http://h/[key]/v1"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address: str, shown: str):
    assert hide_secrets(address) == shown


def test_a_long_text_of_near_misses_ends():
    text = (KEY[:20] + "!") * 100_000 + "@" * 100_000
    assert find_secrets(KEY).redact(text)
    assert hide_secrets(text) == ""
