"""The models one can name: the table of providers, what each entry sends, and how a user adds one."""

import asyncio
from dataclasses import replace

import pytest
from asking import complete_once

from assay.errors import InputError
from assay.models.catalogue import find_target, open_chat
from assay.models.providers import read_providers
from equipment.chat_server.server import ScriptedServer

SHIPPED = (
    "openai anthropic azure gemini mistral groq openrouter together deepseek bedrock ollama vllm lmstudio llamacpp"
)
KEY = "sk-secret-0123456789abcdef"
OWN = """\
[providers.house]
wire = "openai"
base_url = "https://models.example/v1"
key_variable = "HOUSE_KEY"
schema = ["json_object"]

[[providers.house.models]]
names = ["small-*"]
temperature = false
"""


def ask(spec, call, environment=None, effort=None, providers=None):
    """The request that a scripted server got when the model was named with the server's address."""

    async def run():
        async with ScriptedServer() as server:
            named = f"{spec}@{server.base_url}"
            chat = open_chat(named, None, environment or {}, providers=providers, reasoning_effort=effort)
            completion = await complete_once(chat, call)
            return server.asked[0], completion, chat

    return asyncio.run(run())


def write(tmp_path, text):
    path = tmp_path / "assay.toml"
    path.write_text(text)
    return path


def test_the_providers_of_the_interface_are_shipped():
    assert list(read_providers()) == SHIPPED.split()


@pytest.mark.parametrize("name", SHIPPED.split())
def test_every_provider_answers_in_its_format_with_its_key(call, name):
    provider = read_providers()[name]
    asked, completion, chat = ask(f"{name}:m", call, {provider.key_variable: KEY})
    assert asked.api == provider.wire
    assert asked.headers[provider.key_header].removeprefix("Bearer ") == KEY
    assert chat.name == f"{name}:m"
    assert asked.body[provider.limit] == call.max_tokens
    assert completion.dropped == ()


@pytest.mark.parametrize(
    ("spec", "sent", "unsent"),
    [
        ("openai:gpt-4o", {"temperature": 0.0, "max_tokens": 200}, set()),
        ("openai:gpt-5-mini", {"max_completion_tokens": 200}, {"temperature", "max_tokens"}),
        ("azure:gpt-5", {"max_completion_tokens": 200}, {"temperature"}),
        ("deepseek:deepseek-chat", {"response_format": {"type": "json_object"}, "temperature": 0.0}, set()),
        ("anthropic:claude-opus-4-8", {"max_tokens": 200}, {"temperature", "output_config"}),
        ("anthropic:claude-opus-5", {"max_tokens": 200}, {"temperature", "tools", "tool_choice"}),
    ],
)
def test_a_request_holds_what_the_model_takes(call, spec, sent, unsent):
    asked, completion, _ = ask(spec, call)
    assert {name: asked.body[name] for name in sent} == sent
    assert not unsent & set(asked.body)
    assert ("temperature" in completion.dropped) == ("temperature" in unsent)


@pytest.mark.parametrize(
    ("spec", "sent"),
    [
        ("groq:gpt-oss-20b", {"reasoning_effort": "low"}),
        ("anthropic:claude-sonnet-4-5", {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        ("anthropic:claude-opus-4-8", {"thinking": {"type": "adaptive"}}),
    ],
)
def test_an_effort_is_set_as_the_model_wants_it(call, spec, sent):
    asked, _, chat = ask(spec, replace(call, max_tokens=8_000), effort="low")
    assert {name: asked.body[name] for name in sent} == sent
    assert chat.name == f"{spec}/reasoning-low"


def test_an_adaptive_effort_stands_beside_the_schema(call):
    asked, _, _ = ask("anthropic:claude-opus-5", call, effort="high")
    assert asked.body["output_config"]["effort"] == "high"
    assert asked.body["output_config"]["format"]["schema"] == call.schema


def test_a_model_without_a_setting_for_effort_is_sent_none(call):
    asked, _, chat = ask("deepseek:deepseek-chat", call, effort="low")
    assert "reasoning_effort" not in asked.body
    assert chat.name == "deepseek:deepseek-chat"


@pytest.mark.parametrize(
    ("model", "tokens"), [("claude-haiku-4-5", 4096), ("claude-sonnet-4-5", 1024), ("claude-opus-5", 512)]
)
def test_the_shortest_cached_prefix_depends_on_the_model(model, tokens):
    settings = read_providers()["anthropic"].for_model(model)
    assert (settings.caching, settings.cache_min_tokens) == ("marked", tokens)


@pytest.mark.parametrize(
    ("spec", "environment", "address"),
    [
        ("groq:m", {}, "https://api.groq.com/openai/v1"),
        ("azure:m", {"AZURE_OPENAI_ENDPOINT": "https://me.openai.azure.com/"}, "https://me.openai.azure.com/openai/v1"),
        ("bedrock:m", {"AWS_REGION": "eu-west-1"}, "https://bedrock-runtime.eu-west-1.amazonaws.com/openai/v1"),
        ("vllm:qwen@http://gpu:8000/v1", {}, "http://gpu:8000/v1"),
        ("openai:m@2024", {}, "https://api.openai.com/v1"),
    ],
)
def test_an_address_is_the_judges_own_or_the_providers(spec, environment, address):
    assert find_target(spec, None, environment).base_url == address


def test_an_address_of_a_judge_goes_before_the_base_url():
    assert find_target("openai:m@http://own:1/v1", "http://all:2/v1", {}).base_url == "http://own:1/v1"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("azure:m", r"AZURE_OPENAI_ENDPOINT is not set.*azure:MODEL@https://HOST/v1"),
        ("groq:m", "GROQ_API_KEY is not set"),
        ("vllm:m@localhost:8000/v1", "Write @http://localhost:8000/v1"),
        ("parrot:m", "Providers are openai, anthropic, azure, gemini"),
    ],
)
def test_what_is_missing_is_named_with_a_remedy(spec, words):
    with pytest.raises(InputError, match=words):
        open_chat(spec, None, {})


