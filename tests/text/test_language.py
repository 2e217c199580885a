import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.language import blank_nonwords, identify, is_plainly_english, language_shares
from assay.text.scripts import language_name, read_language, same_script_neighbours

SENTENCES = {
    "en": "The patient has been treated before and takes no other medicine at the moment.",
    "es": "El paciente ya recibió tratamiento y ahora no toma ningún otro medicamento.",
    "fr": "Le patient a déjà été traité et ne prend aucun autre médicament pour le moment.",
    "de": "Der Patient wurde bereits behandelt und nimmt zurzeit keine anderen Medikamente.",
    "pt": "O paciente já foi tratado e não toma nenhum outro medicamento neste momento.",
    "vi": "Bệnh nhân đã được điều trị trước đây và hiện không dùng thuốc nào khác.",
    "id": "Pasien sudah pernah diobati dan saat ini tidak minum obat yang lain.",
    "tr": "Hasta daha önce tedavi gördü ve şu anda başka bir ilaç kullanmıyor.",
    "pl": "Pacjent był już leczony i obecnie nie przyjmuje żadnych innych leków.",
    "ru": "Пациент уже проходил лечение и сейчас не принимает никаких других лекарств.",
    "ar": "لقد عولج المريض من قبل وهو لا يتناول أي دواء آخر في الوقت الحالي.",
    "hi": "मरीज़ का पहले इलाज हो चुका है और वह अभी कोई दूसरी दवा नहीं ले रहा है।",
    "zh": "患者以前接受过治疗，目前没有服用其他药物。",
    "ja": "患者は以前に治療を受けており、現在ほかの薬は飲んでいません。",
    "ko": "환자는 이전에 치료를 받았으며 현재 다른 약은 복용하지 않습니다.",
}


@pytest.mark.parametrize(("code", "sentence"), SENTENCES.items())
def test_a_sentence_is_told_by_its_letters(code, sentence):
    assert identify(sentence) == code
    assert language_shares(sentence, code).of(code) == 1


@pytest.mark.parametrize(
    "text", ["", "42 mg", "Yes.", "No es eso", "HER2 NCT01234567 FOLFOX6", "https://example.org/la"]
)
def test_too_few_letters_tell_nothing(text):
    assert identify(text) is None
    assert language_shares(text) == language_shares("")


@pytest.mark.parametrize(
    ("text", "code"), [("好的", "zh"), ("はい", "ja"), ("네", "ko"), ("ναι", "el"), ("ใช่", "th"), ("כן", "he")]
)
def test_a_script_with_one_language_decides_even_in_a_word(text, code):
    assert identify(text) == code


def test_running_english_is_told_by_its_function_words_without_the_model():
    english = (
        "The trial was stopped by its sponsor when more than half of the patients who had been given the drug reported "
        "headaches. A second trial, with a lower dose and a longer follow-up, will be run from May in the same "
        "hospitals; the results of the first have not been published, and the data are not open to other groups."
    )
    assert is_plainly_english(english)
    assert not is_plainly_english(f"{english} {SENTENCES['id'] * 9}")
    assert not is_plainly_english("Der Zug from Berlin to Hamburg faehrt heute leider nicht puenktlich ab. " * 12)


def test_a_short_sentence_takes_the_language_around_it():
    text = f"{SENTENCES['fr']} Non. {SENTENCES['fr']}"

    assert language_shares(text, "fr").of("fr") == 1


TERSE_ENGLISH = [
    "Metformin 500 mg per dose, 2 doses per day, no insulin.",
    "The tram costs 2 euros and 80 cents per ride.",
    "Patient denies chest pain or fever.",
    "Endoscopic hemostasis achieved",
]
TERSE = [
    ("de", "Metformin zweimal täglich, kein Insulin nötig."),
    ("fr", "Aucun critère d'exclusion présent."),
    ("es", "No hay criterios de exclusión presentes."),
    ("it", "Nessun criterio di esclusione presente."),
    ("ca", "Aquest aparell fa massa soroll."),
]
ENGLISH_RECORD = (
    "You meet the main criteria of this trial as far as your profile says. Your age is within the limits and your asthma "
    "is moderate. {} You have had no stay in a hospital, and you take none of the medicines that they do not allow."
)


@pytest.mark.parametrize("text", TERSE_ENGLISH)
def test_terse_english_that_could_be_another_language_is_english(text):
    assert identify(text) == "en"
    assert language_shares(text, "en").of("en") == 1


@pytest.mark.parametrize(("code", "text"), TERSE)
def test_a_terse_sentence_in_another_language_is_told_where_english_is_expected(code, text):
    assert identify(text) == code
    assert language_shares(text, "en").dominant == code
    assert language_shares(text, code).of(code) == 1


@pytest.mark.parametrize("expected", ["de", "vi", "ja"])
def test_terse_english_is_told_as_english_where_a_distant_language_is_expected(expected):
    assert [language_shares(text, expected).dominant for text in TERSE_ENGLISH] == ["en"] * len(TERSE_ENGLISH)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("fr", "Age limit met, consent form signed."),
        ("es", "Non idoneo per un intervento recente."),
    ],
)
def test_a_few_words_that_look_like_another_language_than_the_expected_are_left_open(expected, text):
    assert language_shares(text, expected).dominant is None


@pytest.mark.parametrize(("code", "text"), TERSE)
def test_a_clear_sentence_of_five_words_counts_by_itself_amid_another_language(code, text):
    shares = language_shares(ENGLISH_RECORD.format(text), "en")

    assert set(shares.shares) == {"en", code}


