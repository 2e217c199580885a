"""A user's own judge prompt: its slots, what is sent, and what becomes of the reply."""

import json
from pathlib import Path

import pytest
from shell import KEY, Ended, run, write_lines

import assay
from assay.files.rubrics import open_rubric
from assay.packs import list_packs
from equipment.chat_server.server import ScriptedServer, run_in_thread

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
REPLIES = Path(__file__).parents[1] / "foreign" / "replies"
BAG = {
    "id": "bag",
    "product_title": "Dune backpack",
    "reviews": ["The straps are soft {really}.", "It keeps the rain out."],
    "product_opinion_summary": "Soft straps; it keeps the rain out.",
}
REPLY = (
    "Important items in the input:\n1. Soft straps\n2. Keeps the rain out\n\nMatched items:\n1. Soft straps\n"
    "2. Keeps the rain out\n\nExcess items: None\n\nScore- <score>5</score>"
)
PLAIN = "Rate this summary: {Product_Opinion_Summary}\nReviews: {{ reviews }}\nRating: {average_rating}\n"
SCORE_RUBRIC = """# Politeness

- id: politeness
- version: 1

How polite is the answer?

## Inputs

| input | role | kind | required | meaning |
|---|---|---|---|---|
| question | source | text | yes | The question. |
| answer | output | text | yes | The answer. |

## Metric: politeness

- name: Politeness
- scale: 0 to 10, high is best, 1 decimal
- rule: grade

Is it polite?

### Grade

| level | meaning |
|---|---|
| 10 | Polite. |
| 0 | Rude. |

## Reply shape

- form: score
"""


def judge(
    folder: Path, template: str, *flags: object, reply: str = REPLY, record: object = None
) -> tuple[Ended, list[str]]:
    """How the command ended, and the prompts that the server received."""
    with run_in_thread(ScriptedServer(lambda _: reply)) as server:
        ended = judge_at(server, folder, template, *flags, record=record)
        return ended, ["\n".join(each["content"] for each in asked.body["messages"]) for asked in server.asked]


def judge_at(server: ScriptedServer, folder: Path, template: str, *flags: object, record: object = None) -> Ended:
    prompt = folder / "prompt.txt"
    prompt.write_text(template, encoding="utf-8")
    records = write_lines(folder / "r.jsonl", [record or BAG])
    rubric = () if "--rubric" in flags else ("--rubric", "opinion-relevance")
    judges = () if "--judge" in flags else ("--judge", "openai:m", "--base-url", server.base_url)
    options = ("--prompt", prompt, "--store", folder / "s.db", "--format", "jsonl", "--quiet")
    return run("judge", records, *rubric, *judges, *options, *flags, environment=KEY)


def test_slots_are_filled_once_and_lists_are_numbered(tmp_path: Path) -> None:
    ended, sent = judge(tmp_path, PLAIN)
    reviews = "1. The straps are soft {really}.\n2. It keeps the rain out."
    assert sent == [f"Rate this summary: {BAG['product_opinion_summary']}\nReviews: {reviews}\nRating: not provided\n"]
    (metric,) = ended.results[0]["metrics"].values()
    assert (metric["score"], metric["flags"]) == (5, ["whole_reply", "reported_only"])
    assert metric["reported"] == {"grade": 5, "explanation": REPLY}


def test_a_reply_in_prose_is_not_limited_by_its_lists(tmp_path: Path) -> None:
    ended, _ = judge(tmp_path, PLAIN, reply=REPLY.replace("\n2. Keeps the rain out\n\nExcess", "\n\nExcess"))
    assert ended.results[0]["metrics"]["relevance"]["score"] == 5


def test_doubled_braces_without_a_name_become_single_and_others_stay(tmp_path: Path) -> None:
    _, sent = judge(tmp_path, 'Reply {{ "score": <n> }} or {"error": "x"}. {product_opinion_summary}')
    assert sent[0].startswith('Reply { "score": <n> } or {"error": "x"}. Soft')


def test_without_a_slot_for_the_output_the_record_is_added_before_the_last_line(tmp_path: Path) -> None:
    _, sent = judge(tmp_path, "Rate the summary of {product_title}.\n\nResponse:\n")
    assert sent[0].startswith("Rate the summary of Dune backpack.\n\nDescription:\nnot provided\n")
    assert sent[0].endswith("Product opinion summary:\nSoft straps; it keeps the rain out.\n\nResponse:\n")
    assert sent[0].count("Dune backpack") == 1


@pytest.mark.parametrize("slot", ["body=product_opinion_summary", "body=record", "body=@{folder}/extra.txt"])
def test_a_slot_can_be_filled_by_another_name_the_record_or_a_file(tmp_path: Path, slot: str) -> None:
    (tmp_path / "extra.txt").write_text("Words of a file.\n", encoding="utf-8")
    _, sent = judge(tmp_path, "Judge: {body} / {reviews}", "--slot", slot.format(folder=tmp_path))
    wanted = "Words of a file. /" if "@" in slot else "keeps the rain out."
    assert wanted in sent[0].partition("/ 1.")[0] + "/"


def test_a_slot_that_nothing_fills_is_refused_before_any_call(tmp_path: Path) -> None:
    ended, sent = judge(tmp_path, "{product_opinion_summary} {query_text} {other}")
    assert (ended.code, sent) == (2, [])
    assert "{query_text}, {other}" in ended.err
    assert "product_title, description" in ended.err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--slot", "nothing=reviews"), "no slot {nothing}"),
        (("--slot", "product_title=price"), "no input 'price'"),
        (("--slot", "product_title"), "can't be read"),
        (("--judge", "embedded"), "needs a language model"),
    ],
)
def test_wrong_slots_and_judges_are_refused(tmp_path: Path, flags: tuple[str, ...], said: str) -> None:
    ended, sent = judge(tmp_path, "{product_title} {product_opinion_summary}", *flags)
    assert (ended.code, sent) == (2, [])
    assert said in ended.err


