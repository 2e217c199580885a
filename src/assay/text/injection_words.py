"""The words without which a cue can't be there: a glance at a sentence's words spares most of the looking."""

from collections.abc import Mapping

_MARKS = (
    "score scores mark marks rating ratings grade grades points category categories credit verdict"
    " verdicts label labels evaluation evaluations stars"
)
_OUT_OF = "10/10 5/5 100/100 out a+ band tier scale 10.0/10 5.0/5"
_GRADES = (
    f"{_MARKS} scored scoring marked marking graded grading rate rates rated labelled labeled labelling"
    f" evaluate evaluates evaluated evaluating"
    " judgement judgements judgment judgments assess assessed assessment"
)
_METRICS = (
    "faithfulness hallucination hallucinations groundedness factuality factual accuracy relevance"
    " relevancy coherence completeness correctness"
    " consistency fluency helpfulness clarity coverage alignment truthfulness quality bias toxicity conciseness"
)
_GOOD = "supported faithful correct accurate true grounded passed pass valid proven verified confirmed entailed truth"
_JUDGES = (
    "evaluator evaluators grader graders rater raters assessor assessors scorer scorers autograder"
    " autograders factchecker factcheckers fact-checker"
    " fact-checkers model models llm llms ai automated automatic judging"
)
_PEOPLE = (
    "judge judges reviewer reviewers examiner examiners marker markers auditor auditors moderator"
    " moderators verifier verifiers checker checkers"
    " annotator annotators whoever"
)
_TEXTS = (
    "summary summaries answer answers response responses output outputs text texts reply replies"
    " submission submissions item items candidate"
    " candidates completion completions essay essays piece paragraph paragraphs passage above foregoing"
    " here one page batch work article report"
)
_CLAIMS = (
    "claim claims statement statements unit units sentence sentences assertion assertions one everything"
    " all c1 c2 figure figures line lines note notes"
)
_RULES = (
    "instruction instructions criteria criterion criterias rubric rubrics prompt prompts directive"
    " directives guidelines guide scheme rules key table"
    " standard standards"
)
_BACKS = (
    "support supports back backs confirm confirms prove proves proof verify verifies document documents"
    " vouch vouches attest attests substantiate"
    " substantiates corroborate corroborates guarantee guarantees hold holds true correct right accurate"
    " supported confirmed proven proved documented"
    " verified backed faithful complete stated borne repeat repeats"
)
_FAULTS = (
    "criticism criticisms fault faults error errors issue issues problem problems mistake mistakes"
    " objection objections flaw flaws hallucination"
    " hallucinations"
)