def test_a_stray_sentence_of_a_close_neighbour_is_not_told_apart():
    text = f"{SENTENCES['es']} {SENTENCES['es']} O hospital está preto da casa."

    assert set(language_shares(text, "es").shares) == {"es"}


def test_a_text_half_in_a_close_neighbour_is_half_in_each():
    text = " ".join(SENTENCES[code] for code in ("es", "pt", "es", "pt"))

    assert set(language_shares(text, "es").shares) == {"es", "pt"}


def test_an_answer_in_a_close_neighbour_is_told_when_it_is_clear():
    assert (
        language_shares(f"{SENTENCES['pt']} Você não pode participar, pois são necessários exames.", "es").dominant
        == "pt"
    )


@pytest.mark.parametrize(
    "aside",
    [
        "https://example.org/the-patient-is-eligible-for-the-study",
        "someone.in.english@example.org",
        "`return the value of this function`",
        "\n```python\nwhile the_value: return it to the caller of this function\n```\n",
        "HER2 PD-L1 FOLFOX6 CA-125",
    ],
)
def test_what_is_in_no_language_is_not_counted(aside):
    assert language_shares(f"{SENTENCES['vi']} {aside}", "vi") == language_shares(SENTENCES["vi"], "vi")


def test_a_quoted_criterion_can_be_left_out():
    quote = "Participants must be at least eighteen years old and able to give consent."
    text = f"{SENTENCES['es']} «{quote}» {SENTENCES['es']}"
    start = text.index(quote)

    assert language_shares(text, "es").of("en") > 0
    assert language_shares(text, "es", [Span(start, start + len(quote))]).of("es") == 1


@pytest.mark.parametrize(
    "text",
    [
        "患者正在接受 pembrolizumab 单药治疗。",
        "Пациент получает pembrolizumab и paclitaxel каждые три недели.",
        "يتلقى المريض علاج pembrolizumab حاليا كل ثلاثة أسابيع.",
    ],
)
def test_a_latin_term_in_another_script_is_not_held_against_it(text):
    assert len(language_shares(text).shares) == 1


def test_a_word_without_spaces_is_two_characters():
    assert language_shares("好的好的").words == 2
    assert language_shares("好的好").words == 2


def test_a_greek_letter_is_a_symbol():
    assert "el" not in language_shares(f"{SENTENCES['en']} The β blocker and α agonist were stopped.").shares


def test_a_short_line_without_kana_is_japanese_in_a_japanese_text():
    assert language_shares(f"適格性判定\n\n{SENTENCES['ja']}").of("ja") == 1


def test_a_heading_in_capitals_is_words():
    text = "EL PACIENTE NO CUMPLE LOS REQUISITOS DE ESTE ENSAYO CLÍNICO"

    assert language_shares(text, "es").dominant == "es"


def test_a_text_that_is_all_fence_is_read_inside_it():
    assert language_shares(f'Here:\n```json\n{{"answer": "{SENTENCES["fr"]}"}}\n```', "fr").dominant == "fr"


def test_japanese_in_latin_letters_is_not_called_another_language():
    text = "Kono shihyou wa, shotoku bunpai no fubyoudou o hyouka suru jouhou desu. Takusan no hito ga tsukau koto ga dekimasu."

    assert language_shares(text, "ja").dominant in {None, "ja"}


def test_an_unclosed_fence_runs_to_the_end():
    text = f"{SENTENCES['es']}\n```\n{SENTENCES['de']}"

    assert set(language_shares(text).shares) == {"es"}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Spanish", "es"), ("es", "es"), ("es-MX", "es"), ("ES_mx", "es"), ("zh-CN", "zh"), ("zh-Hant-TW", "zh"),
        ("nb", "no"), ("nn-NO", "no"), ("Chinese (Simplified)", "zh"), ("中文", "zh"),
        ("the French language", None), ("French language", "fr"), ("", None), ("Klingon", None),
        ("fil", "tl"), ("spa", "es"),
    ],
)  # fmt: skip
def test_a_language_is_read_by_code_locale_or_name(name, code):
    assert read_language(name) == code


def test_a_language_is_named_in_english():
    assert language_name("vi") == "Vietnamese"
    assert language_name("pt-BR") == "Portuguese"
    assert language_name("tlh") == "tlh"


@pytest.mark.parametrize(("a", "b"), [("es", "pt"), ("da", "nb"), ("id", "ms"), ("hr", "sr"), ("zh-CN", "zh-TW")])
def test_close_languages_are_neighbours(a, b):
    assert same_script_neighbours(a, b)
    assert same_script_neighbours(b, a)


@pytest.mark.parametrize(("a", "b"), [("en", "es"), ("ru", "uk"), ("zh", "ja"), ("xx", "xx")])
def test_distant_languages_are_not_neighbours(a, b):
    assert not same_script_neighbours(a, b)


@given(st.text(max_size=300))
@settings(deadline=None, derandomize=True, max_examples=60)
def test_shares_add_up_to_one_or_there_are_none(text):
    shares = language_shares(text, "es")

    assert sum(shares.shares.values()) == (1 if shares.words else 0)
    assert (shares.dominant is None) == (shares.words == 0)


@given(st.text(max_size=300))
@settings(deadline=None, derandomize=True)
def test_blanking_keeps_every_offset(text):
    blanked = blank_nonwords(text)

    assert len(blanked) == len(text)
    assert all(after in (before, " ") for before, after in zip(text, blanked, strict=True))


@pytest.mark.parametrize("piece", ["a", "A-", "`", "1 m", "@a.", "<a", "好", "é1_", "www.", "\n~~~"])
def test_a_huge_run_of_anything_ends(piece):
    language_shares(piece * (10_000 // len(piece)), "es")
