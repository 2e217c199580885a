"""Where a clause about a product opens, and whether its sentence states anything at all.

The words that turn a statement around have no end ("far from the cheapest", "the cheapest steel kettle", "$5.00 under
its list price"). What follows are therefore lists of the words that leave a statement as it is.
"""

import re
from typing import Final

WHOLE: Final = (
    r"(?:of|among|amongst|in|on|from|for)\s(?:(?:all|any|the|these|this|our|other|products?|compared|options)\s){0,3}"
    r"(?:three|(?<=the )3|(?<=all )3|(?<=these )3|lot|bunch|group|trio|comparison|list|table|set|options|products|them"
    r"|all)\b"
)
"""Everything that is compared, in words."""
_DOUBT: Final = re.compile(
    r"\b(?:if|unless|would|could|might|may|whenever|whether|suppos\w*|imagin\w*|false|wrong\w*|untrue|incorrect\w*|myth"
    r"|think\w*|thought|believ\w*|claim\w*|says?|said|expect\w*|used to|once|formerly|previously|exclud\w*"
    r"|except(?:ing)?|besides|aside|apart|without|barring|coupons?|vouchers?|another|bundles?|together|combined|leaving)\b"
    r"|\bwhen\b(?! it comes to\b)|\bonly (?:among|amongst|of|for|in|at|by|on)\b",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"\W*(?:(?:final |our )?(?:verdict|conclusion|summary|overall|pricing|price|ratings?|cost|in (?:short|summary"
    r"|conclusion|this comparison|contrast)|however|meanwhile|clearly|finally|here)\b[\s,:*–—-]{1,6})?"
    rf"(?:(?:{WHOLE}|(?:in terms of|when it comes to|for|of) (?:the )?(?:\w{{1,20}} )?"
    r"(?:price|pricing|cost|rating|affordability|discount)s?),\s)?(?:the )?(?:(?:product|option|item)\s#?)?",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(
    r"\b(?:while|whereas|but|and)[\s*]{1,3}(?:the )?(?:(?:product|option|item)\s#?)?$", re.IGNORECASE
)
# "Steel kettles: …" and "Under $40 …" speak of a part of the products only.
_LIMITED: Final = re.compile(
    r":|\b(?:between|both)\b|^\W*(?:above|after|among|amongst|at|behind|below|between|considering|for|given|in|looking|next|of|over|under|with"
    r"|within)\b",
    re.IGNORECASE,
)
_STATED: Final = re.compile(
    r"\b(?:is|are|was|has|have|costs|offers|comes|gets|sells|saves|earns|holds|remains|boasts|boils|drops)\b",
    re.IGNORECASE,
)
_LONGEST_OPENING: Final = 90
_LONGEST_JOINT: Final = 30


def is_doubted(text: str) -> bool:
    """Whether a condition, a hearsay, a past or an exception stands anywhere in a sentence."""
    return _DOUBT.search(text) is not None


def opens_clause(text: str, at: int) -> bool:
    """Whether a name there is the first thing said: after nothing, after "Overall,", after "while the"."""
    if at <= _LONGEST_OPENING and _OPENING.fullmatch(text[:at]):
        return True
    before = text[:at]
    joined = _JOINT.search(before[-_LONGEST_JOINT:])
    # In "the Brisa ($35) and the Tavo ($45) cost $80" nothing was stated yet that "and" could go on from.
    return joined is not None and _STATED.search(before) is not None and not _LIMITED.search(before)
