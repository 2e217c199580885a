"""A run as one self-contained HTML file: no network, opens from disk, prints well."""

from collections.abc import Iterable, Iterator, Sequence

from assay.domain.scorecard import Scorecard
from assay.pages.agreement_view import AgreementView
from assay.pages.assets import inline_assets
from assay.pages.environment import build_environment
from assay.pages.gate import Gate
from assay.pages.ranking import record_key
from assay.pages.record_view import RecordView, build_record_view
from assay.pages.run_view import RunView

MOST_RECORDS = 500


def render_html(
    view: RunView,
    cards: Iterable[Scorecard],
    gates: Sequence[Gate] = (),
    most: int = MOST_RECORDS,
    agreement: AgreementView | None = None,
) -> Iterator[str]:
    """The page in pieces. `cards` come in the order of the run; of more than `most` those that `Ranking` chooses."""
    records = list(_choose(view, cards, most))
    template = build_environment().get_template("report.html")
    return template.generate(view=view, records=records, gates=gates, agreement=agreement, inlined=inline_assets())


def _choose(view: RunView, cards: Iterable[Scorecard], most: int) -> Iterator[RecordView]:
    chosen = view.ranking.choose(most)
    for position, card in enumerate(cards):
        if position in chosen:
            yield build_record_view(card, record_key(position))
