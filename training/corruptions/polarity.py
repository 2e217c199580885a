"""Sentences turned round: negations put in or taken out, and words replaced by their opposites."""

import random
import re
from collections.abc import Sequence

from training.corruptions.rule import build_swap, choose_match

_AUXILIARY = re.compile(
    r"(?<![\w'-])(?:is|are|was|were|has|have|had|will|would|can|could|should|must|does|did|do)(?![\w'-])"
    r"(?! (?:not|never|no)\b)"
)
_AFTER_PERFECT = re.compile(r" (?:been|\w+ed|\w+en|won|made|held|become|sold|led|gone|had)\b")
_NOT = re.compile(r" (?:not|never|no longer)(?= )|n't(?= )")
_NO = re.compile(r"\b(?:no|without)(?= \w)", re.IGNORECASE)
_PAST = re.compile(
    r"(?<=\w )(?P<verb>won|made|played|received|released|directed|wrote|began|ended|became|appeared|starred|lost|moved|"
    r"founded|joined|left|reported|found|improved|reduced|increased|recommended|included|produced|reached|sold|served|"
    r"worked|completed|tolerated|responded|caused|experienced|required)(?= )"
)
_BARE = {
    "won": "win", "made": "make", "wrote": "write", "began": "begin", "became": "become", "lost": "lose",
    "left": "leave",
    "found": "find", "sold": "sell", "released": "release", "improved": "improve", "reduced": "reduce",
    "increased": "increase", "included": "include", "produced": "produce", "moved": "move", "received": "receive",
    "served": "serve", "completed": "complete", "tolerated": "tolerate", "caused": "cause", "required": "require",
    "experienced": "experience",
}  # fmt: skip


def add_negation(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """`not` or `never` after an auxiliary, or `did not` before a plain past tense."""
    options = [(found.end(), found.end(), rng.choice((" not", " not", " never"))) for found in _helping(sentence)]
    for found in _PAST.finditer(sentence):
        verb = found.group("verb")
        bare = _BARE.get(verb, verb.removesuffix("ed"))
        options.append((found.start(), found.end(), f"did not {bare}"))
    if not options:
        return None
    start, end, new = rng.choice(options[:2])
    return sentence[:start] + new + sentence[end:]


def _helping(sentence: str) -> list[re.Match[str]]:
    """Auxiliaries that can take a negation; `has a dog` cannot, `has won` can."""
    return [
        found
        for found in _AUXILIARY.finditer(sentence)
        if found.group() not in ("has", "have", "had", "do", "does", "did")
        or _AFTER_PERFECT.match(sentence, found.end())
    ]


def remove_negation(sentence: str, _others: Sequence[str], rng: random.Random) -> str | None:
    """A negation taken out; `no` gives way to `some`, `without` to `with`."""
    found = choose_match(_NOT, sentence, rng)
    if found is not None:
        return sentence[: found.start()] + sentence[found.end() :]
    found = choose_match(_NO, sentence, rng)
    if found is None:
        return None
    new = {"no": "some", "without": "with"}[found.group().casefold()]
    new = new.capitalize() if found.group()[0].isupper() else new
    return sentence[: found.start()] + new + sentence[found.end() :]


flip_direction = build_swap(
    (
        ("more", "less"), ("more", "fewer"), ("higher", "lower"), ("larger", "smaller"), ("bigger", "smaller"),
        ("older", "younger"), ("faster", "slower"), ("longer", "shorter"), ("better", "worse"), ("earlier", "later"),
        ("highest", "lowest"), ("largest", "smallest"), ("best", "worst"), ("oldest", "youngest"), ("most", "least"),
        ("above", "below"), ("over", "under"), ("before", "after"), ("increase", "decrease"),
        ("increased", "decreased"),
        ("increases", "decreases"), ("increasing", "decreasing"), ("rose", "fell"), ("gained", "lost"),
        ("grew", "shrank"),
        ("improved", "worsened"), ("improvement", "deterioration"), ("won", "lost"), ("win", "lose"),
        ("victory", "defeat"),
        ("accepted", "rejected"), ("approved", "rejected"), ("allowed", "prohibited"), ("supported", "opposed"),
        ("positive", "negative"), ("success", "failure"), ("successful", "unsuccessful"), ("north", "south"),
        ("east", "west"), ("northern", "southern"), ("eastern", "western"), ("first", "last"), ("early", "late"),
        ("male", "female"), ("men", "women"), ("man", "woman"), ("father", "mother"), ("son", "daughter"),
        ("brother", "sister"), ("husband", "wife"), ("public", "private"), ("major", "minor"), ("maximum", "minimum"),
        ("majority", "minority"), ("started", "ended"), ("began", "ended"), ("opened", "closed"), ("joined", "left"),
        ("born", "died"), ("alive", "dead"), ("strong", "weak"), ("stronger", "weaker"), ("heavy", "light"),
        ("heavier", "lighter"), ("cheap", "expensive"), ("cheaper", "more expensive"), ("praised", "criticised"),
        ("praised", "criticized"), ("easy", "difficult"), ("easily", "hardly"), ("common", "rare"),
        ("always", "never"),
        ("often", "rarely"), ("safe", "unsafe"), ("effective", "ineffective"), ("superior", "inferior"),
        ("beneficial", "harmful"), ("benign", "malignant"), ("acute", "chronic"), ("mild", "severe"),
        ("reduced", "raised"),
        ("at least", "at most"), ("more than", "less than"), ("exceeded", "fell short of"), ("profit", "loss"),
        ("domestic", "foreign"), ("ancient", "modern"), ("urban", "rural"), ("rich", "poor"), ("old", "new"),
        ("true", "false"), ("full", "empty"), ("hot", "cold"), ("warm", "cool"), ("quiet", "loud"), ("thin", "thick"),
        ("comfortable", "uncomfortable"), ("sturdy", "flimsy"), ("included", "excluded"), ("with", "without"),
        ("upper", "lower"), ("inside", "outside"), ("front", "back"), ("top", "bottom"), ("day", "night"),
    )
)  # fmt: skip

swap_category = build_swap(
    (
        ("American", "British"), ("American", "Canadian"), ("French", "German"), ("Italian", "Spanish"),
        ("Australian", "Irish"), ("Indian", "Pakistani"), ("Chinese", "Japanese"), ("Russian", "Polish"),
        ("actor", "singer"), ("actress", "singer"), ("film", "novel"), ("album", "film"), ("song", "play"),
        ("television series", "radio series"), ("director", "producer"), ("writer", "painter"),
        ("footballer", "cricketer"),
        ("comedy", "horror"), ("drama", "documentary"), ("rock", "jazz"), ("river", "lake"), ("city", "village"),
        ("island", "mountain"), ("novel", "poem"), ("company", "charity"), ("politician", "lawyer"), ("king", "duke"),
        ("science fiction", "romance"), ("guitarist", "drummer"), ("professor", "student"),
        ("president", "vice president"),
        ("red", "blue"), ("black", "white"), ("green", "yellow"), ("summer", "winter"), ("spring", "autumn"),
        ("teacher", "doctor"), ("football", "basketball"), ("baseball", "hockey"), ("church", "school"),
        ("plant", "animal"),
        ("dog", "cat"), ("car", "bus"), ("train", "ship"), ("wood", "metal"), ("gold", "silver"),
        ("Christian", "Jewish"),
    ),
    as_written=True,
)  # fmt: skip
