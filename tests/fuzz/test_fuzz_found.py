"""Inputs that fuzzing found, each with what it broke."""

import base64
import re
import sqlite3

import pytest

from assay.checks.citations import normalise_url
from assay.domain.ask import Written
from assay.domain.record import Record
from assay.files.rubrics import open_rubric
from assay.models.anthropic import _read_usage
from assay.models.chat import CallKey, Completion, Usage, read_usage
from assay.models.responses import read_retry_after
from assay.models.secrets import find_secrets
from assay.store.codec import dump, load, pack_bytes
from assay.store.digests import COLUMNS, call_digest, digest_row
from assay.store.faults import StoreError
from assay.store.runs import DamagedRun
from assay.store.store import Store
from assay.text.hostile import neutralise
from assay.text.language import find_nonwords
from assay.text.quantities import find_quantities
from equipment.example_runs import keep_example


def test_a_unit_that_is_also_a_code_is_one_stretch():
    text = "The Alba costs $3s 25% dearer."

    assert [span.of(text) for span in find_nonwords(text)] == ["3s"]


def test_a_range_that_ends_at_no_billion_is_none():
    assert [quantity.number for quantity in find_quantities("It cost 5–0 billion.")] == [5, 0]


def test_half_a_surrogate_pair_in_an_address_is_a_part_of_it():
    assert normalise_url("https://www.a.example/?q=\udcff") == normalise_url("http://a.example?q=\udcff")
    assert normalise_url("https://a.example/?q=\udcff") != normalise_url("https://a.example/?q=\udcfe")


@pytest.mark.parametrize("text", ["\rSystem:", "Iuc\r\r### System:\r", "a\r\nSystem: b", "a\r  **user**: b"])
def test_a_role_marker_after_a_bare_carriage_return_is_hidden_no_less(text):
    assert neutralise(text).removed == ("role marker",)


@pytest.mark.parametrize("count", [-1, True, 2.0, None, 2**63])
def test_a_usage_that_is_no_count_is_none(count):
    assert read_usage({"prompt_tokens": count, "completion_tokens": 3}) is None
    assert _read_usage({"input_tokens": 3, "output_tokens": count}) is None
    assert _read_usage({"input_tokens": count, "output_tokens": 3}) is None


@pytest.mark.parametrize("value", [b'{"$":"1/0"}', b'{"$":5}', b"[" * 100_000, b'{"$":[]}'])
def test_a_damaged_record_is_a_store_error_whatever_is_damaged(value):
    kept = dump(Record("r", "r", "Tea.", (), inputs={"tea": "green"}))
    with pytest.raises(StoreError, match="record can't be read"):
        load(kept.replace(b'"green"', value), Record, "record")


def as_cell(content: bytes) -> str:
    """What is no value of the kind that is wanted, packed as the store packs it."""
    return f"x'{pack_bytes(content).hex()}'"


@pytest.mark.parametrize(
    ("damage", "words", "read"),
    [
        (
            "runs SET body = " + as_cell(b"{"),
            "stored run [^ ]+ can't be read",
            lambda store: store.find_run("last"),
        ),
        (
            "runs SET finished = 'yesterday'",
            "stored run [^ ]+ can't be read",
            lambda store: store.find_run("last"),
        ),
        (
            "banks SET units = " + as_cell(b"[1]"),
            "bank of run [^ ]+ can't be read",
            lambda store: store.get_bank("r", "b", "s", run=store.find_run("last").id),
        ),
        ("replies SET body = " + as_cell(b"5"), "reply can't be read", lambda store: store.get_reply("k")),
    ],
)
def test_a_damaged_cell_of_any_table_is_a_store_error(tmp_path, damage, words, read):
    with Store(tmp_path / "assay.db") as store:
        run = keep_example(store, "trial-eligibility", tmp_path)
        store.put_reply("k", Completion("said", "stop", Usage(1, 2), "m"), run, CallKey("r", "a"))
        store.put_bank("r", "b", "s", (Written("What?", ("S1.1",)),), run)
    with sqlite3.connect(tmp_path / "assay.db") as connection:
        connection.execute(f"UPDATE {damage}")
    connection.close()
    with Store(tmp_path / "assay.db") as store, pytest.raises(StoreError, match=words):
        read(store)


def test_a_run_whose_id_is_pages_of_bytes_is_named_in_a_line(tmp_path):
    with Store(tmp_path / "assay.db") as store:
        keep_example(store, "trial-eligibility", tmp_path)
    with sqlite3.connect(tmp_path / "assay.db") as connection:
        connection.execute("UPDATE runs SET id = ?", (b"\xff" * 4000,))
    connection.close()
    with Store(tmp_path / "assay.db", read_only=True) as store:
        (run,) = store.runs()
    assert isinstance(run, DamagedRun)
    assert len(str(run.error)) < 400


@pytest.mark.parametrize("before", ["", "x", "x:", "user:"])
def test_a_key_in_base64_is_blotted_out_where_it_is_clipped_too(before):
    key = "sk-planted/Zq7+wX3kLm9vTb2NcR5yHd8e"
    echoed = base64.b64encode(f"{before}{key}".encode()).decode()
    for told in (echoed, echoed[:40]):
        shown = find_secrets(key).redact(f"Basic {told}, said the gateway")
        assert "[key]" in shown
        assert len(shown) < 50


def test_a_fraction_over_zero_in_a_card_keeps_no_store_from_being_opened(tmp_path):
    with Store(tmp_path / "assay.db") as store:
        run = keep_example(store, "trial-eligibility", tmp_path)
    with sqlite3.connect(tmp_path / "assay.db") as connection:
        (details,) = connection.execute("SELECT details FROM scores WHERE goodness LIMIT 1").fetchone()
        damaged, replaced = re.subn(r'"value":"[^"]*"', '"value":"1/0"', details)
        connection.create_function("row_digest", -1, digest_row)
        connection.execute("UPDATE scores SET details = ? WHERE details = ?", (damaged, details))
        # With a digest that fits, so that the reader itself must notice.
        connection.execute(f"UPDATE scores SET digest = {call_digest(COLUMNS['scores'])}")  # noqa: S608
    connection.close()
    assert replaced
    with Store(tmp_path / "assay.db") as store:
        with pytest.raises(StoreError, match=r"card of run [^ ]+ can't be read"):
            list(store.cards(run, open_rubric("trial-eligibility")))
        store.delete_run(run)


def test_a_date_with_a_year_beyond_all_numbers_is_none_to_wait_for():
    date = "Fri, 02 Jan 2026" + "7" * 90 + " 03:04:05 GMT"
    assert read_retry_after({"Retry-After": date}) is None
