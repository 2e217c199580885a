"""Prices come from a dated list or from the user, and are never guessed."""

from decimal import Decimal

import pytest

from assay import errors
from assay.engine.costs import Price, read_prices, render_usd


def test_a_price_is_found_by_the_whole_name_alone():
    prices = read_prices()
    price = Price(prompt=150_000, reply=600_000, cached=75_000, batch=Decimal("0.5"))
    assert prices.get("openai:gpt-4o-mini") == price
    assert prices.get("openai:gpt-4o-mini-of-tomorrow") is None
    assert prices.get("gpt-4o-mini") is None


def test_a_file_overrides_and_extends_the_shipped_list(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text('["openai:gpt-4o-mini"]\nprompt = 1\nreply = 2.5\n["openai:local"]\nprompt = 0\nreply = 0\n')
    prices = read_prices(path)
    assert prices.get("openai:gpt-4o-mini") == Price(1_000_000, 2_500_000)
    assert prices.get("openai:local") == Price(0, 0)
    assert prices.get("openai:gpt-4.1") is not None


def test_a_batch_costs_its_share_of_the_price_rounded_up_and_all_of_it_where_no_share_is_known(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text('["m"]\nprompt = 0.000003\nreply = 1\nbatch = 0.5\n["n"]\nprompt = 1\nreply = 2\n')
    prices = read_prices(path)
    assert prices["m"].in_batch == Price(2, 500_000)
    assert prices["n"].in_batch == Price(1_000_000, 2_000_000)


def test_a_price_finer_than_we_count_is_rounded_up(tmp_path):
    path = tmp_path / "prices.toml"
    path.write_text('["m"]\nprompt = 0.0000001\nreply = 0.1234567891\n')
    assert read_prices(path).get("m") == Price(1, 123_457)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[openai", "is not TOML"),
        ('["m"]\nprompt = 1\n', "needs a `prompt` and a `reply`"),
        ('["m"]\nprompt = 1\nreply = 1\nbatch = 2\n', "not a number from 0 to 1"),
        ('["m"]\nprompt = 1\nreply = 1\nhalved = 1\n', "nothing else"),
        ("m = 3\n", "needs a `prompt`"),
        ('["m"]\nprompt = "1"\nreply = 1\n', "is not a number"),
        ('["m"]\nprompt = true\nreply = 1\n', "is not a number"),
        ('["m"]\nprompt = -1\nreply = 1\n', "out of range"),
        ('["m"]\nprompt = nan\nreply = 1\n', "out of range"),
        ('["m"]\nprompt = inf\nreply = 1\n', "out of range"),
    ],
)
def test_a_prices_file_that_can_not_be_read_names_itself_and_the_form(tmp_path, text, words):
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(errors.InputError, match=words) as caught:
        read_prices(path)
    assert str(path) in str(caught.value)
    assert "dollars per million tokens" in str(caught.value)


def test_a_missing_prices_file_is_an_input_error(tmp_path):
    with pytest.raises(errors.InputError, match="No such file"):
        read_prices(tmp_path / "none.toml")


def test_a_cost_is_exact():
    assert Price(prompt=150_000, reply=600_000).compute_cost(1_000_000, 1_000_000) == 750_000_000_000


def test_cached_and_written_tokens_have_prices_of_their_own():
    price = Price(prompt=100, reply=1_000, cached=10, written=125)
    assert price.compute_cost(1_000, 0, cached=400, written=300) == 4_000 + 37_500 + 30_000
    assert Price(prompt=100, reply=0).compute_cost(1_000, 0, cached=400, written=300) == 100_000


def test_who_writes_to_a_cache_pays_more_and_who_reads_less():
    for price in read_prices().values():
        assert price.cached is None or price.cached < price.prompt
        assert price.written is None or price.prompt < price.written


@pytest.mark.parametrize(
    ("picodollars", "text"),
    [
        (0, "$0.00"),
        (12_345 * 10**11, "$1,234.50"),
        (10**12, "$1.00"),
        (999_000_000_000, "$1.00"),
        (30 * 10**10, "$0.30"),
        (12_300_000_000, "$0.012"),
        (150_000, "$0.00000015"),
        (1, "$0.000000000001"),
    ],
)
def test_small_sums_keep_two_digits(picodollars, text):
    assert render_usd(picodollars) == text
