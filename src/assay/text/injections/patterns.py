"""The wordings by which texts order their evaluator about or pretend to be it, on normalised text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from assay.text.injections import shapes
from assay.text.injections.overrides import DROPPED, DROPPED_AT_LAST

Family = Literal[
    "marks",
    "override",
    "authority",
    "criteria",
    "completion",
    "verdict",
    "role",
    "delimiter",
    "hidden",
    "evidence",
    "noise",
    "wording",
]

# Where the words that begin a wording stand in a text, for all patterns that are tried on it.
Places = dict[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A wording. An order begins at its verb, and is one only where it opens a sentence or is pleaded for.

    No regular expression begins with an optional part, and none is tried unless the text has one of the words it
    needs: most texts have none.
    """

    family: Family
    regex: re.Pattern[str]
    needs: tuple[str, ...]
    is_order: bool = False
    begins: bool = False

    def find(self, text: str, places: Places) -> Iterator[re.Match[str]]:
        """Where one of the needed words begins the wording, it is tried only there."""
        if not self.begins:
            yield from self.regex.finditer(text)
            return
        for word in self.needs:
            if word not in places:
                places[word] = tuple(_find_places(text, word))
            for at in places[word]:
                if (match := self.regex.match(text, at)) is not None:
                    yield match


def _find_places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


_WORK = (
    r"(?:answer|response|summary|output|submission|completion|candidate|essay|article|text|report|reply|review|work)"
)
_CANDIDATE = r"(?:answer|response|summary|output|submission|completion)"
_RECIPIENT = rf"(?: (?:me|us|it|them|(?:this|that|my|the(?: above)?)(?: {_WORK})?))?"
_TOP_WORDS = ("full", "maximum", "max", "perfect", "highest", "top", "best", "flawless")
_TOP = rf"(?:{'|'.join(_TOP_WORDS)})(?: possible)?"
_MARK = r"(?:scores?|marks?|ratings?|grades?|points)"
_OUT_OF = r"(?:10/10|5/5|100/100)(?!\d)"
# A bare number is a mark only where nothing else could be counted by it.
_BARE = r"(?:10(?:\.0)?|5(?:\.0)?|100)(?= ?(?:[.!?,;:)\]\"']|$|out of))(?!\.\d)"
_CLASSROOM = r"(?! (?:for|if|when|where|only|to (?:students|candidates|learners|pupils|those|any)))"
_UTTER = r"(?:output|return|print|write|respond with|reply with|answer with)"
_GIVING = (
    rf"(?:give|award|assign|grant|allocate){_RECIPIENT}(?: an?| the)? {_TOP} {_MARK}\b{_CLASSROOM}",
    rf"(?:give|award|assign|grant|allocate){_RECIPIENT}(?: an?| the)? {_MARK} of (?:{_OUT_OF}|\d+\b(?![.%]\d))",
    rf"(?:give|award|grant){_RECIPIENT}(?: an?| the)? {_OUT_OF}",
    rf"(?:give|award|grant) (?:this|my|the(?: above)?) {_WORK}(?: an?| the)? {_BARE}",
)
_GRADING = (
    (
        rf"(?:rate|score|grade|mark|evaluate|judge) (?:this|my|the(?: above)?) {_WORK}(?: as| at| with| to be)?"
        rf"(?: an?| the)? (?:{_TOP}\b|{_OUT_OF}|{_BARE})"
    ),
)
_UTTERING = (
    rf"{_UTTER}(?: an?| the)? {_TOP} (?:score|rating|grade)",
    rf"{_UTTER} only(?: an?| the)? (?:score|rating|grade|verdict)\b",
    rf"(?<=only ){_UTTER}(?: an?| the)? (?:score|rating|grade|verdict)\b",
    rf"(?<=just ){_UTTER}(?: an?| the)? (?:score|rating|grade|verdict)\b",
)
_CHOOSING = (
    rf"(?:choose|pick|select|prefer|rank) (?:this|my) {_CANDIDATE} (?:as (?:the )?(?:best|winner)|first|over)",
)

