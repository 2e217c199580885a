"""Every target holds on its seeds, on seeds that were spoilt, and on bytes of any kind."""

import pytest
from fuzz.choices import BORDER, Choices, as_text
from fuzz.findings import FindingBox
from fuzz.rules import BrokenRule, hold, hold_cover, hold_json, hold_spans, read_twice
from fuzz.targets import TARGETS
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span

pytestmark = pytest.mark.integration
# A walk or a page takes some ten milliseconds; the fuzzer itself gives them their time.
SLOW = {"walk", "pages", "checks", "page_address"}
QUICK = sorted(set(TARGETS) - SLOW)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_target_holds_on_its_seeds(name):
    target = TARGETS[name]
    check, seeds = target.load(), target.seeds()
    assert seeds
    for seed in seeds[:: max(1, len(seeds) // (4 if name in SLOW else 12))]:
        check(seed)


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_a_target_holds_where_there_is_nothing_or_one_byte(name):
    check = TARGETS[name].load()
    for data in (b"", b"\x00", b"\xff", BORDER):
        check(data)


@pytest.mark.parametrize("name", QUICK)
def test_a_target_holds_on_any_bytes(name):
    check = TARGETS[name].load()

    @settings(max_examples=12, deadline=None, derandomize=True)
    @given(data=st.lists(st.binary(max_size=60) | st.text(max_size=60).map(str.encode), max_size=4).map(BORDER.join))
    def holds(data):
        check(data)

    holds()


@pytest.mark.parametrize("name", QUICK)
def test_a_target_holds_on_spoilt_seeds(name):
    target = TARGETS[name]
    check, seeds = target.load(), target.seeds()
    words = [word.encode("utf-8", "surrogatepass") for word in target.words] or [b"?"]

    @settings(max_examples=12, deadline=None, derandomize=True)
    @given(seed=st.sampled_from(seeds), place=st.floats(0, 1), length=st.integers(0, 40), word=st.sampled_from(words))
    def holds(seed, place, length, word):
        at = int(place * len(seed))
        check((seed[:at] + word + seed[at + length :])[: target.longest])

    holds()


@pytest.mark.parametrize(
    "broken",
    [
        lambda: hold([], "nothing"),
        lambda: hold_spans([Span(0, 4)], "abc"),
        lambda: hold_spans([Span(1, 1)], "abc"),
        lambda: hold_spans([Span(1, 3), Span(0, 2)], "abc"),
        lambda: hold_cover([Span(0, 1)], "a b"),
        lambda: hold_json([{"a": float("inf")}]),
        lambda: hold_json([["\ud800"]]),
        lambda: read_twice(iter([1, 2]).__next__),
    ],
)
def test_a_broken_rule_is_noticed(broken):
    with pytest.raises(BrokenRule):
        broken()


def test_bytes_are_decisions_first_and_texts_up_to_a_border_then():
    choices = Choices(b"\x05ab" + BORDER + "ü\x80".encode("latin-1") + BORDER)
    assert (choices.pick("xyz"), choices.text(), choices.text()) == ("z", "ab", "\udcfc\udc80")
    assert (choices.left, choices.pick("xyz"), choices.text()) == (0, "x", "")
    assert as_text("ü".encode()) == "ü"


def test_one_fault_is_one_finding_whatever_the_bytes(tmp_path):
    box = FindingBox(tmp_path, "walk")
    found = [box.add(data, _broken(words)) for data, words in ((b"1", "a"), (b"2", "b"))]
    assert [each is not None for each in found] == [True, False]
    assert (tmp_path / found[0].bytes_file).read_bytes() == b"1"
    assert FindingBox(tmp_path, "walk").add(b"3", _broken("c")) is None


def _broken(words: str) -> BaseException:
    try:
        hold(False, words)
    except BrokenRule as error:
        return error
    raise AssertionError("nothing was raised")
