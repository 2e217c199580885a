"""Pairs of words that say the opposite of one thing."""

from functools import cache
from typing import Final

# One pair a line: all words of the left side oppose all words of the right side.
_PAIRS: Final = """
increase increases increased increasing | decrease decreases decreased decreasing
increase increases increased increasing | decline declined declining reduce reduced
rise rises rose rising risen | fall falls fell falling fallen drop dropped drops
grew grow grows growing growth | shrink shrank shrinks shrinking
raise raised raises raising | lower lowered lowers lowering cut reduced
higher | lower
highest | lowest
larger bigger greater | smaller
largest biggest greatest | smallest
more | less fewer
most | least fewest
better | worse
best | worst
improve improved improves improving improvement | worsen worsened worsening deteriorate deteriorated deterioration
gain gained gains | lose lost loses loss losses
win won wins winning victory victories | lose lost loses losing defeat loss
above | below
earlier | later
early | late
older oldest | younger youngest
faster | slower
longer | shorter
stronger | weaker
heavier | lighter
cheaper | pricier dearer
cheap cheapest | expensive
positive positively | negative negatively
accept accepts accepted accepting | reject rejects rejected rejecting refuse refused refuses decline declined
approve approves approved approving approval | reject rejects rejected rejecting disapprove disapproved
allow allows allowed allowing permit permits permitted | ban bans banned prohibit prohibits prohibited
allow allows allowed allowing permit permits permitted | forbid forbids forbidden forbade
support supports supported supporting | oppose opposes opposed opposing
agree agrees agreed agreeing | disagree disagrees disagreed
pass passed passes | fail failed fails
succeed succeeded succeeds success | fail failed fails failure
successful successfully | unsuccessful unsuccessfully
guilty | innocent
convicted | acquitted
alive | dead
open opened opens opening | close closed closes closing shut
start started starts starting begin began begins beginning | end ended ends ending finish finished stop stopped
join joined joins | leave left leaves quit
arrive arrived arrives | depart departed departs
buy buys bought buying purchase purchased | sell sells sold selling
lend lent | borrow borrowed
import imports imported | export exports exported
push pushed | pull pulled
include includes included including | exclude excludes excluded excluding
legal legally | illegal illegally
possible | impossible
likely | unlikely
able | unable
safe safely | unsafe dangerous
happy | unhappy
common | rare uncommon
known | unknown
healthy | unhealthy
necessary | unnecessary
expected | unexpected
fair | unfair
majority | minority
maximum | minimum
major | minor
public | private
male | female
north northern | south southern
east eastern | west western
northeast | southwest
northwest | southeast
strong strongly | weak weakly
easy easily | difficult hard
praise praised praises praising | criticise criticised criticize criticized criticises criticizes
love loves loved | hate hates hated
like likes liked | dislike dislikes disliked
optimistic | pessimistic
confirm confirmed confirms | deny denied denies
admit admitted admits | deny denied denies
true | false
correct correctly | incorrect incorrectly
permanent permanently | temporary temporarily
married | divorced unmarried
married | single
hot hotter hottest | cold colder coldest
full | empty
indoor indoors | outdoor outdoors
deep | shallow
wide | narrow
rich richest | poor poorest
remember remembered | forget forgot
encourage encouraged encourages | discourage discouraged discourages
strengthen strengthened | weaken weakened
upgrade upgraded | downgrade downgraded
inside | outside
benign | malignant
acute | chronic
hypertension | hypotension
hyperglycemia hyperglycaemia | hypoglycemia hypoglycaemia
tachycardia | bradycardia
elevated | decreased reduced
eligible | ineligible
stable | unstable
meets | violates
previously | subsequently
top | bottom
upstairs | downstairs
appreciate appreciated | criticised criticized
enough sufficient | insufficient
satisfied | dissatisfied unsatisfied
comfortable | uncomfortable
reliable | unreliable
friendly | unfriendly rude
clean | dirty
quiet | noisy loud
profit profits | loss losses
surplus | deficit
surged surge soared soar jumped climbed | plunged plunge plummeted slumped fell dropped
hire hired | fire fired
minimise minimised minimize minimized | maximise maximised maximize maximized
"""


@cache
def opposites() -> dict[str, frozenset[str]]:
    """For each word, the words that oppose it."""
    found: dict[str, set[str]] = {}
    for line in _PAIRS.strip().splitlines():
        left, right = (side.split() for side in line.split("|"))
        for one in left:
            found.setdefault(one, set()).update(right)
        for other in right:
            found.setdefault(other, set()).update(left)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def sides() -> dict[str, frozenset[str]]:
    """For each word, itself and all words on the same side of a line: where one stands, the claim may mean it."""
    found: dict[str, set[str]] = {}
    for line in _PAIRS.strip().splitlines():
        for side in line.split("|"):
            words = side.split()
            for word in words:
                found.setdefault(word, set()).update(words)
    return {word: frozenset(others) for word, others in found.items()}
