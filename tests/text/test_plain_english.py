"""The short way to English may only be taken where the long way ends there too."""

import pytest

from assay.text import language
from assay.text.language import identify
from assay.text.plain_english import is_plainly_english

ENGLISH = (
    "The trial was stopped by its sponsor when more than half of the patients who had been given the drug reported "
    "headaches. A second trial, with a lower dose and a longer follow-up, will be run from May in the same hospitals; "
    "the results of the first have not been published, and the data are not open to other groups."
)
GERMAN = "Die Studie wurde abgebrochen, weil mehr als die Hälfte der Kranken über Kopfschmerzen klagte, sagte der Arzt."
INDONESIAN = "Kemiskinan merupakan masalah sosial yang sulit diatasi di berbagai belahan dunia, kata menteri itu."
NAMES = "Anna Berg, Carl Dahl, Eva Falk, Greta Holm, Ivar Jung, Karin Lund, Mats Nord, Olof Palm, Rut Sand, Tove Udd. "


def test_running_english_is_told_by_its_own_words() -> None:
    assert is_plainly_english(ENGLISH)


def test_the_model_of_letters_is_not_asked_about_running_english(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> dict[str, float]:
        raise AssertionError("asked")

    monkeypatch.setattr(language, "rate_languages", refuse)
    monkeypatch.setattr(language, "sounds_foreign", refuse)
    assert identify(ENGLISH + " It is no other text that was met before.") == "en"


@pytest.mark.parametrize(
    "text",
    [
        GERMAN * 4,
        INDONESIAN * 4,
        f"{ENGLISH} {INDONESIAN} {INDONESIAN}",
        f"{INDONESIAN} {INDONESIAN} {ENGLISH}",
        f"{ENGLISH} {NAMES * 2}",
        "The end of the road was near, and the rain had stopped by then.",
        "From: Jan To: Piet Ik kom morgen wat later binnen.\n" * 18,
        "Il nome della rosa by Umberto Eco; La coscienza di Zeno by Italo Svevo; " * 6,
        "Der Zug from Berlin to Hamburg faehrt heute leider nicht puenktlich ab. " * 12,
        "患者の半数以上が頭痛を訴えた。" * 30 + ENGLISH,
        "",
    ],
    ids=[
        *("german", "indonesian", "foreign end", "foreign start", "names", "short"),
        *("labels", "titles", "borrowed words", "japanese", "empty"),
    ],
)
def test_what_is_short_mixed_or_foreign_is_left_to_the_model(text: str) -> None:
    assert not is_plainly_english(text)


def test_typographic_quotes_and_a_name_with_an_accent_do_not_hide_english() -> None:
    assert is_plainly_english(ENGLISH.replace("The trial", "“Zoë’s trial” — the one —"))


def test_a_choice_without_english_is_kept_to() -> None:
    assert identify(ENGLISH, {"de", "nl"}) in {"de", "nl"}
