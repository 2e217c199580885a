"""Languages by ISO 639-1 code, English name, and script."""

import re
from collections.abc import Mapping
from typing import Final

# Serbian is written in two scripts.
_BY_SCRIPT: Final[Mapping[str, str]] = {
    "latin": "af Afrikaans, az Azerbaijani, bs Bosnian, ca Catalan, cs Czech, cy Welsh, da Danish, de German, "
    "en English, es Spanish, et Estonian, eu Basque, fi Finnish, fr French, ga Irish, gl Galician, ha Hausa, "
    "hr Croatian, ht Haitian Creole, hu Hungarian, id Indonesian, ig Igbo, is Icelandic, it Italian, lt Lithuanian, "
    "lv Latvian, ms Malay, mt Maltese, nl Dutch, no Norwegian, pl Polish, pt Portuguese, ro Romanian, sk Slovak, "
    "sl Slovenian, so Somali, sq Albanian, sr Serbian, sv Swedish, sw Swahili, tl Tagalog, tr Turkish, uz Uzbek, "
    "vi Vietnamese, xh Xhosa, yo Yoruba, zu Zulu",
    "cyrillic": "be Belarusian, bg Bulgarian, kk Kazakh, ky Kyrgyz, mk Macedonian, mn Mongolian, ru Russian, "
    "sr Serbian, tg Tajik, uk Ukrainian",
    "arabic": "ar Arabic, fa Persian, ps Pashto, ug Uyghur, ur Urdu",
    "devanagari": "hi Hindi, mr Marathi, ne Nepali",
    "bengali": "as Assamese, bn Bengali",
    "han": "ja Japanese, zh Chinese",
}
_ALONE_IN_SCRIPT: Final = (
    "armenian hy Armenian, ethiopic am Amharic, georgian ka Georgian, greek el Greek, gujarati gu Gujarati, "
    "gurmukhi pa Punjabi, hangul ko Korean, hebrew he Hebrew, kannada kn Kannada, khmer km Khmer, lao lo Lao, "
    "malayalam ml Malayalam, myanmar my Burmese, odia or Odia, sinhala si Sinhala, tamil ta Tamil, telugu te Telugu, "
    "thai th Thai, tibetan bo Tibetan"
)
_LISTS: Final = {
    script: [entry.split(" ", 1) for entry in listed.split(", ")]
    for script, listed in (*_BY_SCRIPT.items(), *(entry.split(" ", 1) for entry in _ALONE_IN_SCRIPT.split(", ")))
}
_OF_SCRIPT: Final = {script: tuple(code for code, _ in entries) for script, entries in _LISTS.items()}
_NAMES: Final = {code: name for entries in _LISTS.values() for code, name in entries}

# Codes and names that say one of the above in another way.
_ALIASES: Final[Mapping[str, str]] = {
    "ar": "ara, العربية",
    "de": "deu, ger, deutsch",
    "en": "eng",
    "es": "spa, castilian, latin american spanish, español",
    "fa": "farsi",
    "fr": "fra, fre, français",
    "he": "iw",
    "hi": "hin, हिन्दी, हिंदी",
    "id": "in, ind, bahasa, bahasa indonesia",
    "it": "ita, italiano",
    "ja": "jp, jpn, 日本語",
    "ko": "kr, kor, 한국어",
    "nl": "nld, dut, flemish, nederlands",
    "no": "nb, nn, bokmål, nynorsk",
    "pt": "por, brazilian, brazilian portuguese, european portuguese, português",
    "ru": "rus, русский",
    "tl": "fil, filipino",
    "vi": "vn, vie, tiếng việt",
    "zh": "cn, chi, zho, cmn, yue, mandarin, cantonese, mandarin chinese, simplified chinese, traditional chinese, "
    "中文, 简体中文, 繁體中文",
}

# Texts of these are told apart by a handful of words, which a short answer may not hold.
_CLOSE: Final = tuple(
    frozenset(group.split())
    for group in (
        "es pt gl ca",
        "da no sv",
        "id ms",
        "hr sr bs",
        "cs sk",
        "nl af",
        "xh zu",
        "bg mk",
        "hi mr ne",
        "bn as",
    )
)

_REGION: Final = re.compile(r"[-_].*| ?\(.*", re.DOTALL)
_CODES: Final[Mapping[str, str]] = {
    **{alias: code for code, aliases in _ALIASES.items() for alias in aliases.split(", ")},
    **{name.casefold(): code for code, name in _NAMES.items()},
    **{code: code for code in _NAMES},
}


def read_language(name: str) -> str | None:
    """The ISO 639-1 code of a language given by code, locale or name; None where it is none we know."""
    if name in _NAMES:
        return name
    wanted = " ".join(name.casefold().split()).removesuffix(" language")
    return _CODES.get(wanted) or _CODES.get(_REGION.sub("", wanted))


def language_name(code: str) -> str:
    """The English name, or the code itself where it is none we know, since a message must say something."""
    known = read_language(code)
    return code if known is None else _NAMES[known]


def same_script_neighbours(a: str, b: str) -> bool:
    """Whether two languages are so close that code alone should not call one a mistake for the other."""
    first, second = read_language(a), read_language(b)
    if first is None or second is None:
        return False
    return first == second or any(first in close and second in close for close in _CLOSE)


def languages_of(script: str) -> tuple[str, ...]:
    return _OF_SCRIPT.get(script, ())
