"""The words whose change turns a statement into another one, by kind."""

from enum import StrEnum
from functools import cache

# Keys are language codes; Chinese and Japanese entries are single characters or endings, not words.
NEGATIONS = {
    "en": "not no never none nobody nothing nowhere neither nor without n't cannot hardly barely scarcely lack lacks"
    " lacked lacking absent absence fail fails failed except excluding unless non",
    "es": "no nunca jamás ni sin nadie nada ningún ninguno ninguna tampoco excepto",
    "fr": "ne n' pas jamais ni sans aucun aucune rien personne non sauf guère",
    "de": "nicht nie niemals kein keine keinen keiner keinem keines ohne weder niemand nichts außer",
    "pt": "não nunca jamais nem sem nenhum nenhuma ninguém nada tampouco exceto",
    "it": "non mai né senza nessun nessuno nessuna niente nulla neanche nemmeno eccetto",
    "vi": "không chưa chẳng đừng chớ vô trừ",
    "zh": "不 没 沒 無 无 未 非 别 別 勿 莫 否",
    "ja": "不 無 未 非 否",
    "ar": "لا ليس ليست لم لن غير بدون دون ما",
}
# Japanese verbs carry their negation behind the stem.
NEGATIVE_ENDINGS = ("ない", "なかっ", "なく", "ません", "なし", "ず", "ぬ")
# "ineligible" is not a kind of "eligible"; the same with a hyphen.
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "mis", "de", "a", "an")
HYPHENATED_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "anti", "mis", "no", "not", "never", "ex", "pseudo")
HYPHENATED_SUFFIXES = ("free", "less", "negative", "naive", "resistant")

# Words are looked up one by one: of Vietnamese "có thể" and "tất cả" the half that makes them a modal and a quantifier,
# for "có" alone is "has".
_MODALS = (
    "may might must will would shall should can could ought need needs likely unlikely possibly probably perhaps maybe"
    " possible probable certainly definitely always usually often sometimes rarely seldom suggests suggest appears"
    " seems potentially reportedly allegedly"
    " puede pueden podría debe deben peut peuvent pourrait doit doivent kann können könnte muss müssen soll sollte"
    " pode podem poderia deve devem può possono potrebbe deve devono thể phải nên"
)
_QUANTIFIERS = (
    "all most many some few none any only every each both either several half majority minority entire whole partly"
    " partially fully completely nearly almost about approximately roughly exactly least"
    " todos todas algunos algunas solo sólo cada tous toutes quelques seulement chaque alle einige nur jeder jede"
    " tutti tutte alcuni alcune ogni cả mọi chỉ"
)
_DIRECTIONS = (
    "increase increases increased increasing decrease decreases decreased decreasing rise rises rose rising fall falls"
    " fell falling grow grew growth shrink raise raised reduce reduces reduced reducing lower lowered higher high low"
    " more less fewer greater smaller larger above below over under before after during until since up down upper"
    " left right bilateral unilateral better worse improve improved worsen worsened gain gained lose lost loss positive"
    " negative first last earlier later faster slower longer shorter maximum minimum or against than to from"
    " más menos antes después plus moins avant après mehr weniger vor nach mais menos depois più meno prima dopo"
)
_UNITS = (
    "% g kg mg mcg ng l ml dl cl m cm mm km nm kcal cal kj j mol mmol mosm meq iu unit units lb lbs oz ft inch inches"
    " mile miles gallon gallons cup cups tablet tablets capsule capsules dose doses drop drops puff puffs percent"
    " percentage point points $ € £ ¥ ₹ usd eur gbp dollar dollars euro euros pound pounds cent cents second seconds"
    " sec minute minutes min hour hours h hr hrs day days daily week weeks weekly month months monthly year years"
    " yearly hourly once twice thrice bid tid qid prn thousand million billion trillion bn hz khz mhz ghz mb gb tb kb w"
    " kw mw kwh v mv ma psi pa kpa mmhg °c °f c f °"
)


class Guard(StrEnum):
    NUMBER = "number"
    UNIT = "unit"
    NEGATION = "negation"
    MODAL = "modal"
    QUANTIFIER = "quantifier"
    DIRECTION = "direction"


@cache
def _guards() -> dict[str, Guard]:
    guards: dict[str, Guard] = dict.fromkeys(_UNITS.split(), Guard.UNIT)
    guards |= dict.fromkeys(_DIRECTIONS.split(), Guard.DIRECTION)
    guards |= dict.fromkeys(_QUANTIFIERS.split(), Guard.QUANTIFIER)
    guards |= dict.fromkeys(_MODALS.split(), Guard.MODAL)
    for words in NEGATIONS.values():
        guards |= dict.fromkeys(words.split(), Guard.NEGATION)
    return guards


def guard_of(word: str) -> Guard | None:
    """Which kind of meaning the word carries, if it carries one by itself; the word is normalised."""
    if word[-1:].isdigit():
        return Guard.NUMBER
    return _guards().get(word)


def is_negated_form(word: str, other: str) -> bool:
    """Whether one word is the other with a negating prefix."""
    longer, shorter = (word, other) if len(word) > len(other) else (other, word)
    return len(shorter) >= 3 and any(longer == prefix + shorter for prefix in NEGATIVE_PREFIXES)
