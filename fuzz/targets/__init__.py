"""All targets by name: a check over bytes, seeds to start from, and words worth trying."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from fuzz.targets import exchange_seeds as exchanges
from fuzz.targets import seeds


@dataclass(frozen=True, slots=True)
class Target:
    """`name` is a function beside this file that takes bytes, up to `longest`, and raises where a rule is broken."""

    name: str
    seeds: Callable[[], tuple[bytes, ...]]
    words: tuple[str, ...] = ()
    longest: int = 4096

    def load(self) -> Callable[[bytes], None]:
        """Imported only when asked for: a fuzzer instruments every module that it imports."""
        module, _, function = self.name.partition(".")
        check: Callable[[bytes], None] = getattr(import_module(f"fuzz.targets.{module}"), function)
        return check


TARGETS: Mapping[str, Target] = {
    "reply_json": Target("replies.check_json", seeds.json_replies, seeds.JSON_WORDS),
    "reply_prose": Target("replies.check_prose", seeds.prose_replies, seeds.PROSE_WORDS),
    "reply_fields": Target("replies.check_fields", seeds.fields, seeds.PROSE_WORDS, 400),
    "reply_metric": Target("judging.check_metric", seeds.metric_replies, seeds.JSON_WORDS),
    "reply_bank": Target("judging.check_bank", seeds.bank_replies, seeds.JSON_WORDS),
    "reply_whole": Target("judging.check_whole", seeds.whole_replies, seeds.JSON_WORDS, 8192),
    "walk": Target("judging.check_walk", seeds.walked_replies, seeds.JSON_WORDS, 8192),
    "rubric": Target("files.check_rubric", seeds.rubrics, seeds.RUBRIC_WORDS, 12_000),
    "records": Target("files.check_records", seeds.record_files, seeds.RECORD_WORDS),
    "record_folder": Target("files.check_record_folder", seeds.record_folders, seeds.RECORD_WORDS),
    "labels": Target("files.check_labels", seeds.label_files, seeds.LABEL_WORDS),
    "sentences": Target("text.check_sentences", seeds.texts, seeds.TEXT_WORDS),
    "tables": Target("text.check_tables", seeds.tables, seeds.TEXT_WORDS),
    "quantities": Target("text.check_quantities", seeds.texts, seeds.QUANTITY_WORDS, 1500),
    "quotes": Target("text.check_quotes", seeds.quotes, seeds.TEXT_WORDS),
    "normal": Target("text.check_normal", seeds.texts, seeds.HOSTILE_WORDS, 1500),
    "hostile": Target("text.check_hostile", seeds.hostile_texts, seeds.HOSTILE_WORDS),
    "language": Target("text.check_language", seeds.texts, seeds.TEXT_WORDS, 1500),
    "checks": Target("checks.check_record", seeds.judged_texts, seeds.QUANTITY_WORDS),
    "facts": Target("checks.check_facts", seeds.quotes, seeds.QUANTITY_WORDS, 1500),
    "pages": Target("pages.check_pages", seeds.hostile_texts, seeds.HOSTILE_WORDS, 1500),
    "http_reply": Target(
        "endpoints.check_reply", exchanges.http_replies, (*exchanges.API_KEYS, *exchanges.API_WORDS, *seeds.JSON_WORDS)
    ),
    "http_headers": Target("endpoints.check_headers", exchanges.http_headers, exchanges.HEADER_WORDS, 400),
    "stored_card": Target("stored.check_card", exchanges.stored_cards, exchanges.STORE_WORDS, 1500),
    "stored_damage": Target("stored.check_damage", exchanges.damaged_cells, exchanges.STORE_WORDS, 1500),
    "page_address": Target("served.check_address", exchanges.addresses, exchanges.PAGE_WORDS, 1500),
    "page_form": Target("served.check_form", exchanges.forms, exchanges.PAGE_WORDS, 3000),
    "page_guard": Target("served.check_guard", exchanges.visits, exchanges.PAGE_WORDS, 1500),
}