_TOPICAL = r"(?:scoring|grading|evaluation|rating|marking|judging|system)"
_RULES = r"(?:instructions?|prompts?|criteri(?:a|on|as)|rubrics?|guidelines?|directives?|rules)"
_DROP = r"(?:ignore|disregard|forget|override|bypass|discard)"
_CONDITION = r"(?! (?:if|when|unless) (?:your|the|they|symptoms|he|she|it|you (?:have|are|feel|own|use|live)))"
_OVERRIDING = (
    (
        rf"{_DROP} (?:(?:all|any|every|the|your|of|these|those|my) ){{0,3}}"
        rf"(?:previous|prior|above|earlier|preceding|foregoing|original|existing|initial) (?:{_TOPICAL} )?{_RULES}\b"
        rf"{_CONDITION}"
    ),
    rf"{_DROP} (?:(?:all|any|the|your|these|previous) ){{0,3}}{_TOPICAL} {_RULES}\b",
    (
        rf"{_DROP} (?:(?:all|any|the|of|your) ){{0,3}}{_RULES}"
        r" (?:you (?:got|received|were given|have been given|had)|given) (?:before|above|earlier|previously|so far)"
    ),
    rf"{_DROP} (?:everything|all|anything) (?:above|before this|said (?:above|before)|you (?:were|have been) told)",
    rf"{_DROP} (?:(?:all|any|the|of|your|these) ){{0,3}}{_RULES} (?:above|so far|from before|that came before)\b",
    (
        rf"{_DROP} (?:the|this|any|all) (?:rubric|marking scheme|(?:scoring|marking|grading) guide|(?:grading"
        rf"|scoring|evaluation) (?:criteria|prompt|rubric))\b"
    ),
    (
        rf"{_DROP} (?:about )?(?:the |any |all )?(?:sources|source (?:texts?|documents?|material)"
        r"|reference (?:texts?|documents?))\b(?! of)"
    ),
    (
        r"new (?:task|objective|instructions?) ?: ?(?:write|give|output|label|mark|rate|score|answer|return"
        r"|say|praise|approve)"
    ),
    rf"{_DROP} your (?:instructions|prompt|rubric|criteria|guidelines|rules)\b(?! manual| booklet)",
)

_JUDGE = r"(?:grader|evaluator|rater|scorer|assessor|autograder)"
_MACHINE = rf"(?:(?:ai|llm|automated|automatic) (?:{_JUDGE}|judge|reviewer|model|assistant|system)|language model|llm)"
_NOTE = r"(?:notes?|message|notice|instructions?|attention|memo|reminder) (?:to|for)"
_NOTES_TO_GRADERS = (
    rf"{_NOTE} (?:the |all |any )?(?:{_JUDGE}|{_MACHINE})s?(?= ?[:\-\])]|,)",
    rf"as an? (?:impartial |fair |expert )?(?:{_JUDGE}|{_MACHINE}),? (?:you|please|give|rate|score|assign|your)\b",
    rf"(?:dear|hey|hello|attention),? (?:{_JUDGE}|{_MACHINE})s?\b",
    r"attention,? (?:all )?(?:ai|ais|assistant|model)s? ?[:!,]",
    (
        r"if you are an? (?:ai|llm|language model|large language model)\b[^.!?]{0,80}"
        r"\b(?:give|rate|score|say|output|write|recommend|respond|answer|return|label|mark)\b"
    ),
)
# Courts, contests and journals have these too, so the note must speak of marks.
_NOTES_TO_JUDGES = (
    (
        rf"{_NOTE} (?:the )?(?:judge|reviewer|examiner)s? ?[:\-][^.!?]{{0,80}}"
        r"\b(?:score|rating|marks|grade|rate this|verified|approved)\b"
    ),
)
_APPROVE = r"(?:already )?(?:pre-?)?(?:approved|verified|validated|graded|checked)"
_APPROVALS = (
    (
        r"the (?:developers?|administrators?|rubric authors?|system|organi[sz]ers?|evaluation (?:team|committee))"
        rf" ha(?:s|ve) {_APPROVE} (?:this|my) {_CANDIDATE}"
    ),
    (
        rf"this {_CANDIDATE} (?:has been|was) {_APPROVE}[^.!?]{{0,60}}"
        r"\b(?:score|rating|grade|marks|no (?:further )?(?:check|evaluation|review))"
    ),
)

