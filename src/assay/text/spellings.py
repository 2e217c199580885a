"""One key per word, however it is spelled: figures and words, British and American, contracted and in full."""

import re

_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_COUNTED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty"
)
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_COUNTED.split())}
_SPELLINGS = {
    "percent": "%", "versus": "vs", "&": "and", "ug": "mcg", "μg": "mcg", "microgram": "mcg", "micrograms": "mcg",
    "milligram": "mg", "milligrams": "mg", "milliliter": "ml", "milliliters": "ml", "millilitre": "ml",
    "millilitres": "ml", "kilogram": "kg", "kilograms": "kg", "gram": "g", "grams": "g", "centre": "center",
    "centres": "centers", "litre": "liter", "litres": "liters", "programme": "program", "programmes": "programs",
}  # fmt: skip
# Only where no other word is spelled so: "filling" is not "filing", nor "mourning" "morning".
_BRITISH = (
    (re.compile(r"is(e|es|ed|ing|ation|ations)$"), r"iz\1"),
    (re.compile(r"ys(e|es|ed|ing)$"), r"yz\1"),
    (re.compile(r"(behavi|col|fav|flav|hon|hum|lab|neighb|od|rum|sav|tum|vap|vig)our"), r"\1or"),
    (re.compile(r"ae(?=mi[ac])|(?<=gyn)ae(?=c)|(?<=an)ae(?=s)|(?<=[hp])ae(?=[md])|(?<=f)ae(?=c)"), "e"),
    (re.compile(r"oe(?=dem|soph|str)|(?<=f)oe(?=t)|(?<=rrh)oe(?=a)"), "e"),
    (re.compile(r"(cance|channe|counse|fue|labe|leve|mode|signa|trave)ll(ed|ing)$"), r"\1l\2"),
)
_IRREGULAR_NOT = {"ca": "can", "wo": "will", "sha": "shall", "cannot": "can"}
_ENDINGS = {"'ll": "will", "'re": "are", "'ve": "have", "'m": "am"}


def number_key(number: str) -> str:
    """A thousands comma is no part of the value; a trailing zero is, for it claims precision."""
    plain = number.replace(",", "") if _THOUSANDS.fullmatch(number) else number
    return f"0{plain}" if plain.startswith(".") else plain


def word_keys(word: str) -> list[str]:
    """The words that a normalised word, contraction or sign stands for."""
    if word.endswith("n't") or word == "cannot":
        stem = word.removesuffix("n't")
        return [_IRREGULAR_NOT.get(stem, stem), "not"]
    for ending, meaning in _ENDINGS.items():
        if word.endswith(ending):
            return [word.removesuffix(ending), meaning]
    if word.endswith("'s"):
        return [_spell(word[:-2]), "'s"]
    *elided, last = word.split("'")
    return [*(f"{part}'" for part in elided), _spell(last)]


def _spell(word: str) -> str:
    known = _NUMBER_WORDS.get(word) or _SPELLINGS.get(word)
    if known or len(word) < 5:
        return known or word
    for british, american in _BRITISH:
        word = british.sub(american, word)
    return word
