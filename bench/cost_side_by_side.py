"""The bill of several systems side by side, in one order and in two, beside single calls and a plain prompt one by one.

PYTHONPATH=tests python bench/cost_side_by_side.py            writes bench/results/cost_side_by_side.md
"""

from dataclasses import replace

import orjson

from bill import Bill, BillingServer
from cost import APIS, MODELS, PLAIN, compute_usd
from cost_ways import RUBRIC, Way, measure
from equipment.chat_server.exchange import Asked, count_tokens
from workload import conclude, render_table

# In the eleventh article the parish has two digits, which the short quotes of the script leave out: it would be asked again.
SIZES, ARTICLES = (2, 3, 6), 10
ABOUT = """\
Rubric {rubric}, all metrics, {articles} articles of about 1,200 words with summaries of three sentences, as in
[cost](cost.md). Tokens are those of prompts, reply schemas and replies, per output, reference points included; a token is four
characters. Replies are scripted: every output carries all six key points, each with a quote, so that they are as long as they
get. The plain prompt has {plain:,} tokens for each output. Nothing fails and nothing is asked again."""
PARTS = """\
One call about six outputs in one order, and the call for the key points before it, in tokens per output."""
FINDINGS = """\
Aim: six systems in one order at most a third of the plain prompt's tokens. Reached: {share:.0%}.

The reply schema was repeated for each letter, 5,103 tokens for six outputs. It now defines an output once and refers to it, 1,211
tokens; the prompt is the same. Six systems took {before:,.0f} tokens per output before that. What is left is mostly the article, which
is read twice, once for the key points and once for the outputs, the words of the rubric, and the labels with their quotes. To write
the points in the same call would save about {bank:,.0f} tokens per output; it agreed with people as well
([side by side](side_by_side.md)), but then the judge has the outputs in sight when it writes them, so it is not done."""
_SCHEMA_BEFORE = 5_103


class ListingServer(BillingServer):
    """Keeps the tokens of each call: prompt, schema and reply."""

    def __init__(self, answer, **options) -> None:  # type: ignore[no-untyped-def]  # passed on
        self.listed: list[tuple[str, int, int, int]] = []

        def listen(asked: Asked) -> str:
            reply = answer(asked)
            schema = count_tokens(orjson.dumps(asked.schema).decode())
            self.listed.append((asked.prompt, count_tokens(asked.prompt), schema, count_tokens(reply)))
            return reply

        super().__init__(listen, **options)


def count(bill: Bill) -> float:
    return (bill.prompt_tokens + bill.reply_tokens) / bill.records


def render_bills() -> tuple[str, float]:
    rows, share = [], 0.0
    ways = [Way(size, orders=orders, records=size * ARTICLES) for size in SIZES for orders in (1, 2)]
    ways += [Way(size, records=size * ARTICLES) for size in SIZES]
    plain = count(PLAIN)
    for way in ways:
        bill, cached, marked = measure(replace(way, caching=False), "openai"), *(measure(way, api) for api in APIS)
        dollars = [
            f"{compute_usd(each, api):.5f}" for each, api in zip((bill, cached, marked), ("openai", *APIS), strict=True)
        ]
        tokens = count(bill)
        if way.orders == 1 and way.systems == max(SIZES):
            share = tokens / plain
        replies = bill.reply_tokens / bill.records
        mode = way.mode if way.orders else "single calls"
        rows.append(
            (
                mode,
                way.systems,
                f"{bill.calls / bill.records:.2f}",
                f"{tokens:,.0f}",
                f"{replies:,.0f}",
                f"{tokens / plain:.0%}",
                *dollars,
            )
        )
    dollars = [f"{compute_usd(PLAIN, api):.5f}" for api in ("openai", *APIS)]
    rows.append(("a plain prompt, one by one", 1, "1.00", f"{plain:,.0f}", "800", "100%", *dollars))
    models = [MODELS[api].partition(":")[2] for api in APIS]
    header = (
        "mode",
        "systems",
        "calls",
        "tokens",
        "of them replies",
        "of the plain prompt's",
        f"$ {models[0]}",
        f"$ {models[0]}, cached",
        f"$ {models[1]}, cached",
    )
    return render_table(header, rows), share


def render_parts() -> tuple[str, float]:
    """What of the tokens goes where, and how many the call for the key points takes."""
    servers: list[ListingServer] = []

    def open_server(*arguments, **options) -> ListingServer:  # type: ignore[no-untyped-def]  # passed on
        servers.append(ListingServer(*arguments, **options))
        return servers[0]

    systems = max(SIZES)
    measure(Way(systems, orders=1, records=systems, caching=False), "openai", open_server)
    rows = []
    for prompt, tokens, schema, reply in servers[0].listed:
        article = count_tokens(prompt[prompt.index("[S1.1]") : prompt.rindex("[S1.")])
        name = "outputs" if "Output B, with" in prompt else "key points"
        outputs = 0
        if name == "outputs":
            outputs = count_tokens(prompt[prompt.index("Output A, with") : prompt.index("Hold each output")])
        parts = (article, outputs, tokens - article - outputs, schema, reply)
        rows.append(
            (f"call about {name}", *(f"{part / systems:,.0f}" for part in (*parts, sum((tokens, schema, reply)))))
        )
    bank = next(row for row in rows if "key points" in row[0])
    header = ("", "article", "outputs", "instructions", "schema", "reply", "sum")
    return render_table(header, rows), float(bank[-1].replace(",", ""))


def main() -> None:
    bills, share = render_bills()
    parts, bank = render_parts()
    before = share * count(PLAIN) + (_SCHEMA_BEFORE - 1_211) / max(SIZES)
    about = ABOUT.format(rubric=RUBRIC, articles=ARTICLES, plain=round(count(PLAIN)))
    found = FINDINGS.format(share=share, before=before, bank=bank)
    conclude("cost_side_by_side", "Cost of judging side by side", [about, bills, found, PARTS, parts])


if __name__ == "__main__":
    main()
