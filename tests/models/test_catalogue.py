import pytest

from assay.errors import InputError
from assay.models.anthropic import AnthropicChat
from assay.models.catalogue import open_chat
from assay.models.openai import OpenAIChat

KEY = "sk-0123456789"


def test_a_model_is_opened_by_its_provider():
    chat = open_chat("openai:gpt-4o-mini", None, {"OPENAI_API_KEY": KEY})
    assert isinstance(chat, OpenAIChat)
    assert chat.name == "openai:gpt-4o-mini"
    chat = open_chat("anthropic:claude-haiku", None, {"ANTHROPIC_API_KEY": KEY})
    assert isinstance(chat, AnthropicChat)
    assert chat.name == "anthropic:claude-haiku"


@pytest.mark.parametrize(
    ("model", "reasons"),
    [
        *(
            (name, True)
            for name in ("o1", "o3-mini", "o4-mini", "gpt-5.1", "openai/o3", "gemini-2.5-flash", "gemini-3-pro")
        ),
        *((name, True) for name in ("kimi-thinking", "deepseek-reasoner", "DeepSeek-R1", "qwq:32b", "magistral-small")),
        *((name, False) for name in ("gpt-4o", "claude-haiku", "llama-3", "gemini-2.0-flash", "small")),
    ],
)
def test_a_family_that_thinks_is_known_by_its_name(model, reasons):
    assert open_chat(f"openai:{model}", "http://localhost:1", {}).reasons == reasons


def test_a_model_told_to_think_reasons():
    chat = open_chat("anthropic:claude-haiku", None, {"ANTHROPIC_API_KEY": KEY}, reasoning_effort="medium")
    assert (chat.reasons, chat.name) == (True, "anthropic:claude-haiku/reasoning-medium")


def test_a_models_own_name_may_hold_a_colon():
    assert open_chat("openai:qwen3:4b", "http://localhost:11434/v1", {}).name == "openai:qwen3:4b"


@pytest.mark.parametrize(
    ("base_url", "environment", "host"),
    [
        ("http://given:1/v1", {"OPENAI_BASE_URL": "http://set:2/v1"}, "given"),
        (None, {"OPENAI_BASE_URL": "http://set:2/v1"}, "set"),
        (None, {"OPENAI_API_KEY": KEY}, "api.openai.com"),
    ],
)
def test_an_address_given_by_hand_goes_first(base_url, environment, host):
    chat = open_chat("openai:m", base_url, environment)
    assert isinstance(chat, OpenAIChat)
    assert chat._endpoint.url.host == host


def test_a_key_comes_from_the_mapping_alone(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        open_chat("openai:m", None, {})
    chat = open_chat("openai:m", "http://localhost:1", {})
    assert isinstance(chat, OpenAIChat)
    assert chat._endpoint.secret is None


def test_white_space_around_a_key_is_not_part_of_it():
    chat = open_chat("openai:m", None, {"OPENAI_API_KEY": f" {KEY}\n"})
    assert isinstance(chat, OpenAIChat)
    assert chat._endpoint.secret == KEY


def test_a_key_that_cannot_be_one_is_not_told():
    with pytest.raises(InputError, match="OPENAI_API_KEY") as caught:
        open_chat("openai:m", None, {"OPENAI_API_KEY": "sk-“quoted”"})
    assert "quoted" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "advice"),
    [
        ("opnai:gpt-4o", "Did you mean openai:gpt-4o?"),
        ("OpenAI:gpt-4o", "Did you mean openai:gpt-4o?"),
        ("antropic:claude", "Did you mean anthropic:claude?"),
        ("gpt-4o", "Did you mean openai:gpt-4o?"),
        ("claude-haiku", "Did you mean anthropic:claude-haiku?"),
        ("parrot", "local:MODEL_OR_FOLDER or recorded:FILE. Providers are openai, anthropic, azure,"),
        ("openai:", "Write openai:MODEL"),
        ("mistral", "Write mistral:MODEL"),
        ("openai", "Write openai:MODEL"),
        ("recorded:", "names no file"),
        ("", "Write PROVIDER:MODEL[@URL]"),
    ],
)
def test_a_slip_is_met_with_what_to_write(spec, advice):
    with pytest.raises(InputError) as caught:
        open_chat(spec, None, {})
    assert advice in str(caught.value)


def test_a_missing_file_is_met_with_the_nearest_one(tmp_path):
    (tmp_path / "replies.jsonl").write_text("")
    with pytest.raises(InputError, match=r"replys\.jsonl: there is no such file\. Did you mean .*replies\.jsonl\?"):
        open_chat(f"recorded:{tmp_path / 'replys.jsonl'}", None, {})
    with pytest.raises(InputError, match="there is no such file"):
        open_chat(f"recorded:{tmp_path / 'nowhere' / 'x.jsonl'}", None, {})


def test_a_recording_is_opened(tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text('{"record": "a", "ask": "b", "text": "c"}\n')
    assert open_chat(f"recorded:{path}", None, {}).name.startswith("recorded:replies.jsonl@")