def test_a_dry_run_shows_what_a_run_sends(tmp_path: Path) -> None:
    shown, sent = judge(tmp_path, PLAIN, "--dry-run")
    assert sent == []
    _, sent = judge(tmp_path, PLAIN)
    assert f"--- opinion-relevance\n[user]\n{sent[0]}" in shown.out
    assert "words, 1 call. Nothing was sent." in shown.out


def test_a_second_run_is_answered_from_the_store_and_another_prompt_is_not(tmp_path: Path) -> None:
    with run_in_thread(ScriptedServer(lambda _: REPLY)) as server:
        judge_at(server, tmp_path, PLAIN)
        judge_at(server, tmp_path, PLAIN)
        assert len(server.asked) == 1
        judge_at(server, tmp_path, PLAIN + "Be strict.")
        assert len(server.asked) == 2


def test_a_run_is_resumed_with_the_same_prompt_only(tmp_path: Path) -> None:
    with run_in_thread(ScriptedServer(lambda _: REPLY)) as server:
        judge_at(server, tmp_path, PLAIN)
        assert judge_at(server, tmp_path, PLAIN, "--resume", "last").code == 0
        ended = judge_at(server, tmp_path, PLAIN + "Be strict.", "--resume", "last")
    assert ended.code == 2
    assert "other judges" in ended.err


def test_recorded_replies_to_an_own_prompt_replay(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    judge(tmp_path, PLAIN, "--record", kept)
    assert json.loads(kept.read_text())["ask"] == "opinion-relevance"
    ended, sent = judge(tmp_path, PLAIN, "--judge", f"recorded:{kept}")
    assert ended.results[0]["metrics"]["relevance"]["score"] == 5
    assert sent == []


def test_python_takes_a_prompt_and_slots(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("Judge {text}", encoding="utf-8")
    (tmp_path / "kept.jsonl").write_text(
        json.dumps({"record": "bag", "ask": "opinion-relevance", "text": REPLY}) + "\n"
    )
    run = assay.judge(
        [BAG],
        "opinion-relevance",
        f"recorded:{tmp_path / 'kept.jsonl'}",
        prompt=tmp_path / "p.txt",
        slots={"text": "product_opinion_summary"},
    )
    assert run["bag"].metrics["relevance"].score == 5


@pytest.mark.parametrize(
    ("reply", "score"),
    [("Fine.\n<score>7.5</score>", 7.5), ('{"reason": "fine", "score": 7}', 7), ("It is polite.\nScore: 8/10", 8)],
)
def test_a_rubric_of_ones_own_needs_only_the_form_of_a_score(tmp_path: Path, reply: str, score: float) -> None:
    rubric = tmp_path / "politeness.md"
    rubric.write_text(SCORE_RUBRIC, encoding="utf-8")
    record = {"id": "a", "question": "What time is it?", "answer": "Ten, sir."}
    ended, _ = judge(tmp_path, "Rate {answer} to {question}", "--rubric", rubric, reply=reply, record=record)
    assert ended.code == 0, ended.err
    assert ended.results[0]["metrics"]["politeness"]["score"] == score


def test_of_python_source_the_longest_string_is_the_prompt(tmp_path: Path) -> None:
    source = (
        'system_msg = "You judge."\ntemplate = """\n{system_message}\n\nRate {product_opinion_summary} please.\n"""\n'
    )
    _, sent = judge(tmp_path, source)
    assert sent == ["\nYou judge.\n\nRate Soft straps; it keeps the rain out. please.\n"]


SOURCES = {
    "000": ("search-summary", "s0-links", ("user_query_placeholder=user_query", "json_data_placeholder=record")),
    "001": ("comparison-faithfulness", "s1-four-listed-three", ()),
    "002": ("trial-eligibility", "s2-plain", ()),
    "003": ("article-audit", "s3-five", ("insert_article_here=article", "insert_summary_here=summary")),
    "004": ("opinion-relevance", "s4-two-needless-details", ()),
}


@pytest.mark.parametrize("number", SOURCES)
def test_a_source_prompt_runs_as_it_stands(tmp_path: Path, number: str) -> None:
    found = sorted(SEEDS.glob(f"{number}_*.txt"))
    if not found:
        pytest.skip(f"the source prompts are not in {SEEDS}")
    rubric, name, slots = SOURCES[number]
    examples = (list_packs()[rubric].folder / "examples.jsonl").read_text(encoding="utf-8")
    record = json.loads(examples.splitlines()[0])
    flags = ["--rubric", rubric, *(word for slot in slots for word in ("--slot", slot))]
    reply = (REPLIES / f"{name}.txt").read_text(encoding="utf-8")
    ended, sent = judge(tmp_path, found[0].read_text(encoding="utf-8"), *flags, reply=reply, record=record)
    assert ended.code == 0, ended.err
    assert len(sent) == 1
    assert "{system_message}" not in sent[0]
    output = next(spec.name for spec in open_rubric(rubric).inputs if spec.role == "output")
    assert json.dumps(record[output], ensure_ascii=False)[1:40] in sent[0] or record[output][:40] in sent[0]
    assert any(each["score"] is not None for each in ended.results[0]["metrics"].values())
