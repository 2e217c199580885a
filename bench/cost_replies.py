"""What the server of the bill answers: replies as long as those of a strong language model, with the best labels.

The lengths are those of the replies behind results/people.md: to the article audit's prompt about all metrics 100 of them
had 534 tokens in the mean, for summaries of three sentences and six key points, with quotes of nine words; 20 replies with
key points had 202. Other tools get one entry for each sentence that their prompt is about, and reasons where they ask
for them.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from equipment.chat_server.exchange import Asked, list_units
from equipment.chat_server.server import answer_by_schema

_PASSAGE = re.compile(r"^\[((?:S\d+|[A-FO])\.\d+)\] (.+)$", re.MULTILINE)
_YEAR = re.compile(r"\b18\d\d\b")
_SENTENCE = re.compile(r"(?:In 18\d\d the|It was \d+ people) [^.]+\.")
_TITLE = re.compile(r'"title": "((?:Statement|NLIStatement)\w*Output|ExtractedKeyphrases|\w+Generated)"')
_LIST = re.compile(r"^\[.*\]$", re.MULTILINE)
_QUOTED_WORDS, _POINT_WORDS, _POINTS = 9, 16, 6
# The best label of a claim, of a section and of a key point.
_BEST = {"c": "supported", "p": "High", "k": "Fully"}
_REASON = "The summary reports the same repairs in the same sober way, without taking a side."
_NOTE = "as stated"
_THEME = "repairs to the buildings of a parish, year by year"
_ASPECTS = {
    "intent": "to record which parts of which buildings of the parish were repaired, when, and by how many people",
    "stance": "none, it takes no side",
    "tone": "sober, in the manner of a chronicle",
}
_QUESTIONS = 5


def answer_assay(asked: Asked) -> str:
    """All metrics that a prompt asks about, or a bank. Every quote is found, so that nothing is asked again."""
    reply = orjson.loads(answer_by_schema()(asked))
    passages = dict(_PASSAGE.findall(asked.prompt))
    sources = {place: text for place, text in passages.items() if place.startswith("S")}
    if reply.get("key_points"):
        reply["key_points"] = [
            {"sentences": [place, "S1.1"], "text": _cut(text, _POINT_WORDS), "weight": "main"}
            for place, text in [*sources.items()][:: len(sources) // _POINTS][:_POINTS]
        ]
    if "grades" in reply:
        return orjson.dumps(_answer_side_by_side(reply, asked.prompt, passages, sources)).decode()
    for answer in (each for each in reply.values() if isinstance(each, dict)):
        for key, value in answer.items():
            if isinstance(value, list):
                answer[key] = [_label(entry, passages, sources) for entry in value]
            elif isinstance(value, float):
                answer[key] = 10
            elif key == "aspects":
                answer[key] = _ASPECTS
            elif key == "reason":
                answer[key] = _REASON
            elif key == "theme":
                answer[key] = {"article_theme": _THEME}
    return orjson.dumps(reply).decode()


def _answer_side_by_side(
    reply: dict[str, Any], prompt: str, passages: Mapping[str, str], sources: Mapping[str, str]
) -> dict[str, Any]:
    """The same labels: every key point is carried. Reasons have at most twelve words."""
    grades = reply.pop("grades")
    points = list_units(prompt, "key_points")
    for letter, answer in reply.items():
        own = [place for place in passages if place.startswith(f"{letter}.")]
        quoted = {"sentence": own[0], "quote": _cut(passages[own[0]], _QUOTED_WORDS)}
        answer["coverage"] = {"key_points": [{"unit": unit, **quoted, "label": "Fully"} for unit in points]}
        claims = []
        for at, place in enumerate(own, 1):
            source = _find_source(passages[place], sources)
            evidence = {"sentence": source, "quote": _cut(sources[source], _QUOTED_WORDS)}
            claims.append({"unit": f"c{at}", **evidence, "label": "supported", "pieces": []})
        answer["hallucination"] = {"claims": claims}
        answer["alignment"] |= {"aspects": _ASPECTS}
        answer["relevance"] = {
            "theme": {"article_theme": _THEME},
            "sections": [{"unit": f"p{at}", "label": "High"} for at in range(1, len(own) + 1)],
        }
    for graded in (each for metric in grades.values() for each in metric.values()):
        graded |= {key: 8.5 if key != "reason" else _cut(_REASON, 12) for key in graded}
    return {**reply, "grades": grades}


def _label(entry: dict[str, Any], passages: Mapping[str, str], sources: Mapping[str, str]) -> dict[str, Any]:
    kind, number = entry["unit"][0], entry["unit"][1:]
    labelled = {**entry, "label": _BEST[kind]}
    if "evidence" in entry:
        place = _find_source(passages[f"O.{number}"], sources) if kind == "c" else "O.1"
        labelled |= {"evidence": [{"sentence": place, "quote": _cut(passages[place], _QUOTED_WORDS)}], "note": _NOTE}
    return labelled


def _find_source(claim: str, sources: Mapping[str, str]) -> str:
    """The sentence of the article with the claim's year."""
    year = _YEAR.findall(claim)[0]
    return next(place for place, text in sources.items() if f"In {year} " in text)


