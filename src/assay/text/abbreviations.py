"""Abbreviations, whose full stop ends no sentence, and words that open a sentence, by language."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache


class Stop(Enum):
    """What the full stop after a word says about the end of a sentence."""

    PLAIN = "an ordinary word: the stop ends the sentence"
    BOUND = "the stop never ends the sentence"
    BOUND_TO_NUMBER = "the stop is bound where a number follows, ordinary elsewhere"
    DOUBTFUL = "the stop ends the sentence only where a clear opener follows"


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """An abbreviation that is listed with a capital counts only with it: in small letters it is a word."""

    bound: frozenset[str]
    before_number: frozenset[str]
    doubtful: frozenset[str]
    openers: frozenset[str]
    ordinal_stop: bool

    def stop_after(self, word: str) -> Stop:
        """Judge `word`, given without its last full stop."""
        elided = max(word.rfind("'"), word.rfind("’"))
        if 0 < elided < len(word) - 2:
            word = word[elided + 1 :]
        folded = word.lower()
        if folded in self.bound or word[:1] + folded[1:] in self.bound:
            return Stop.BOUND
        if folded in self.before_number:
            return Stop.BOUND_TO_NUMBER
        if folded in self.doubtful or _INITIALS.fullmatch(word):
            return Stop.DOUBTFUL
        if self.ordinal_stop and _ORDINAL.fullmatch(word):
            return Stop.DOUBTFUL
        return Stop.PLAIN


# Nouns that a single letter names ("Product A."), so that the letter is no initial.
_LETTERED_LIST = (
    "product phone option plan group type vitamin hepatitis influenza model class grade brand item arm team part "
    "series appendix choice laptop device version"
)
LETTERED = frozenset(_LETTERED_LIST.split())
# What stands before a full stop, up to white space or an opening mark.
WORD_BEFORE = re.compile(r"[^\s(\[{\"“‘«—–*_]{1,40}$")
LONGEST_WORD = 40

# J, J.K, J.-P, U.S, b.i.d, Ph.D
_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*|(?:[^\W\d_]{1,2}\.){1,6}[^\W\d_]{1,2}")
_ORDINAL = re.compile(r"[0-3]?\d")
_ORDINAL_STOP_LANGUAGES = ("de", "da", "nb", "nn", "no", "fi", "cs", "sk", "sl", "hr", "sr", "hu", "pl", "et", "tr")

_LATIN = {
    "bound": "dr prof e.g i.e eg ie vs cf viz approx fig figs Mr Mrs Ms St",
    "before_number": "no nr vol p pp art ca max min tel rs",
    "doubtful": "etc al inc ltd co corp a.m p.m",
}

_BY_LANGUAGE = {
    "en": {
        "bound": "mr mrs ms mx messrs mmes incl esp aka eq eqs Gen Col Lt Sgt Capt Cmdr Maj Cpl Pvt Adm Rep "
        "Reps Sen Sens Gov Govs Pres Rev Hon Supt Msgr Fr Atty Insp Det Pfc Amb",
        "before_number": "nos vols sec sect ch chap ref refs tab para cl ex app ver est avg circa ft lb lbs oz hr hrs "
        "yr yrs wk wks mo in jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat "
        "sun q ext cat",
        "doubtful": "llc plc bros jr sr esq dept univ assn ave blvd rd st mt bldg gov't intl nat'l cont misc "
        "bid tid qid qd qhs qod po prn iv im sc inj tabs caps u.k yahoo!",
        "openers": "the he she it they we this that these those there in on at but and however when while after before "
        "if as for its his her their our a an i you what who why how where since although though because during most "
        "many some several another according also then meanwhile moreover furthermore additionally finally instead "
        "despite with from until unlike overall later today yesterday patients participants",
    },
    "es": {
        "bound": "sr sra srta sres dra profa ing lic ud uds vd vds p.ej ej aprox avda gral D Dª D.ª",
        "before_number": "núm num pág págs pag cap fig nº n.º art arts tomo aprox ene feb abr jun jul ago sept oct nov "
        "dic",
        "doubtful": "cía s.a ee.uu ee uu depto av máx mín",
        "openers": "el la los las un una unos unas en pero sin por para con según cuando si aunque además este esta "
        "estos estas ese esa esto eso ella él ellos ellas al del desde durante después también no se su sus como a y",
    },
    "fr": {
        "bound": "mm mme mmes mlle mlles pr me mgr env p.ex ex c.-à-d M",
        "before_number": "n n° art chap fig éd janv févr avr juil sept oct nov déc réf",
        "doubtful": "cie s.a bd av ste",
        "openers": "le la les un une des il elle ils elles on nous vous je ce cet cette ces mais en dans sur pour par "
        "avec selon quand si après avant depuis pendant cependant toutefois ainsi aussi son sa ses leur leurs l c d",
    },
    "de": {
        "bound": "bzw ggf vgl z.b u.a d.h evtl inkl exkl zzgl sog insb insbes hr fr ca circa Hrn Dipl Ing Med Phil",
        "before_number": "abs abb bd kap s seite ziff jan feb apr jun jul aug sept okt nov dez mio mrd",
        "doubtful": "usw u.s.w ff str mind mio mrd st tgl jr",
        "openers": "der die das den dem ein eine er sie es wir ihr ich dies diese dieser dieses im in am an auf bei "
        "mit nach seit von vor für aber und doch jedoch wenn als da während nun auch so dann dort hier laut zudem "
        "außerdem allerdings",
    },
    "it": {
        "bound": "sig sigg dott prof.ssa dott.ssa ing avv rag geom on p.es es ecc.mo Sig.ra Sig.na Mons",
        "before_number": "n pag pagg cap fig artt gen feb mar apr giu lug ago sett ott nov dic",
        "doubtful": "ecc s.p.a spa s.r.l srl ss",
        "openers": "il lo la i gli le un una uno egli ella lui lei loro noi questo questa questi queste ma in nel "
        "nella con per secondo quando se dopo prima durante tuttavia inoltre anche poi non si il l",
    },
    "pt": {
        "bound": "sr sra srs sras dra profa exmo exma eng ex p.ex aprox D",
        "before_number": "n nº núm pág págs fls cap fig jan fev mar abr mai jun jul ago set out nov dez",
        "doubtful": "cia s.a av r e.u.a eua ltda",
        "openers": "o a os as um uma uns umas ele ela eles elas nós em no na nos nas mas por para com segundo quando "
        "se embora além este esta estes estas esse essa isso isto após depois durante também não porém",
    },
    "vi": {
        "bound": "ths ts gs pgs bs ks cn lm Tp Tx Tt Q P Ql",
        "before_number": "đt số",
        "doubtful": "v.v vv đ.h tnhh",
        "openers": "các những một anh chị ông bà họ nó chúng tôi theo trong khi sau trước tuy nhưng và vì nếu đây đó "
        "ngoài hiện năm ngày từ tại với để cũng",
    },
}


@cache
def abbreviations(language: str) -> Abbreviations:
    """The lists of a language tag such as "en" or "pt-BR"; English where a language has none."""
    tongue = language.lower().replace("_", "-").partition("-")[0]
    own = _BY_LANGUAGE.get(tongue, _BY_LANGUAGE["en"])

    def words(kind: str) -> frozenset[str]:
        return frozenset(f"{_LATIN.get(kind, '')} {own.get(kind, '')}".split())

    return Abbreviations(
        bound=words("bound"),
        before_number=words("before_number"),
        doubtful=words("doubtful"),
        openers=words("openers"),
        ordinal_stop=tongue in _ORDINAL_STOP_LANGUAGES,
    )
