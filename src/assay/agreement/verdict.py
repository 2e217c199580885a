"""The verdict on a judge for one metric: what its labels show, in one sentence with how many labels it rests on."""

from assay.agreement.bootstrap import FEWEST_CLUSTERS
from assay.agreement.estimate import Estimate, Figure, count_groups
from assay.agreement.figures import MEAN_ERROR, MetricAgreement
from assay.store.agreements import AgreementVerdict, JudgeFinding

# People and judge differ by less than this at most: about as well. With fewer labels than this, more may show it.
_MARGIN, _MANY = 0.1, 100
# What is said before and after the counts.
_WORDS: dict[JudgeFinding, tuple[str, str]] = {
    "too_few": ("Too few labels for a verdict", "Label more."),
    "undefined": ("No verdict, because the figure is undefined", ""),
    "no_better": ("No better than a constant guess", "Do not use it for this metric."),
    "not_shown": ("Not shown to be better than a constant guess", "Label more."),
    "better": ("Better than a constant guess", "How well people agree with each other is not known."),
    "unclear": ("Better than a constant guess", "Whether it agrees as well as people do needs more labels."),
    "below_people": (
        "Better than a constant guess, but agrees with people less well than they agree with each other",
        "",
    ),
    "as_people": ("Agrees with people about as well as they agree with each other", ""),
    "above_people": ("Agrees with people better than they agree with each other", ""),
}
_ORDER_ONLY = "Use its order only: its values are farther off than the median label."


def reach_verdict(found: MetricAgreement) -> AgreementVerdict:
    """From the intervals of the main figure, of the human ceiling and of the mean error."""
    finding = _judge(found)
    before, after = _WORDS[finding]
    noun = found.nouns[found.n != 1]
    size = f"{found.n} {noun} from {count_groups(found.clusters)}"
    sentence = f"{before} ({size})." + (f" {after}" if after else "")
    verdict = AgreementVerdict(finding, sentence, found.n, found.clusters, len(found.people))
    if verdict.is_better and _is_far_off(found):
        return AgreementVerdict(finding, f"{sentence} {_ORDER_ONLY}", found.n, found.clusters, len(found.people))
    return verdict


def find_ceiling(found: MetricAgreement) -> Figure | None:
    """The judge beside people in the same place; None where no record has two people's labels."""
    return next((each for each in found.figures if each.gap is not None and each.beside is not None), None)


def find_ends(found: Estimate) -> tuple[float, float] | None:
    """A figure that is the same in every resample has no interval: its value is both ends."""
    if found.interval is not None or found.value is None:
        return found.interval
    return (found.value, found.value) if found.clusters >= FEWEST_CLUSTERS else None


def _judge(found: MetricAgreement) -> JudgeFinding:
    main, ceiling = found.figures[0], find_ceiling(found)
    ends, constant = find_ends(main.judge), main.constant[1] if main.constant else 0.0
    if found.clusters < FEWEST_CLUSTERS:
        return "too_few"
    if main.judge.value is None:
        return "undefined"
    if ends is None:
        return "too_few"
    if ends[0] <= constant:
        return "no_better" if main.judge.value <= constant or found.n >= _MANY else "not_shown"
    gap = None if ceiling is None or ceiling.gap is None else find_ends(ceiling.gap)
    if gap is None:
        return "better"
    if gap[0] > 0:
        return "above_people"
    if gap[1] < 0:
        return "below_people"
    return "as_people" if gap[0] >= -_MARGIN else "unclear"


def _is_far_off(found: MetricAgreement) -> bool:
    """Whether a constant answer, the median of the labels, is nearer to them."""
    error = next((each for each in found.figures if each.name == MEAN_ERROR), None)
    ends = None if error is None else find_ends(error.judge)
    return error is not None and ends is not None and error.constant is not None and ends[0] > error.constant[1]