def _cut(text: str, words: int) -> str:
    return " ".join(text.split()[:words])


def answer_peer(asked: Asked) -> str:
    """A reply in the form that a prompt of DeepEval or Ragas asks for. The title of its schema tells what is wanted.

    Of the summaries, nothing is an opinion.
    """
    title = asked.schema["title"] if asked.schema else _TITLE.findall(asked.prompt)[-1]
    key, value = _PEER_REPLIES.get(title, ("reason", lambda _: f"The score is 1.00 because {_REASON}"))
    return orjson.dumps({key: value(asked.prompt)}).decode()


def _list_sentences(prompt: str) -> list[str]:
    return _SENTENCE.findall(prompt)


def _write_questions(sentences: Sequence[str]) -> list[str]:
    return [
        f"Was something mended in {_YEAR.findall(sentence)[0]}, and by people from the next valley?"
        for sentence in sentences
    ]


def _read_list(prompt: str) -> list[str]:
    """What DeepEval wants an answer for each of: the last list of a prompt, as Python writes it."""
    return ast.literal_eval(_LIST.findall(prompt)[-1])


def _read_input(prompt: str) -> dict[str, Any]:
    """The input of a prompt of Ragas, after the examples."""
    return orjson.loads(prompt[prompt.rindex("input: {") + len("input: ") : prompt.rindex("Output:")])


# By the title of the schema: the key of the reply, and what it holds. First DeepEval's, then Ragas's.
_PEER_REPLIES: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "Truths": ("truths", _list_sentences),
    "Claims": ("claims", _list_sentences),
    "Statements": ("statements", _list_sentences),
    "Opinions": ("opinions", lambda _: []),
    "Questions": ("questions", lambda prompt: _write_questions(_list_sentences(prompt)[:_QUESTIONS])),
    "Answers": ("answers", lambda prompt: ["yes"] * len(_read_list(prompt))),
    "Verdicts": ("verdicts", lambda prompt: [{"verdict": "yes", "reason": None}] * len(_read_list(prompt))),
    "StatementGeneratorOutput": ("statements", _list_sentences),
    "NLIStatementOutput": (
        "statements",
        lambda prompt: [
            {"statement": each, "reason": "The context tells of the same repair in the same year.", "verdict": 1}
            for each in _read_input(prompt)["statements"]
        ],
    ),
    "ExtractedKeyphrases": ("keyphrases", lambda prompt: [_YEAR.findall(each)[0] for each in _list_sentences(prompt)]),
    "QuestionsGenerated": ("questions", lambda prompt: _write_questions(_list_sentences(prompt))),
    "AnswersGenerated": ("answers", lambda prompt: ["1"] * len(_read_input(prompt)["questions"])),
}
