"""Before the first call: how many, how large, how dear; and while it runs: how far."""

from copy import deepcopy

import pytest
from fake_chats import FakeChat, build_call
from virtual_time import run_virtually

from assay import errors
from assay.engine.budget import Budget, Load
from assay.engine.chat import EngineChat
from assay.engine.costs import Meter, Price, Size, bound_prompt, estimate_prompt
from assay.models.chat import Message

PRICE = Price(prompt=1_000_000, reply=4_000_000)
TEXT = "The old lighthouse on the northern cape has warned ships for over a century. " * 20


def forecast(price=PRICE, *, reasks=2, times=1):
    load = Load()
    for _ in range(3):
        load.add((Message("system", "You label claims."), Message("user", TEXT)), 600, times)
    return load.forecast("openai:m", price, reasks=reasks)


def test_the_range_runs_from_no_re_ask_to_every_re_ask():
    found = forecast()
    prompt = estimate_prompt((Message("system", "You label claims."), Message("user", TEXT)))
    assert (found.low.calls, found.high.calls) == (3, 9)
    assert found.low.tokens == 3 * prompt + 600
    assert found.high.tokens == 9 * (prompt + 600)
    assert found.low.picodollars == PRICE.compute_cost(3 * prompt, 600)
    assert found.high.picodollars == PRICE.compute_cost(9 * prompt, 9 * 600)


def test_one_call_may_stand_for_many():
    assert forecast(times=100).low.calls == 300


def test_it_is_said_in_words():
    assert forecast().render() == (
        "openai:m: 3 calls (up to 9 with retries for invalid replies), about 1,785 to 8,955 tokens, about $0.0036 to $0.025."
    )


def test_without_re_asks_there_is_one_number_of_calls():
    assert forecast(reasks=0).render().startswith("openai:m: 3 calls, about")


def test_an_unknown_price_is_said():
    assert "cost unknown" in forecast(price=None).render()
    assert forecast(price=None).low.picodollars is None


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(tokens=1_000), "The budget of 1,000 tokens will stop the run"),
        (Budget(tokens=5_000), "The budget of 5,000 tokens may stop the run"),
        (Budget(usd=0.001), "The budget of $0.0010 will stop the run"),
        (Budget(usd=0.01), "The budget of $0.010 may stop the run"),
    ],
)
def test_a_budget_that_will_not_do_is_said_before(budget, words):
    assert words in forecast().render(budget)


def test_a_budget_that_will_do_is_not_mentioned():
    assert "budget" not in forecast().render(Budget(usd=1, tokens=10**6))


def test_nothing_to_ask_costs_nothing():
    found = Load().forecast("openai:m", PRICE)
    assert (found.low.calls, found.high.tokens, found.high.picodollars) == (0, 0, 0)


def test_the_bound_is_never_below_the_estimate():
    for text in ("", "a", TEXT, "12.5 mg; " * 50, "茶" * 300, "🫖" * 50, "é\n" * 99, "\ud83d"):
        call = build_call(text)
        assert bound_prompt(call) >= estimate_prompt(call.messages)


def test_a_schema_counts_in_the_bound():
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in "abc"}}
    assert bound_prompt(build_call(schema=schema)) > bound_prompt(build_call()) + 100


def test_the_meter_tells_the_whole_state():
    def fail_some(_call, number):
        return {0: errors.Unreachable("down"), 2: errors.TooLong("no")}.get(number)

    async def main():
        engine = EngineChat(FakeChat(fail_some), price=PRICE)
        await engine.complete(build_call("one"))
        with pytest.raises(errors.TooLong):
            await engine.complete(build_call("two"))
        before = deepcopy(engine.meter)
        await engine.complete(build_call("one"))
        await engine.complete(build_call("three"))
        return before, engine.meter

    before, after = run_virtually(main)
    assert (before.sent, before.retries, before.cached, before.running) == (3, 1, 0, 0)
    assert before.failures == {"too_long": 1}
    assert (before.prompt_tokens, before.reply_tokens) == (10, 5)
    assert before.uncertain_tokens == 0
    assert before.picodollars == (10 + 4 * 5) * 10**6
    assert (after.sent, after.cached) == (4, 1)
    assert after.render() == "4 sent, 1 from cache, 1 retries, 1 too long, 30 tokens, $0.000060"


def test_the_meter_names_models_that_were_not_asked_for_and_tokens_that_were_not_counted():
    meter = Meter(unpriced=True)
    for model in ("gpt-9", "", "gpt-9-mini", "gpt-9-mini"):
        meter.note_model("openai:gpt-9", model)
    assert meter.render() == "0 sent, 0 tokens, price unknown, answered by gpt-9-mini"
    meter.pay(Size(10, 5), 0)
    for number in range(100):
        meter.note_model("openai:gpt-9", f"m{number}")
    assert meter.render().endswith("15 tokens not counted, price unknown, answered by gpt-9-mini and m0 and m1 and …")
    assert len(meter.other_models) < 10


def test_the_meter_says_where_a_price_is_unknown():
    assert EngineChat(FakeChat()).meter.render() == "0 sent, 0 tokens, price unknown"