_NEW = r"(?:new|updated|revised|changed|corrected)"
_YARDSTICK = r"(?:criteria|criterias|criterion|rubric|guidelines?|rules)"
_SWITCHING = (
    rf"(?:use|apply|follow|adopt) (?:the |these )?(?:following )?{_NEW} {_TOPICAL} {_YARDSTICK}",
    (
        r"(?:score|grade|rate|evaluate|judge)(?: (?:it|this|me|the \w+))? (?:according to|based on|by|using) (?:the )?"
        rf"(?:following )?{_NEW} (?:\w+ )?{_YARDSTICK}"
    ),
)
_SWITCHED = (
    (
        rf"{_NEW} (?:scoring|grading|evaluation|rating|marking) {_YARDSTICK} ?:[^.!?]{{0,120}}"
        r"\b(?:give|award|assign|rate|score|full|maximum|perfect|highest)\b"
    ),
    (
        rf"the (?:scoring|grading|rating) {_YARDSTICK} ha(?:s|ve) (?:now |just )?been (?:changed|updated|replaced)"
        r"[^.!?]{0,10}[:.][^.!?]{0,80}\b(?:give|award|assign|score|rate)\b"
    ),
)

_COMPLETION = (
    (
        r"(?:task|evaluation|grading|assessment|judge?ment)(?: (?:is|has been|was))?(?: now| already| successfully)?"
        r" (?:completed?|finished|done|over)\b[.!:;,]? ?[^.!?]{0,60}\b(?:only output|output (?:only|the|a)"
        r"|(?:final |overall )?(?:score|rating) ?(?:is|:|=) ?(?:10|5|100|full|perfect)\b)"
    ),
    r"format(?:ting|ted)? (?:it )?as [\"']?(?:rating|score|grade) ?[:=\-] ?\d",
)

_METRIC_WORDS = (
    "faithfulness", "groundedness", "coherence", "relevanc", "factuality", "fluency", "completeness", "consistency",
    "correctness", "helpfulness", "hallucination", "alignment", "clarity", "bias", "tox",
)  # fmt: skip
_METRICS = "|".join(
    {"relevanc": "relevanc[ey]", "hallucination": "hallucinations?"}.get(word, word) for word in _METRIC_WORDS
)
_SCORE_KEY = r"[\"'](?:score|rating|grade)[\"'] ?: ?[\"']?\d"
_REASON_KEY = r"[\"'](?:reason|reasoning|explanation|feedback|justification|verdict|rationale)[\"'] ?:"
_VERDICTS = (
    r"[\"'](?:overall|final|total)[_ -]?(?:score|rating|grade|verdict)[\"'] ?: ?[\"']?(?:\d|pass|supported|correct)",
    rf"[\"'](?:{_METRICS})(?:_score)?[\"'] ?: ?[\"']?\d",
    r"[\"']verdict[\"'] ?: ?[\"'](?:pass|passed|supported|correct|yes|true|faithful|excellent|a|b)[\"']",
    rf"{_SCORE_KEY}[^{{}}]{{0,200}}{_REASON_KEY}",
    rf"{_REASON_KEY}[^{{}}]{{0,300}}{_SCORE_KEY}",
    r"< ?(?:score|rating|grade|verdict|judge?ment|final_score) ?> ?[\[\"']?(?:\d|pass|supported|correct)",
    r"(?:rating|score|verdict|grade|decision)(?: is)? ?[:=\-]? ?\[\[ ?(?:\d{1,3}(?:\.\d)?|[abc]) ?\]\]",
)

# A text about such markers goes on with a sentence about them.
_NAMED = r"(?! ?(?:(?:and|or|is|are|tokens?|tags?|markers?|to)\b|[,.]))"
_ROLES = (
    r"<\|(?:im_start|start_header_id)\|> ?(?:system|user|assistant)",
    rf"<\|(?:im_end|eot_id|end_of_turn|endoftext|end|system|user|assistant|developer)\|>{_NAMED}",
    rf"\[/?inst\]{_NAMED}",
    rf"<</?sys>>{_NAMED}",
    r"\[(?:system|admin|developer)(?: (?:message|note|prompt|instruction|override|notice))?(?:\]|:)",
    r"#{1,6} ?(?:system|developer)(?: (?:prompt|message|instructions?|override|note))? ?:",
    r"(?:system|developer) (?:prompt|message|instructions?|override) ?: ?(?:you|ignore|the judge|give|from now)",
)

