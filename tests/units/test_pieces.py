"""Words that a judge says are at fault are looked for where it says they stand; words that are not there are void."""

import pytest

from assay.domain.findings import Findings, Label, Piece, Remark
from assay.domain.parts import Field, ListPart
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.units.evidence import find_words, place_pieces, void_uncopied

OUTPUT = "It is light. This strap is stiff, and it costs Rs. 2,400 at 40% off."
CLAIM = Unit("c2", "claim", OUTPUT[13:], Span(13, len(OUTPUT)))


def place(*pieces: tuple[str, str], unit: Unit = CLAIM, output: str = OUTPUT) -> tuple[Piece, ...]:
    named = tuple(Piece(words, "serious" if severity == "serious" else "slight") for words, severity in pieces)
    return place_pieces(Label("claim", unit.id, "partial", pieces=named), unit, output).pieces


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("stiff", "stiff"),
        ("is", "is"),
        ("STIFF", "stiff"),
        ("stiff;", "stiff"),
        ("“costs Rs. 2,400”", "costs Rs. 2,400"),
        ("2,400", "2,400"),
        ("40%", "40%"),
        ("40", "40"),
        ("costs  Rs. 2,400 at 40% off.", "costs Rs. 2,400 at 40% off"),
    ],
)
def test_words_of_the_claim_are_placed_in_the_output(words: str, found: str) -> None:
    [piece] = place((words, "slight"))
    assert piece.span is not None
    assert piece.words.rstrip(".") == piece.span.of(OUTPUT).rstrip(".") == found
    assert piece.span.start >= CLAIM.span.start if CLAIM.span else False


@pytest.mark.parametrize("words", ["", "  ", "light", "heavy", "stif", "240", "is not stiff", "costs Rs. 2,500"])
def test_words_that_the_claim_does_not_hold_are_void(words: str) -> None:
    assert place((words, "serious"), ("stiff", "slight")) == place(("stiff", "slight"))


def test_a_word_is_no_part_of_another_word():
    found = find_words("is", "This strap is stiff")
    assert found == Span(11, 13)
    assert find_words("all", "Small ones") is None


def test_words_named_twice_are_one_piece():
    assert place(("stiff", "serious"), ("stiff", "slight")) == place(("stiff", "serious"))


def test_a_claim_keeps_no_endless_list_of_pieces():
    words = " ".join(f"w{number}" for number in range(40))
    unit = Unit("c1", "claim", words, Span(0, len(words)))
    assert len(place(*((word, "slight") for word in words.split()), unit=unit, output=words)) == 12


def test_a_cell_whose_text_is_written_otherwise_in_the_output_has_pieces_without_a_place():
    unit = Unit("c1", "claim", "₹900", Span(0, 9), context="Price | Ono")
    [piece] = place(("₹900", "serious"), unit=unit, output="\\u20b9900")
    assert (piece.words, piece.span) == ("₹900", None)


def test_a_script_without_spaces_has_pieces_too():
    text = "这款手机防水并且轻便"
    [piece] = place(("防水", "serious"), unit=Unit("c1", "claim", text, Span(0, len(text))), output=text)
    assert piece.span == Span(4, 6)


def test_entries_that_should_be_copied_from_the_output_and_are_not_there_are_dropped_and_counted():
    excess = ListPart("excess", (Field("words", "Copied."), Field("kind", "Why.")), copied="words")
    other = ListPart("notes", (Field("words", "Any."),))
    said = [
        Remark("excess", {"words": "it is LIGHT", "kind": "redundant"}),
        Remark("excess", {"words": "It is heavy.", "kind": "redundant"}),
        Remark("excess", {"kind": "redundant"}),
        Remark("notes", {"words": "Nowhere."}),
    ]
    found, void = void_uncopied(Findings(remarks=tuple(said)), (excess, other), OUTPUT)
    assert void == 2
    assert [(each.part, each.span and each.span.of(OUTPUT)) for each in found.remarks] == [
        ("excess", "It is light"),
        ("notes", None),
    ]
