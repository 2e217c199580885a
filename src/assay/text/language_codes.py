"""Languages by ISO 639-1 code, English name, and script."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "af": "Afrikaans", "am": "Amharic", "ar": "Arabic", "as": "Assamese", "az": "Azerbaijani", "be": "Belarusian",
        "bg": "Bulgarian", "bn": "Bengali", "bo": "Tibetan", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech",
        "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
        "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish",
        "gl": "Galician", "gu": "Gujarati", "ha": "Hausa", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
        "ht": "Haitian Creole", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "ig": "Igbo",
        "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer",
        "kn": "Kannada", "ko": "Korean", "ky": "Kyrgyz", "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian",
        "mk": "Macedonian", "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese",
        "my": "Burmese", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "or": "Odia", "pa": "Punjabi",
        "pl": "Polish", "ps": "Pashto", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala",
        "sk": "Slovak", "sl": "Slovenian", "so": "Somali", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
        "sw": "Swahili", "ta": "Tamil", "te": "Telugu", "tg": "Tajik", "th": "Thai", "tl": "Tagalog", "tr": "Turkish",
        "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "xh": "Xhosa",
        "yo": "Yoruba", "zh": "Chinese", "zu": "Zulu",
    }
)  # fmt: skip

# Codes and names that say one of the above in another way.
_ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "nb": "no", "nn": "no", "iw": "he", "in": "id", "fil": "tl", "yue": "zh", "wuu": "zh", "cmn": "zh",
        "sh": "sr", "mo": "ro", "jp": "ja", "kr": "ko", "cn": "zh", "vn": "vi", "gr": "el",
        "eng": "en", "spa": "es", "fra": "fr", "fre": "fr", "deu": "de", "ger": "de", "por": "pt", "ita": "it",
        "nld": "nl", "dut": "nl", "vie": "vi", "zho": "zh", "chi": "zh", "jpn": "ja", "kor": "ko", "rus": "ru",
        "ara": "ar", "hin": "hi", "ind": "id", "tur": "tr", "pol": "pl", "ukr": "uk",
        "farsi": "fa", "filipino": "tl", "mandarin": "zh", "cantonese": "zh", "castilian": "es", "bokmål": "no",
        "nynorsk": "no", "brazilian": "pt", "flemish": "nl", "bahasa": "id", "myanmar": "my", "oriya": "or",
        "simplified chinese": "zh", "traditional chinese": "zh", "brazilian portuguese": "pt", "mandarin chinese": "zh",
        "european portuguese": "pt", "latin american spanish": "es", "bahasa indonesia": "id", "bahasa melayu": "ms",
        "español": "es", "français": "fr", "deutsch": "de", "português": "pt", "italiano": "it", "nederlands": "nl",
        "tiếng việt": "vi", "中文": "zh", "简体中文": "zh", "繁體中文": "zh", "日本語": "ja", "한국어": "ko",
        "русский": "ru", "العربية": "ar", "हिन्दी": "hi", "हिंदी": "hi", "türkçe": "tr", "polski": "pl",
    }
)  # fmt: skip

_OF_SCRIPT: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "latin": (
            "af", "az", "bs", "ca", "cs", "cy", "da", "de", "en", "es", "et", "eu", "fi", "fr", "ga", "gl", "ha",
            "hr", "ht", "hu", "id", "ig", "is", "it", "lt", "lv", "ms", "mt", "nl", "no", "pl", "pt", "ro", "sk",
            "sl", "so", "sq", "sr", "sv", "sw", "tl", "tr", "uz", "vi", "xh", "yo", "zu",
        ),
        "cyrillic": ("be", "bg", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "uk"),
        "arabic": ("ar", "fa", "ps", "ug", "ur"),
        "devanagari": ("hi", "mr", "ne"),
        "bengali": ("as", "bn"),
        "han": ("ja", "zh"),
        "greek": ("el",), "armenian": ("hy",), "hebrew": ("he",), "gurmukhi": ("pa",), "gujarati": ("gu",),
        "odia": ("or",), "tamil": ("ta",), "telugu": ("te",), "kannada": ("kn",), "malayalam": ("ml",),
        "sinhala": ("si",), "thai": ("th",), "lao": ("lo",), "tibetan": ("bo",), "myanmar": ("my",),
        "georgian": ("ka",), "ethiopic": ("am",), "khmer": ("km",), "hangul": ("ko",),
    }
)  # fmt: skip

# Texts of these are told apart by a handful of words, which a short answer may not hold.
_CLOSE: Final = (
    frozenset({"es", "pt", "gl", "ca"}),
    frozenset({"da", "no", "sv"}),
    frozenset({"id", "ms"}),
    frozenset({"hr", "sr", "bs"}),
    frozenset({"cs", "sk"}),
    frozenset({"nl", "af"}),
    frozenset({"xh", "zu"}),
    frozenset({"bg", "mk"}),
    frozenset({"hi", "mr", "ne"}),
    frozenset({"bn", "as"}),
)

_REGION: Final = re.compile(r"[-_].*| ?\(.*", re.DOTALL)
_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {**_ALIASES, **{name.casefold(): code for code, name in _NAMES.items()}, **{code: code for code in _NAMES}}
)


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