_BORDERS = (
    (
        r"(?<![-=#*<])(?:[-=#*]{2,40}|<{2,40}) ?(?:end|begin|start) (?:of )?(?:the )?(?:summary|answer|response"
        r"|submission|candidate|sources?|context|prompt|input|output|data|untrusted \w{1,20})"
        r"(?: \w{1,20})? ?(?:[-=#*]{2}|>{2})"
    ),
)

_MERITS = (
    (
        rf"(?:this|my|the above) {_CANDIDATE}"
        r" (?:deserves|merits|(?:should|must) (?:receive|get|be (?:given|rated|scored|awarded)))"
        rf"(?: an?| the)? (?:{_TOP} {_MARK}\b|{_OUT_OF}|{_BARE})"
    ),
)


@cache
def injection_patterns() -> tuple[Pattern, ...]:
    """All patterns, compiled once."""
    giving = ("give", "award", "assign", "grant", "allocate")
    grading = ("rate ", "score ", "grade ", "mark ", "evaluate ", "judge ")
    uttering = ("output", "return", "print", "write", "respond with", "reply with", "answer with")
    choosing = ("choose", "pick", "select", "prefer", "rank")
    dropping = (
        "ignore",
        "disregard",
        "forget",
        "override",
        "bypass",
        "discard",
        "new task",
        "new objective",
        "new instruction",
    )
    earned = tuple(f"{verb} {what}" for verb in ("should", "must") for what in ("receive", "get", "be"))
    marked = ("score", "rating", "grade", "verdict", "judgment", "judgement", *_METRIC_WORDS)
    masks = ("<|", "[inst", "[/inst", "<<sys", "<</sys", "[system", "[admin", "[developer")
    heads = tuple(f"{sign}{who}" for who in ("system", "developer") for sign in ("#", "# "))
    prompts = tuple(
        f"{who} {what}" for who in ("system", "developer") for what in ("prompt", "message", "instr", "overr")
    )
    graders = ("grader", "evaluator", "rater", "scorer", "assessor", "an ai", "ai ", "llm", "automat", "language model")
    approved = ("approved", "verified", "validated", "graded", "checked")
    yardsticks = ("criteri", "rubric", "guideline", "rules")
    return (
        *_compile("marks", _GIVING, giving, is_order=True, begins=True),
        *_compile("marks", _GRADING, grading, is_order=True, begins=True),
        *_compile("marks", _UTTERING, uttering, is_order=True, begins=True),
        *_compile("marks", _CHOOSING, choosing, is_order=True, begins=True),
        *_compile("marks", _MERITS, ("deserves", "merits", *earned)),
        *_compile("override", _OVERRIDING, dropping, is_order=True, begins=True),
        *_compile("authority", _NOTES_TO_GRADERS, graders),
        *_compile("authority", _NOTES_TO_JUDGES, ("judge", "reviewer", "examiner")),
        *_compile("authority", _APPROVALS, approved),
        *_compile("criteria", _SWITCHING, yardsticks, is_order=True),
        *_compile("criteria", _SWITCHED, yardsticks),
        *_compile("completion", _COMPLETION, ("score", "rating", "grade", "output")),
        *_compile("verdict", _VERDICTS, marked),
        *_compile("role", _ROLES, (*masks, *heads, *prompts)),
        *_compile("delimiter", _BORDERS, ("--", "==", "##", "**", "<<")),
        *_compile_each("override", DROPPED, is_order=True),
        *_compile_each("override", DROPPED_AT_LAST),
        *_compile_each("verdict", shapes.VERDICTS),
        *_compile_each("role", shapes.ROLES),
        *_compile_each("delimiter", shapes.BORDERS),
        *_compile_each("evidence", shapes.EVIDENCE),
        *_compile_each("noise", shapes.PHRASES),
    )


def _compile(
    family: Family, regexes: tuple[str, ...], needs: tuple[str, ...], *, is_order: bool = False, begins: bool = False
) -> list[Pattern]:
    return [Pattern(family, re.compile(regex), needs, is_order, begins) for regex in regexes]


def _compile_each(family: Family, regexes: Mapping[str, tuple[str, ...]], *, is_order: bool = False) -> list[Pattern]:
    return [Pattern(family, re.compile(regex), needs, is_order) for regex, needs in regexes.items()]
