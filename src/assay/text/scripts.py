"""Languages by ISO 639-1 code and English name, and the scripts that they are written in."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from assay.domain.span import Span

# The letters of each script and its languages. Letters go with the marks that a script writes inside its words, which
# Python's \w leaves out, and without its digits and stops. Han goes with kana, since Japanese mixes them.
_SCRIPTS: Final = {
    "latin": (
        (
            "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0300-\u036f"
            "\u1e00-\u1eff\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a"
        ),
        (
            "af Afrikaans, az Azerbaijani, bs Bosnian, ca Catalan, cs Czech, cy Welsh, da Danish, de German, en "
            "English, es Spanish, et Estonian, eu Basque, fi Finnish, fr French, ga Irish, gl Galician, ha Hausa, hr "
            "Croatian, ht Haitian Creole, hu Hungarian, id Indonesian, ig Igbo, is Icelandic, it Italian, lt "
            "Lithuanian, lv Latvian, ms Malay, mt Maltese, nl Dutch, no Norwegian, pl Polish, pt Portuguese, ro "
            "Romanian, sk Slovak, sl Slovenian, so Somali, sq Albanian, sr Serbian, sv Swedish, sw Swahili, tl "
            "Tagalog, tr Turkish, uz Uzbek, vi Vietnamese, xh Xhosa, yo Yoruba, zu Zulu"
        ),
    ),
    "greek": ("\u0370-\u0373\u0376-\u037d\u0386\u0388-\u03ff\u1f00-\u1fff", "el Greek"),
    "cyrillic": (
        "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
        (
            "be Belarusian, bg Bulgarian, kk Kazakh, ky Kyrgyz, mk Macedonian, mn Mongolian, ru Russian, sr Serbian, "
            "tg Tajik, uk Ukrainian"
        ),
    ),
    "armenian": ("\u0531-\u0556\u0560-\u0588", "hy Armenian"),
    "hebrew": ("\u0591-\u05c7\u05d0-\u05f4\ufb1d-\ufb4f", "he Hebrew"),
    "arabic": (
        (
            "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ef\u06fa-\u06ff"
            "\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc"
        ),
        "ar Arabic, fa Persian, ps Pashto, ug Uyghur, ur Urdu",
    ),
    "devanagari": ("\u0900-\u0963\u0970-\u097f", "hi Hindi, mr Marathi, ne Nepali"),
    "bengali": ("\u0980-\u09e3\u09f0-\u09f1", "as Assamese, bn Bengali"),
    "gurmukhi": ("\u0a00-\u0a65\u0a70-\u0a75", "pa Punjabi"),
    "gujarati": ("\u0a80-\u0ae5", "gu Gujarati"),
    "odia": ("\u0b00-\u0b65", "or Odia"),
    "tamil": ("\u0b80-\u0be5", "ta Tamil"),
    "telugu": ("\u0c00-\u0c65", "te Telugu"),
    "kannada": ("\u0c80-\u0ce5", "kn Kannada"),
    "malayalam": ("\u0d00-\u0d65", "ml Malayalam"),
    "sinhala": ("\u0d80-\u0de5\u0df2-\u0df3", "si Sinhala"),
    "thai": ("\u0e01-\u0e3a\u0e40-\u0e4e", "th Thai"),
    "lao": ("\u0e80-\u0ecf\u0edc-\u0edf", "lo Lao"),
    "tibetan": ("\u0f00\u0f18-\u0f19\u0f35-\u0f39\u0f40-\u0fbc", "bo Tibetan"),
    "myanmar": ("\u1000-\u103f\u1050-\u109f", "my Burmese"),
    "georgian": ("\u10a0-\u10fa\u10fc-\u10ff\u1c90-\u1cbf", "ka Georgian"),
    "ethiopic": ("\u1200-\u135f\u1380-\u139f", "am Amharic"),
    "khmer": ("\u1780-\u17d3\u17dc-\u17dd", "km Khmer"),
    "hangul": ("\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff\uffa0-\uffdc", "ko Korean"),
    "han": (
        (
            "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
            "\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
        ),
        "ja Japanese, zh Chinese",
    ),
}
# Codes and names that say one of the above in another way.
_ALIASES: Final = """
ar ara العربية|de deu ger deutsch|en eng|es spa castilian español|fa farsi|fr fra fre français|he iw|hi hin हिन्दी हिंदी
id in ind bahasa|it ita italiano|ja jp jpn 日本語|ko kr kor 한국어|nl nld dut flemish nederlands|no nb nn bokmål nynorsk
pt por brazilian português|ru rus русский|tl fil filipino|vi vn vie việt|zh cn chi zho cmn yue mandarin cantonese 中文
zh 简体中文 繁體中文
"""
# Texts of these are told apart by a handful of words, which a short answer may not hold.
_CLOSE_LIST: Final = "es pt gl ca|da no sv|id ms|hr sr bs|cs sk|nl af|xh zu|bg mk|hi mr ne|bn as"
UNSPACED: Final = frozenset({"han", "thai", "lao", "khmer", "myanmar", "tibetan"})
"""Scripts written without spaces between words."""

_LANGUAGES: Final = {
    script: dict(each.split(" ", 1) for each in listed.split(", ")) for script, (_, listed) in _SCRIPTS.items()
}
_NAMES: Final = {code: name for languages in _LANGUAGES.values() for code, name in languages.items()}
_CODES: Final = {
    **{alias: each.split()[0] for each in re.split("[|\n]", _ALIASES.strip()) for alias in each.split()},
    **{name.casefold(): code for code, name in _NAMES.items()},
    **{code: code for code in _NAMES},
}
_CLOSE: Final = tuple(frozenset(group.split()) for group in _CLOSE_LIST.split("|"))
_REGION: Final = re.compile(r"[-_].*| ?\(.*", re.DOTALL)
SCRIPTS: Final = frozenset(_SCRIPTS)


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """Letters of one script with nothing between them."""

    script: str
    span: Span

    @property
    def words(self) -> int:
        """One, or for a script without spaces one for every two characters begun."""
        return (self.span.end - self.span.start + 1) // 2 if self.script in UNSPACED else 1


def letters_of(scripts: Iterable[str]) -> str:
    """The inside of a character class that matches the letters of these scripts."""
    return "".join(_SCRIPTS[script][0] for script in sorted(scripts))


def find_runs(text: str) -> Iterator[ScriptRun]:
    for match in _run_pattern().finditer(text):
        yield ScriptRun(match.lastgroup or "", Span(*match.span()))


@cache
def _run_pattern() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{script}>[{ranges}]+)" for script, (ranges, _) in _SCRIPTS.items()))


def languages_of(script: str) -> tuple[str, ...]:
    return tuple(_LANGUAGES[script])


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