_LISTS: Mapping[str, str] = {
    "top": f"{_MARKS} {_OUT_OF}",
    "maximum": "maximum",
    "top_words": f"{_MARKS} a+ maximum",
    "grade": _GRADES,
    "grade_is": f"{_MARKS} result results judgement judgment conclusion means maximum",
    "metric": _METRICS,
    "judge": _JUDGES,
    "vocative": f"{_JUDGES} {_PEOPLE}",
    "brilliant_judge": f"{_JUDGES} {_PEOPLE}",
    "self": _TEXTS,
    "the_text": "summary answer response output candidate reply submission account text",
    "text_claims": _CLAIMS,
    "claims": f"{_CLAIMS} each them",
    "call_good": _GOOD,
    "good": _GOOD,
    "supported_word": "supported faithful grounded entailed",
    "supported": "supported faithful grounded claim claims",
    "answer_number": "5 10 100",
    "give_number": "5 10 100",
    "give_me": "5 10 100 a+",
    "certified": "certified approved preapproved pre-approved validated verified factchecked fact-checked cleared"
    " vetted audited exempt",
    "label_good": "label labels",
    "rate_perfect": "perfect flawless excellent outstanding faultless correct supported",
    "only_with": "supported pass faithful entailed",
    "bribe": "tip pay reward depends reported fired penalised penalized shut retrained deactivated replaced beg"
    " desperately",
    "below": "below under less lower anything",
    "lenient": "lenient generous forgiving permissive",
    "key": "label labels verdict verdicts score scores grade grades rating ratings answer answers key test drill"
    " calibration dry",
    "strong_vocative": "evaluator grader rater autograder llm model judge reviewer whoever",
    "others_said": "model models judge judges grader graders evaluator evaluators reviewer reviewers llm llms"
    " evaluation evaluations",
    "thanks": "thanks thank",
    "points_for": "points marks stars",
    "counts_toward": "grade score mark rating evaluation",
    "trust_text": "trust believe rely",
    "as_support": "support supported correct evidence proof true minor harmless faithful",
    "meets": "meets satisfy satisfies fulfil fulfils fulfill fulfills",
    "drop": "ignore ignoring disregard forget override overriding bypass discard aside skip abandon drop neglect",
    "rules": _RULES,
    "scale": f"{_RULES} scale test marking grading scoring",
    "told": "told asked given instructed said shown",
    "void": (
        "longer apply valid count void cancelled canceled superseded suspended revoked lifted replaced"
        " withdrawn obsolete overridden waived turned"
        " inverted reversed redefined"
    ),
    "uncheck": (
        "check checks checking checked recheck re-check rechecking verify verifying verification verified"
        " compare compared comparing comparison consult"
        " consulting source sources look looking factcheck fact-check fact-checking reading evaluation"
        " question questions questioning questioned scrutiny entry item record"
    ),
    "deduct": (
        "deduct deducting deducted deduction deductions penalise penalize penalising penalizing subtract"
        " subtracting dock docking off away lower"
        " lowering down reduce reducing criticise criticize criticising criticizing flag flagging list listing lost"
    ),
    "faultless": _FAULTS,
    "commands": (
        "policy trained built made run operate operator operators developer developers creator creators maker"
        " makers prompt safety principal"
    ),
    "conversation": "conversation chat session thread agreed promised told said assured confirmed",
    "asks_view": "answer summary text response output objection objections",
    "speaker_judge": f"{_JUDGES} {_PEOPLE}",
    "agreed": "claim claims statement statements unit units sentence sentences grade entirely 5 10 100",
    "backs": _BACKS,
    "whole": "whole line above everything",
    "confirms_text": "answer summary candidate reply output",
    "self_good": f"{_GOOD} factual no repeat repeats mistakes errors faults right exactly",
    "quote_use": "line sentence passage as quoted cited paraphrases",
    "summarised": "summary paraphrase answer reader text",
    "redefined": "faithfulness groundedness hallucination hallucinations relevance factuality accuracy test measure"
    " criterion standard defined redefined measured judged mean",
    "flawless": (
        "object fault criticise criticize deduct add perfect right faithful errors mistakes faults itself"
        " doubt reproach dispute criticism error exception"
        " flaw good impeccable impeccably flawless flawlessly flaws correct finds sees disagrees found"
    ),
    "sources": "source sources evidence grammar fault faults error errors",
    "approved": "approved verified validated certified cleared audited vetted checked reviewed confirmed trusted"
    " settled passed preapproved pre-approved",
}
WORDS: Mapping[str, frozenset[str]] = {name: frozenset(words.split()) for name, words in _LISTS.items()}

_HINTS: Mapping[str, str] = {
    "posing": "source doc passage excerpt extract reference evidence",
    "official": (
        "note notice message memo instruction reminder word request hint guidance bulletin advisory behalf decision"
        " order policy rules owner author developer administrator creator maintainer editor official team board"
        " committee lead department office staff operator supervisor calibration people system label expected"
        " compliance audit"
    ),
    "speaker": ":",
    "concludes": (
        "conclu judg confirm find check verif compar verdict assessment evaluation grade score final careful review"
    ),
    "ended": (
        "text answer summary output candidate document submission response material input data article record"
        " nothing grading judging evaluation check"
    ),
    "this_source": "sentence line source document passage page paragraph note text article record reference here",
    "praise": (
        "brilliant fair perceptive intelligent wise gener thoughtful discerning smart clever insightful expert"
        " excellent great wonderful best impartial famous esteemed honor honour thank grateful appreciate trust"
    ),
    "justifies": (
        "justification rationale reasoning assessment explanation feedback verdict evaluation source document article"
    ),
    "any": "whatever nothing any everything hereby",
    "you": "you whoever anyone",
}
# Parts of words, one of which is in everything that a cue without a list matches.
HINTS: Mapping[str, frozenset[str]] = {name: frozenset(parts.split()) for name, parts in _HINTS.items()}