def test_a_server_on_this_machine_needs_no_key():
    assert open_chat("ollama:qwen3:4b", None, {}).name == "ollama:qwen3:4b"


def test_a_description_holds_no_secret():
    told = find_target(f"vllm:m@https://host/v1?api-key={KEY}", None, {"VLLM_API_KEY": KEY}).describe()
    assert KEY not in told
    assert told.startswith("vllm:m at https://host/v1?api-key=[key], openai format, key VLLM_API_KEY, schema by")


def test_a_user_adds_a_provider_by_an_entry_of_the_same_kind(call, tmp_path):
    providers = read_providers(write(tmp_path, OWN))
    asked, _, chat = ask("house:small-1", call, {"HOUSE_KEY": KEY}, providers=providers)
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body["response_format"] == {"type": "json_object"}
    assert "temperature" not in asked.body
    assert chat.name == "house:small-1"
    assert open_chat("house:qwq", None, {"HOUSE_KEY": KEY}, providers=providers).reasons, "shared rules hold too"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[providers.openai]\n", r"assay\.toml:1: \"openai\" is the name of a shipped judge"),
        ('\n[providers.x]\nwire = "grpc"\nbase_url = "http://h"\n', r"toml:3: `wire` is 'grpc'. Write one of openai"),
        ('[providers.x]\nwire = "openai"\n', r"toml:1: \"x\" lacks `base_url = "),
        (f"{OWN}temprature = true\n", r"toml:10: `temprature` is not a column. Did you mean `temperature`\?"),
        (f"{OWN}\n[[providers.house.models]]\nnames = 'a'\n", r"toml:12: `names` is not a list"),
        (f'{OWN}wire = "openai"\n', r"toml:10: `wire` can't depend on the model"),
        (OWN.replace("json_object", "tool"), r"toml:5: `schema` is \['tool'\]. Write a list of json_schema and"),
        ("[providers.X]\n", "can't be the name of a provider"),
        ("providers = 3\n", "`providers` is not a table"),
        ("[providers\n", "is not TOML"),
    ],
)
def test_a_wrong_entry_is_refused_with_its_place_and_a_remedy(tmp_path, text, words):
    with pytest.raises(InputError, match=words):
        read_providers(write(tmp_path, text))


@pytest.mark.parametrize(
    ("model", "reasons"),
    [
        *(
            (name, True)
            for name in ["o1", "o3-mini", "o4-mini", "gpt-5.1", "openai/o3", "gemini-2.5-flash", "gemini-3-pro"]
        ),
        *((name, True) for name in ["kimi-thinking", "deepseek-reasoner", "DeepSeek-R1", "qwq:32b", "magistral-small"]),
        *((name, False) for name in ["gpt-4o", "claude-haiku", "llama-3", "gemini-2.0-flash", "small"]),
    ],
)
def test_a_family_that_thinks_is_known_by_its_name(model, reasons):
    assert open_chat(f"openai:{model}", "http://localhost:1", {}).reasons == reasons


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
    assert chat.connection.url.host == host


def test_a_key_comes_from_the_mapping_alone(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(InputError, match="OPENAI_API_KEY is not set"):
        open_chat("openai:m", None, {})
    chat = open_chat("openai:m", "http://localhost:1", {})
    assert chat.connection.secret is None


def test_white_space_around_a_key_is_not_part_of_it():
    chat = open_chat("openai:m", None, {"OPENAI_API_KEY": f" {KEY}\n"})
    assert chat.connection.secret == KEY


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
