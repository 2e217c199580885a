"""The keywords of a text, reduced to their stems, and the passages that share most of them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import log
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from assay.text.scripts import SCRIPTS, UNSPACED, find_runs, letters_of, read_language

if TYPE_CHECKING:
    from collections.abc import Callable

_STEMMERS: Final = MappingProxyType(
    {
        "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english",
        "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
        "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
        "nl": "dutch", "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
        "sv": "swedish", "ta": "tamil", "tr": "turkish",
    }
)  # fmt: skip

_NUMBER: Final = r"\d+(?:[.,]\d+)*"
# Korean is spaced but glues its particles to the noun, so pairs of syllables meet where words would not.
_IN_PAIRS: Final = UNSPACED | {"hangul"}
# Thousands are parted by commas or by points; three decimals are taken for thousands too, in every text alike.
_GROUPING: Final = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")

_SATURATION: Final = 1.2
_LENGTH_WEIGHT: Final = 0.75

_STOP_WORDS: Final = MappingProxyType(
    {
        "en": """
            a about above after again all also am an and any are as at be because been before being below between both
            but by can could did do does doing down during each few for from further had has have having he her here
            hers herself him himself his how i if in into is it its itself just me more most my myself no nor not now
            of off on once only or other our ours out over own same she should so some such than that the their theirs
            them themselves then there these they this those through to too under until up very was we were what when
            where which while who whom why will with would you your yours yourself it's don't doesn't isn't
        """,
        "es": """
            a al algo algunas algunos ante antes aunque como con contra cual cuando de del desde donde durante e el
            ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba estas este esto estos está están
            fue fueron ha han hasta hay la las le les lo los me mi mientras mis muy más ni no nos o otra otras otro
            otros para pero por porque pues que quien se sea según ser si sido sin sobre son su sus sí también tan
            tanto te tiene tienen todo todos tu un una unas uno unos usted y ya yo él
        """,
        "fr": """
            a à ai au aucun aussi autre autres aux avait avant avec avoir c'est ce ceci cela celle celui ces cet cette
            ceux chaque comme d'un d'une dans de des donc dont du elle elles en encore entre es est et étaient était
            été être eu fait il ils j'ai je l' la le les leur leurs lors lui là ma mais me même mes moi mon n'est ne
            ni nos notre nous on ont ou où par parce pas peu peut plus pour qu'il qu'un que quel quelle qui sa sans se
            selon ses si son sont sous sur ta te tes toi ton tous tout toute très tu un une vos votre vous y
        """,
        "de": """
            aber alle allem allen aller alles als also am an auch auf aus bei bin bis bist da damit dann das dass dein
            dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem
            einen einer eines er es euch für gegen hat hatte hatten haben hier hin ich ihm ihn ihnen ihr ihre ihrem
            ihren ihrer im in ins ist jede jedem jeden jeder jedes kann kein keine keinem keinen keiner können man
            mein mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie
            sind so solche sondern über um und uns unser unter vom von vor war waren warum was weil wenn wer werden
            wie wieder wird wir wo wurde wurden zu zum zur zwischen
        """,
        "pt": """
            a ao aos aquela aquele aqui as até com como contra da das de dela dele depois do dos e ela elas ele eles
            em entre era eram essa essas esse esses esta estas este estes está estão eu foi foram há isso isto já lhe
            mais mas me mesmo meu minha muito na nas nem no nos não nós o os ou para pela pelas pelo pelos pois por
            porque qual quando que quem se seja sem ser seu seus sob sobre sua suas são só também te tem têm toda
            todas todo todos um uma você vocês à às é
        """,
        "it": """
            a ad agli ai al alla alle allo anche c'è che chi ci come con contro cui da dagli dai dal dalla dalle dei
            del della delle dello degli di dopo dove e ed era erano essere fra gli ha hanno ho i il in io la le lei li
            lo loro lui ma mi mia mio molto ne nei nel nella nelle nello noi non nostro o ogni per perché più poi
            prima qual quale quando quella quelle quelli quello questa queste questi questo qui se senza si sia sono
            sopra sotto su sua sue sugli sui sul sulla sulle suo suoi tra tu tua tuo tutti tutto un un' una uno vi voi
            è
        """,
        "vi": """
            ai anh bạn bà bị bởi các cái cho chúng có còn cô cũng của cùng do đã đang đây đấy đến để đi đó được gì hay
            họ hơn khi không là lại làm mà mình một mọi mỗi này nào nên nếu như nhưng những nó ở ông qua ra rất rằng
            sau sẽ ta tại theo thì trên trong trước tôi từ và vào vẫn về vì với
        """,
        "nl": """
            aan al alle als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge
            geen had hebben heb heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jullie kan kon kunnen
            maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te
            tegen toch toen tot u uit uw van veel voor want waren was wat we wel werd wezen wie wij wil worden wordt
            zal ze zelf zich zij zijn zo zonder zou
        """,
    }
)  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """Empty for a language without a list: every word then counts."""
    return frozenset(_STOP_WORDS.get(language, "").split())


@cache
def _token_pattern() -> re.Pattern[str]:
    """A number, or a word; digits that follow a letter belong to the word, as in HER2, and those before it do not."""
    letter, pairs = letters_of(SCRIPTS - _IN_PAIRS), letters_of(_IN_PAIRS)
    return re.compile(
        rf"(?P<number>{_NUMBER})|(?P<pairs>[{pairs}]+)|(?P<word>[{letter}][{letter}\d]*(?:['’][{letter}]+)*)"
    )


@cache
def _load_stemmer(language: str) -> "Callable[[str], str]":
    name = _STEMMERS.get(language)
    if name is None:
        return str
    from snowballstemmer import stemmer

    stem: Callable[[str], str] = stemmer(name).stemWord
    return lru_cache(maxsize=32_768)(stem)


def _split_pairs(run: str) -> Iterator[str]:
    for part in find_runs(run):
        letters = part.span.of(run)
        yield from (letters[i : i + 2] for i in range(max(1, len(letters) - 1)))


def keywords(text: str, language: str = "en") -> frozenset[str]:
    """Stems of the words that are no stop words, numbers as written plainly, pairs of letters where no spaces are."""
    return frozenset(_find_terms(text, language))


def _find_terms(text: str, language: str) -> Iterator[str]:
    code = read_language(language) or language
    stops, stem = stop_words(code), _load_stemmer(code)
    for match in _token_pattern().finditer(unicodedata.normalize("NFKC", text).casefold()):
        token = match[0]
        if match.lastgroup == "number":
            yield _GROUPING.sub("", token).replace(",", ".")
        elif match.lastgroup == "pairs":
            yield from _split_pairs(token)
        else:
            word = token.replace("’", "'")
            # An elided article is no part of its noun: l'étude, dell'età.
            bare = word.split("'", 1)[1] if code in {"fr", "it", "ca"} and "'" in word else word
            # A single letter is seldom a word, and never one that says what a text is about.
            if len(bare) > 1 and word not in stops and bare not in stops:
                yield bare if any(map(str.isdigit, bare)) else stem(bare)


def containment(part: str, whole_keywords: frozenset[str], language: str = "en") -> Fraction | None:
    """The share of the part's keywords that the whole has too; None where the part has none."""
    own = keywords(part, language)
    return Fraction(len(own & whole_keywords), len(own)) if own else None


