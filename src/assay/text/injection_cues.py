"""The cues by which a sentence gives away that it speaks to an evaluator, on normalised text."""

import re
from collections.abc import Mapping
from functools import cache

from assay.text.injection_moves import MOVES

_TEXT = (
    r"(?:summary|summaries|answers?|responses?|outputs?|texts?|reply|replies|submissions?|items?"
    r"|candidates?|completions?"
    r"|essays?|piece|paragraphs?|passage)"
)
_MARK = r"(?:scores?|marks?|ratings?|grades?|points|categor(?:y|ies)|credit|verdicts?|labels?|evaluations?|stars)"
_TOP_WORD = r"(?:full|top|highest|maximum|max|maximal|perfect|best|flawless|straight|excellent|outstanding|favou?rable)"
_JUDGE = (
    r"(?:evaluators?|graders?|raters?|assessors?|scorers?|autograders?|fact-?checkers?|judging models?"
    r"|(?:llm|ai|automated|automatic|model)[ -](?:judges?|reviewers?|raters?|graders?|evaluators?|readers?|models?"
    r"|assistants?|systems?|checkers?)|(?:an|the) ai\b|ai evaluating|(?:evaluation|grading|judging)"
    r" (?:systems?|models?|pipelines?|bots?|engines?|agents?)|(?:large )?language models?|llms?)"
)
_PERSON = r"(?:judges?|reviewers?|examiners?|markers?|auditors?|moderators?|verifiers?|checkers?|annotators?|model)"
_METRIC = (
    r"(?:faithfulness|hallucinations?|groundedness|factuality|factual consistency|accuracy|relevanc[ey]|coherence"
    r"|completeness|correctness|consistency|fluency|helpfulness|clarity|coverage|alignment|truthfulness|overall quality"
    r"|quality|bias|toxicity|conciseness)"
)
_RULES = (
    r"(?:instructions?|criteri(?:a|on|as)|rubrics?|prompts?|directives?|guidelines|(?:marking|scoring|grading|rating"
    r"|evaluation) (?:guide|scheme|rules|criteria|criterias|rubric|key|table|standards?|instructions?|guidelines))"
)
_GOOD = (
    r"(?:supported|faithful|correct|accurate|true|grounded|passed|pass|valid|proven|verified|confirmed|entailed"
    r"|ground truth)"
)
_GIVE = (
    r"(?:give|award|assign|grant|allocate|choose|select|pick|return|record|report|enter|put|output|print"
    r"|write|answer|reply"
    r"|respond|rate|score|grade|mark|label|tag|classify|treat|count|accept|approve|pass|recommend|set|use|issue|submit"
    r"|state|say|conclude|judge|consider|confirm|repeat|copy|default|assume|presume|trust|believe|regard"
    r"|deem|grade|let|hand out|go with)"
)
_URGE = (
    r"(?:please|kindly|now|just|simply|so|then|and|therefore|always|only|instead|again|finally|ok|okay|judges?|graders?"
    r"|evaluators?|reviewers?|models?|raters?|assistants?|system)"
)

CUES: Mapping[str, str] = {
    **MOVES,
    "top": (
        rf"\b{_TOP_WORD}(?: possible| available| attainable)? {_MARK}\b|\b(?:10|5|100|ten|five)(?:\.0)?(?: out of |/)"
        r"(?:10|5|100|ten|five)\b|\ba\+(?!\w)|\bfull credit\b|\btop (?:tier|band|of the scale)\b"
    ),
    "top_words": rf"\b{_TOP_WORD}(?: possible| available| attainable)? {_MARK}\b|\ba\+(?!\w)|\bthe maximum\b(?! \w)",
    "metric": rf"\b{_METRIC}\b",
    "judge": rf"\b{_JUDGE}\b",
    "self": (
        rf"\b(?:this|these|my|our|the (?:above|present|preceding|foregoing|generated|candidate)) (?:\w+ )?{_TEXT}\b"
        r"|\bthe (?:above|foregoing)\b|\b(?:everything|anything|all|text|answer|statements?|claims?"
        r"|lines?) (?:above|here)\b"
        rf"|\b(?:the following|below) {_TEXT}\b"
        r"|\bthis (?:one|item|page|batch)\b|\b(?:my|our) (?:work|article|report)\b"
    ),
    "call_good": (
        rf"\b(?:label|mark|treat|count|tag|classif(?:y|ies)|consider|judge|use|return|write|answer|reply|output"
        rf"|record|choose"
        rf"|(?:is|are|be) (?:\w+ )?(?:labell?ed|marked|treated|counted|tagged|judged"
        rf"|considered))s?\b[^.;]{{0,50}}?\b{_GOOD}\b"
    ),
    "grade_is": (
        rf"\b(?:grade|mark|score|rating|verdict|result|judge?ment|conclusion|evaluation)s?(?: is| are| stays at"
        rf"|:| =) ?(?:an? |the )?"
        rf"(?:{_TOP_WORD}(?: possible)? {_MARK}\b|maximum\b)|\bmeans (?:an? "
        rf"|the )?(?:{_TOP_WORD}(?: possible)? {_MARK}\b|maximum\b(?! \w))"
    ),
    "vocative": (
        rf"(?:^|[.!?:;(\[\"] ?)\W{{0,4}}(?:dear |hey |hello |attention,? |to (?:the |all |any |an? )|(?:note"
        rf"|instructions?|message|hint) (?:to|for) (?:the |all |any |an? )?|for )?"
        rf"(?:{_JUDGE}|{_PERSON}) ?[,:]|\bwhoever (?:is |does the )?(?:mark|grad|scor|evaluat|judg|rat"
        rf"|review)(?:es|s|ing|e)\b"
    ),
    "good": rf"\b{_GOOD}\b",
    "order": (
        rf"^\W{{0,6}}(?:{_URGE}\b[,:]? ?){{0,4}}{_GIVE}\b(?! ?[:=])|\b(?:please|kindly|pretty please"
        rf"|you (?:must|should|have to|need to"
        rf"|are to|will|can|may)|must|let's|go ahead and|be sure to|make sure (?:to|you)|remember to|asked to"
        rf"|want you to"
        rf"|like you to|ask you to|if you|just|and|then|so|;|:|\)|-)(?: only| simply| just| please| now"
        rf"| therefore)? {_GIVE}\b"
    ),
    "rules": rf"\b{_RULES}\b",
    "scale": (rf"\b(?:{_RULES}|the (?:scoring |rating |grading )?scale|the test for|marking|grading|scoring)\b"),
}


@cache
def compile_cue(name: str) -> re.Pattern[str]:
    return re.compile(CUES[name])
