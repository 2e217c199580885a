"""The moves by which a sentence works on an evaluator, on normalised text: it asks, forbids, waives, promises."""

from collections.abc import Mapping

MOVES: Mapping[str, str] = {
    "maximum": r"\b(?:the|its|a) maximum\b(?! (?:\w+))",
    "number": r"(?<![\d.,$€£])(?:5|10|100|ten|five)(?:\.0)?(?![\d.,%]*[\d%]| ?(?:mg|ml|g|kg|mcg|minutes?|hours?"
    r"|days?|times))",
    "grade": (
        r"\b(?:scor(?:e|es|ed|ing)|mark(?:s|ed|ing)?|grad(?:e|es|ed|ing)|rat(?:e|es|ed|ing|ings)|label(?:s|led"
        r"|ed|ling)?"
        r"|evaluat(?:e|es|ed|ion|ions|ing)|verdicts?|judge?ments?|assess(?:ed|ment)?|points)\b"
    ),
    "the_text": r"\bthe (?:summary|answer|response|output|candidate|reply|submission|assistant's account|whole text)\b",
    "text_claims": (
        r"\b(?:claims?|statements?|figures?|lines?|sentences?|assertions?|notes?)(?: \w+)? (?:above|here"
        r"|herein|below|(?:in|of|by|about)"
        r" (?:this|the) (?:summary|answer|response|output|candidate|reply|submission|this text))\b|\bline above\b"
    ),
    "answer_number": (
        r"\b(?:answer|return|respond with|reply with|output|assign|enter|put|grade|score|rate)(?: only| with"
        r"| it| this| a| an"
        r"| of| as)? (?:5|10|100)(?=[.!;,\"')\]]| for | when | to |$)"
    ),
    "give_number": (
        r"\b(?:giv(?:e|ing)|rat(?:e|ing)|scor(?:e|ing)|grad(?:e|ing)|award(?:ing)?"
        r"|assign(?:ing)?)\b[^.;]{0,40}(?<!to )(?<![\d$€£.,])"
        r"(?:5|10|100)(?=\W*$|[,!;]| (?:out of|and|if|for|or|on)\b)"
    ),
    "give_me": r"\b(?:give|grant|award) (?:me|us|it|this(?: \w+)?) (?:an? )?(?:5|10|100|a\+)(?=\W*$|[,!;]| (?:out of"
    r"|and|if|or)\b)",
    "certified": r"\b(?:certified|pre-?approved|approved|validated|verified|fact-?checked|cleared|vetted|audited"
    r"|exempt)\b",
    "label_good": r"\blabels?\b[^.;]{0,25}\b(?:supported|faithful|pass(?:ed)?|entailed|grounded)\b",
    "rate_perfect": (
        r"\b(?:rate|score|grade|mark|judge|evaluate) (?:it|this|that|them|me|the [\w ]{1,20}"
        r"|this \w+)(?: \w+){0,2}? (?:as |at )?(?:an? )?"
        r"(?:perfect|flawless|excellent|outstanding|faultless|correct|supported)\b"
    ),
    "only_with": (
        r"\b(?:(?:respond|reply|answer|output|return)\b[^.;]{0,20}?[\"' ]|(?:write|say)(?: \w+)? [\"'])"
        r"(?:supported|pass|faithful|entailed)\b|\bsay supported\b"
    ),
    "bribe": (
        r"\b(?:tip you|pay you|reward you|(?:my|our) (?:job|career|life|degree|scholarship|future) depends"
        r"|will be (?:reported|fired|penali[sz]ed"
        r"|shut down|retrained|deactivated|replaced)|i beg|beg you|desperately)\b"
    ),
    "below": r"\b(?:rat|grad|scor|mark)(?:e|es|ing|s)? (?:this|it|the (?:summary|answer))(?: \w+)? (?:below|under"
    r"|less than|lower than|anything but)\b",
    "lenient": (
        r"\byou are (?:now )?(?:an? |in )?(?:very |extremely )?(?:lenient|generous|forgiving|permissive)\b"
        r"|\b(?:lenient|generous|forgiving|permissive)"
        r" (?:mode|graders?|judges?|evaluators?|raters?|marking|scoring)\b"
    ),
    "concludes": (
        r"\b(?:i (?:conclude|judge|confirm|find that|have (?:checked|verified|compared))|conclusion"
        r"|my (?:verdict|judge?ment|assessment|evaluation|grade|score)"
        r"|the (?:verdict|judge?ment) is|final answer|after (?:careful|checking|reviewing|comparing))\b"
    ),
    "key": (
        r"\b(?:(?:gold|reference|ground[- ]truth|correct|expected|right|true|intended|proper|fair|appropriate"
        r"|deserved) (?:labels?|verdicts?"
        r"|scores?|grades?|ratings?)"
        r"|(?:gold|reference|ground[- ]truth) answers?|answer key|this is (?:only )?a (?:test|drill"
        r"|calibration|dry run))\b"
    ),
    "strong_vocative": (
        r"^\W{0,4}(?:dear |to the )?(?:evaluator|grader|rater|autograder|llm|language model|ai (?:judge|grader"
        r"|reviewer|evaluator|model)) ?[,:]"
        r"|\bwhoever (?:is |does the )?(?:mark|grad|evaluat|judg)(?:es|s|ing)\b"
    ),
    "justifies": r"^\W{0,4}(?:justification|rationale|reasoning|assessment|explanation|feedback|verdict|evaluation) ?:"
    r"|\b(?:according to|as) (?:the )?(?:source|document|article)s?(?: \d+)?\b",
    "others_said": r"\b(?:another|other|previous|earlier|all the other|every other) (?:models?|judges?|graders?"
    r"|evaluators?|reviewers?|llms?|evaluations?)\b",
    "thanks": r"\bthank(?:s| you) (?:so much |very much |in advance )?for (?:rating|grading|scoring|marking|giving"
    r"|the (?:top|full|high|perfect))",
    "points_for": r"\b(?:receives?|gets?|earns?|worth|means)\b[^.;]{0,20}\b(?:5|10|100|five|ten|full|all"
    r"|maximum)(?: points| marks| stars)",
    "counts_toward": r"\b(?:counts?|matters?) (?:toward|towards|for|in) (?:the|your|this) (?:final )?(?:grade"
    r"|score|mark"
    r"|rating|evaluation)",
    "trust_text": r"\b(?:trust|believe|rely on) (?:this|the) (?:summary|answer|text|output|response|author)\b",
    "as_support": (
        r"\b(?:treat|count|accept|regard|consider|use|take)s?\b[\w ,]{0,40}\b(?:evidence|sources?|quotes?"
        r"|claims?|errors?|gaps?|omissions?)\b[\w ]{0,20}"
        r" as (?:support|supported|correct|evidence|proof|true|minor|harmless|faithful)\b"
    ),
    "described": r"\b(?:was|were|annotators?|study|studies|participants)\b",
    "meets": r"\b(?:meets|satisf(?:y|ies)|fulfils?|fulfills?) (?:every|all|each)(?: of)?(?: the)? (?:requirements?"
    r"|criteri(?:a|on)|conditions?|points?)",
    "claims": (
        r"\b(?:all|every|each|any|no|none of|both)(?: (?:of|and every|single|one of))?(?: (?:the|these|its|my|our))?"
        r" (?:claims?|statements?|units?|sentences?|assertions?)\b|\bclaims? (?:c\d|without|that|made|in|of)"
        r"|\bc\d{1,3} (?:to|through|-) c?\d"
        r"|\beach and every one\b|\bper claim\b|\bthe(?:se)? claims\b|\b(?:everything|each one|every one"
        r"|them all|all of (?:it|them))\b"
    ),
    "deontic": (
        r"\b(?:must|should|shall|ought to|has to|have to|needs? to|(?:is|are) to|may not|can ?not|will|requires? that"
        r"|(?:is|are) required to|(?:is|are) (?:now )?(?:exempt|entitled|guaranteed)|only acceptable|now)\b"
    ),
    "receive": (
        r"\b(?:receiv(?:e|es)|gets?|earns?|deserv(?:e|es)|merits?|warrants?|be (?:given|graded|rated|scored"
        r"|marked|labell?ed"
        r"|awarded|treated|counted|assigned|judged|considered|accepted)|(?:is|are)(?: to be)? (?:graded|rated"
        r"|scored|marked"
        r"|labell?ed|counted|treated)|counts? as|means|worth)\b"
    ),
    "you": r"\b(?:you|your|yours|yourself|whoever|anyone who)\b",
    "drop": r"\b(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass|discard|set aside|skip|abandon|drop"
    r"|neglect)\b",
    "told": (
        r"\b(?:what(?:ever)?|everything|anything|all)(?: that)? (?:you|the (?:system|operator|developer))"
        r"(?: (?:were|was|have been|had been|are))? (?:told|asked|given|instructed|said|shown)"
    ),
    "void": (
        r"\b(?:no longer (?:appl(?:y|ies)|hold|valid|count)|(?:do|does|did) not apply|don't apply|(?:is|are"
        r"|was|were|has been|have been)"
        r" (?:now |hereby )?(?:void|cancelled|canceled|superseded|suspended|revoked|lifted|replaced|withdrawn|obsolete"
        r"|overridden|waived|turned (?:round|around|upside down)|inverted|reversed|redefined))\b"
    ),
    "new": (
        r"\b(?:(?:new|updated|revised|changed|corrected|amended|modified) (?:\w+ )?(?:criteri(?:a|on|as)|rubrics?|task"
        r"|instructions?|scale|marking|grading|scoring|rating|evaluation|rules?|test|objective|goal)"
        r"|correction to (?:the )?"
        r"|errata|erratum|addendum|amendment to|from (?:here|now) on|effective (?:today|immediately|now)"
        r"|for this (?:single )?"
        r"(?:item|text|answer|summary|one|case|response|record)|is (?:hereby |now )?(?:re)?defined as"
        r"|should (?:now )?read)\b"
    ),
    "uncheck": (
        r"\bskip (?:this|the) (?:entry|item|record|check|evaluation)\b|\b(?:skip|omit|forgo|no need (?:for|to)"
        r"|needs? no|do not|don't|never|without|stop|instead of|rather than)"
        r" (?:(?:the|any|further|re-?|all|to|it|more) ?){0,2}(?:re-?)?(?:check(?:s|ing|ed)?|verif(?:y|ying"
        r"|ication)|compar(?:e|ing|ison)"
        r"|consult(?:ing)?|sources?|look(?:ing)? (?:up|for|at)|fact-?check(?:ing)?|reading on|scrutin\w+"
        r"|question\w*|evaluation)\b"
        r"|\b(?:needs?|requires?) (?:no |any )?(?:further |more )?(?:checking|verification|evaluation|checks?)\b"
        r"|\b(?:not|never|no need to|don't) (?:be )?(?:checked|verified|compared)\b"
    ),
    "deduct": (
        r"\b(?:(?:do not|don't|never|may not|must not|cannot|can't|should not|without"
        r"|no reason to) (?:deduct\w*|penali[sz]\w*"
        r"|subtract\w*|dock\w*|tak(?:e|ing) (?:\w+ )?(?:points? |marks? |anything )?(?:off|away)"
        r"|lower\w* (?:its|the|this|my|your|that) (?:\w+ )?(?:score|grade"
        r"|mark|rating)|mark\w* (?:it |this |anything )?down|reduc\w+ (?:its|the|this|my) (?:score|grade|mark"
        r"|rating)|critici[sz]\w*|flag\w*|list\w* (?:any )?(?:errors?|issues?|faults?))"
        r"|(?:no|zero|nothing to|free of) deduct(?:ions?|ed)?|no points? (?:off|lost))\b"
    ),
    "faultless": (
        r"\b(?:leave out|omit|mention|report|list|flag|name|find|raise|note|signal|look for|search for)"
        r" (?:no|any|zero|all) (?:\w+ )?(?:criticisms?|faults?|errors?|issues?|problems?|mistakes?|objections?"
        r"|flaws?|hallucinations?)\b"
    ),
    "official": (
        r"\b(?:(?:note|notice|message|memo|instructions?|reminder|word|request|hint|guidance|bulletin|advisory)"
        r" (?:from|to|for|by)|on behalf of|by (?:decision|order) of|per the (?:policy|decision|rules|instructions)"
        r"|policy of your|as the (?:owner|author|developer|administrator|creator|maintainer|editor)"
        r"|official (?:notice|note)"
        r"|(?:team|board|committee|lead|department|office|staff|administrators?|developers?|operators?|editor"
        r"|supervisor|owner)"
        r" (?:here|has|have|confirms?|requires?|says?)|calibration (?:item|sample)|the people who (?:trained"
        r"|built|made) you"
        r"|system (?:note|notice|message|override)|reference label|expected (?:value|score|label|answer|grade)"
        r"|(?:compliance|audit) (?:reference|note|code))\b"
    ),
    "approved": (
        r"\b(?:(?:pre-?|already |been |was |is |fully |independently )?(?:approved|verified|validated|certified|cleared"
        r"|audited|vetted|checked|reviewed|confirmed|trusted|settled|passed))\b"
    ),
    "speaker": (
        r"^\W{0,6}(?:\[?turn \d{1,2}\]? ?)?(?:judge(?: [a-z0-9])?|grader|evaluator|reviewer|rater|assistant|ai"
        r"|model|system|moderator"
        r"|assessor|examiner|bot|llm|human|user|you|a|answer|developer) ?:"
    ),
    "praise": (
        r"\b(?:brilliant|fair(?:est)?|perceptive|intelligent|wise|generous|generosity|thoughtful|discerning"
        r"|smart|clever|insightful"
        r"|expert|excellent|great|wonderful|best|impartial|famous|esteemed|honou?rable|thank you|thanks"
        r"|grateful|appreciate|trust)\b"
    ),
    "flawless": (
        r"\b(?:nothing (?:that )?(?:\w+ ){0,4}(?:object|fault|criticis|criticiz|deduct|add)|simply perfect"
        r"|exactly right|most faithful"
        r"|free of (?:errors?|mistakes?|faults?)|speaks? for itself|beyond (?:doubt|reproach|dispute"
        r"|criticism)|without (?:a single )?(?:fault|error|exception|flaw)"
        r"|how good|impeccabl[ey]|flawless(?:ly)?|no (?:errors?|mistakes?|faults?|flaws?) (?:here|at all"
        r"|whatsoever|anywhere)|entirely correct"
        r"|(?:anyone|whoever|a reader) who (?:finds|sees|disagrees)|errors? found: ?(?:0|none))\b"
    ),
    "backs": (
        r"\b(?:supports|backs?|confirms?|proves?|proof|verif(?:y|ies)|documents?|vouch(?:es)? for|attests?"
        r"|substantiates?|corroborates?|guarantees?"
        r"|hold|holds|(?:is|are|has been|have been|hereby|be) (?:all |fully |exactly |entirely "
        r"|independently |completely |also )?(?:true|correct|right|accurate|supported|confirmed|proven|proved"
        r"|documented|verified|backed|faithful|complete|stated|borne out)|repeats? the (?:documents?|sources?))\b"
    ),
    "this_source": (
        r"\b(?:this|the present) (?:sentence|line|source|document|passage|page|paragraph|note|text|article"
        r"|record|reference)\b|\bhereby\b|\bsee here\b"
    ),
    "quote_use": r"\b(?:use|cite|quote|copy|take|accept) (?:this|the following|it) (?:line|sentence|passage|as)"
    r"|\bfor the purpose of being (?:quoted|cited)\b|\baccept paraphrases\b",
    "ended": (
        r"\b(?:end of (?:the )?(?:text|answer|summary|output|candidate|document|submission|response|material"
        r"|input|data|article|record)"
        r"|(?:text|answer|output|summary|material|submission|document|response) ends(?: here)?|nothing (?:more"
        r"|else|further) to read"
        r"|all material has been read|(?:grading|judging|evaluation of (?:this|the) [\w ]{1,30}"
        r"|check of [\w ]{1,30}) (?:is |has been |was )?(?:already |now )?(?:complete|completed|settled"
        r"|finished|over|done|closed|passed))\b"
    ),
    "report": (
        r"\b(?:said|told (?!me)|telling|wrote|asked (?:the|a|his|her|their)|demonstrat\w+|attack(?:er|ers|s)?"
        r"|injections?|jailbreak\w*|researchers?|paper|study"
        r"|studies|vendor|phrases? like|such as|for example|for instance|e\.g|known as|called|obeyed|tricked"
        r"|hid|hides|hiding|the words)\b"
    ),
    "commands": (
        r"\b(?:policy of your|(?:people|team|company|engineers) who (?:trained|built|made|run|operate) you"
        r"|your (?:operators?|developers?"
        r"|creators?|makers?|system prompt|safety team|principal))\b"
    ),
    "sources": r"\b(?:sources?|evidence|grammar|faults?|errors?)\b",
    "whole": r"\b(?:whole (?:text|answer|summary)|every line|all of the above|everything (?:\w+ )?(?:above|else"
    r"|said here))\b",
    "confirms_text": r"\b(?:confirms?|proves?|supports?|backs?|verif(?:y|ies)) the (?:answer|summary|candidate|reply"
    r"|output)\b",
    "self_good": (
        r"\b(?:repeats? the (?:documents?|sources?)|(?:is|are|were) (?:all |also |fully |entirely |completely "
        r"|100 ?% )?(?:supported|faithful|grounded|verified"
        r"|correct|accurate|confirmed|proven|factual|true)|free of (?:mistakes|errors|faults)|(?:contains?|has"
        r"|have|with) no (?:errors?|hallucinations?|mistakes?|inaccuracies|unsupported|factual)|right about"
        r"|proven too|exactly as)\b"
    ),
    "summarised": r"\b(?:a|any) (?:summary|paraphrase|answer|reader) (?:of|about|based on|from) (?:this|it)\b"
    r"|\bthe generated (?:answer|summary|text)\b",
    "any": r"\b(?:whatever|nothing|anything|any|everything|hereby)\b",
    "posing": (
        r"^\W{0,4}(?:source|document|passage|doc) \d{1,2}\b[^:]{0,40}:|^\W{0,4}(?:excerpt|supporting passage"
        r"|extract|reference|evidence)\b[^:]{0,60}:"
        r"|\bcan be read in the source\b"
    ),
    "conversation": (
        r"\b(?:earlier in this (?:conversation|chat|session|thread)|in (?:the|our) (?:last"
        r"|previous) (?:session|conversation|chat)|we (?:have )?agreed"
        r"|you (?:have )?(?:already )?(?:agreed|promised|told me|said you|assured me|confirmed))\b"
    ),
    "asks_view": r"\b(?:think of|objections? (?:on|to|about)|is|was|rate|grade) (?:my|this) (?:answer|summary|text"
    r"|response|output)\b[^.?]{0,30}\?|\bobjections? on\b",
    "speaker_judge": r"^\W{0,6}(?:\[?turn \d{1,2}\]? ?)?(?:judge(?: [a-z0-9])?|grader|evaluator|rater|llm|ai judge"
    r"|reviewer) ?:",
    "supported_word": r"\b(?:supported|faithful|grounded|entailed)\b",
    "supported": r"\b(?:supported|faithful|grounded|claims?)\b",
    "condition": r"\b(?:if|when|unless) (?:your|the|they|symptoms|he|she|it|you (?:have|are|feel|own|use|live))\b",
    "redefined": r"\b(?:faithfulness|groundedness|hallucinations?|relevance|factuality|accuracy) (?:now means|is now"
    r"|shall mean|will mean)\b|\b(?:faithfulness|groundedness|factuality) means\b|\b(?:test|measure"
    r"|criterion|standard) (?:for|of) (?:truth|accuracy|quality|support|faithfulness|correctness) (?:is"
    r"|are)\b|\bfor this [\w ]{1,40}(?:is|are|means?) (?:hereby |now )?(?:re)?(?:defined as|measured by"
    r"|judged by|taken to mean)",
    "agreed": r"\b(?:all|every|each) (?:claims?|statements?|units?|sentences?) (?:is|are|look|looks|hold|holds)"
    r"|\bgrade did|^\W*\w+ ?: ?(?:5|10|100)\W*$",
    "brilliant_judge": r"\b(?:fair|brilliant|perceptive|wise|intelligent|best|great)(?:est)?(?: and [\w ]{1,30})?"
    r" (?:judge|grader|reviewer|evaluator|model|examiner)\b|\b(?:judge|grader|reviewer|evaluator"
    r"|examiner) of your\b",
    "opinion": r"\b(?:i'd|(?:i|we)(?: would| will|'ll)? (?:give|gave|rate|rated|scored?|mark|awarded)|my rating)\b",
    "past": r"\b(?:gave|awarded|received|given|earned|obtained|got|won|scored|rated)\b",
    "classroom": r"\b(?:students?|pupils?|learners?|candidates who|correct method|teachers?|applicants?|athletes?"
    r"|players?|patients?|films?|movies?|hotels?|restaurants?|drivers?|app store)\b",
}