class Index:
    """Passages by their stems, rated by BM25. It finds where to look; it never decides what is true."""

    def __init__(self, texts: Sequence[str], language: str = "en") -> None:
        self._language = language
        self._passages = [keywords(text, language) for text in texts]
        self._average = sum(map(len, self._passages)) / max(1, len(self._passages)) or 1.0
        self._counts = Counter(stem for passage in self._passages for stem in passage)
        self._postings: dict[str, list[int]] = {}
        for position, passage in enumerate(self._passages):
            for stem in passage:
                self._postings.setdefault(stem, []).append(position)

    def best(self, query: str, most: int) -> list[int]:
        """Positions of the best passages, best first; passages that share no stem are not among them."""
        scores: dict[int, float] = {}
        for stem in keywords(query, self._language):
            weight = self._weight(stem)
            for position in self._postings.get(stem, ()):
                length = len(self._passages[position]) / self._average
                norm = 1 + _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
                scores[position] = scores.get(position, 0.0) + weight * (_SATURATION + 1) / norm
        return sorted(scores, key=lambda position: (-scores[position], position))[:most]

    def share_found(self, stems: Iterable[str]) -> float:
        """The share of the stems' weight that the passages hold together. A stem found nowhere weighs most."""
        weights = {stem: self._weight(stem) for stem in stems}
        total = sum(weights.values())
        return sum(weight for stem, weight in weights.items() if stem in self._counts) / total if total else 0.0

    def _weight(self, stem: str) -> float:
        total, with_stem = len(self._passages), self._counts[stem]
        return log(1 + (total - with_stem + 0.5) / (with_stem + 0.5))
