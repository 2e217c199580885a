"""A summary's citations: markers that point nowhere, sources that are unknown, uncited, unused, named or relevant."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from assay.domain.findings import Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.record import Record, Source
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.text.quotes import is_long_enough
from assay.text.sentences import split_sentences

# [1], [1, 2], [1-3], [^1], and 【1†source】 as some search tools print it.
_MARKER: Final = re.compile(
    r"\[\^?(?P<square>\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3}){0,40})\]|【(?P<lens>\d{1,3})(?:†[^【】\n]{0,80})?】"
)
_RANGE: Final = re.compile(r"(\d{1,3})\s?[–-]\s?(\d{1,3})")
_LONGEST_RANGE: Final = 50
# After these a bracket holds an interval of values: 95 % CI [2, 5].
_INTERVAL: Final = re.compile(r"(?:\bCI|\bIQR|\binterval|\brange|=)[:,]?\s?$", re.IGNORECASE)
# A marker has no more digits: PMC7654321, 9b1f2c and 32456789 are names of documents.
_NUMBER: Final = re.compile(
    r"(?:s|ref|reference|source|citation|cite|no|nr|#)?[\s._-]{0,2}[\[(【]?[\^#]?(\d{1,3})(?:\.0?)?[\])】]?:?",
    re.IGNORECASE,
)
_LARGEST: Final = 999
_NUMBER_KEYS: Final = ("number", "citation_number", "index", "id", "key")
_URL_KEYS: Final = ("url", "link", "href", "source_url", "uri")
_URL: Final = re.compile(r"(?:https?://|www\.)[^\s<>\"')\]]+", re.IGNORECASE)
_TITLE_WORD: Final = re.compile(r"[^\W_]+")
# S3, [3], "Source 3: …", "Result 3"; behind it a title may stand.
_PLACE: Final = re.compile(
    r"(?:(?P<id>s)|(?:source|result|search result|text|document|doc|citation|ref\w*|no\.?|#)?\s*[\[(#]?)"
    r"\s*(?P<number>\d{1,3})"
    r"(?=[\])]|[\s:.,(–-]|$)",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$")
_TRACKING: Final = re.compile(r"^(?:utm_|fbclid|gclid|mc_|ref$|source$)")


def normalise_url(url: str) -> str:
    """One page, one address: no scheme, no www, no tracking, no fragment, no closing slash."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url.strip()
    asked = sorted((key, value) for key, value in parse_qsl(parts.query) if not _TRACKING.match(key))
    # Half a surrogate pair, which JSON files can smuggle into an address, differs from any other.
    query = urlencode(asked, errors="surrogatepass")
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}{'?' + query if query else ''}"


def read_citations(value: JSON) -> dict[int, str]:
    """Number to URL, from a map or from a list; no URL is "".

    The entries of a list are numbered by their own numbers, if each has one and all differ, else by their places.
    """
    if isinstance(value, str):
        value = _read_json(value)
    if isinstance(value, Mapping):
        numbered = [(_read_number(key), entry) for key, entry in value.items()]
    elif isinstance(value, list | tuple):
        own = [_read_own_number(entry) for entry in value]
        is_numbered = None not in own and len(set(own)) == len(own)
        numbered = list(zip(own if is_numbered else range(1, len(own) + 1), value, strict=True))
    else:
        return {}
    citations: dict[int, str] = {}
    for number, entry in numbered:
        if number is not None:
            citations.setdefault(number, _read_url(entry))
    return citations


def _read_own_number(entry: JSON) -> int | None:
    fields = _fold_names(entry)
    return next((number for name in _NUMBER_KEYS if (number := _read_number(fields.get(name))) is not None), None)


def _read_json(text: str) -> JSON:
    """A table's cell holds the map or the list as text."""
    try:
        read: JSON = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read


def _fold_names(entry: JSON) -> dict[str, JSON]:
    return {str(name).casefold(): value for name, value in entry.items()} if isinstance(entry, Mapping) else {}


def _read_number(value: object) -> int | None:
    """1, "1", "[1]", "S1" and 1.0 are one number; a name with more to it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _LARGEST:
        return int(value) if value == int(value) else None
    found = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else None


def _read_url(entry: JSON) -> str:
    fields = _fold_names(entry)
    given = next((fields[name] for name in _URL_KEYS if fields.get(name) is not None), entry)
    if not isinstance(given, str):
        return ""
    found = _URL.search(given)
    bare = given.strip()
    return found[0] if found else bare if "." in bare and not re.search(r"\s", bare) else ""


def number_sources(record: Record) -> dict[str, int]:
    """The number each source is cited by: the citations' own where they name its URL, else its place in the results."""
    cited: dict[str, int] = {}
    for number, url in read_citations(record.citations).items():
        if url:
            cited.setdefault(normalise_url(url), number)
    return {
        source.id: cited.get(normalise_url(source.url), position) if source.url else position
        for position, source in enumerate(record.sources, 1)
    }


def find_source(value: JSON, record: Record) -> Source | None:
    """The source that a text names: by its address, as [Title](address), by title, by number, as S3 or S3 (title)."""
    if isinstance(value, Mapping):
        named = [value[key] for key in (*_URL_KEYS, "title", *_NUMBER_KEYS) if value.get(key) is not None]
        return next((source for each in named if (source := find_source(each, record)) is not None), None)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        return None
    found = _URL.search(value)
    wanted = normalise_url(found[0] if found else value)
    addressed = [source for source in record.sources if source.url and normalise_url(source.url) == wanted]
    if addressed:
        return addressed[0]
    words = _fold_title(value)
    titled = [source for source in record.sources if source.title and _fold_title(source.title) in words]
    if titled:
        return max(titled, key=lambda source: len(source.title or ""))
    place = _PLACE.match(value.strip())
    if place is None:
        return None
    if place["id"]:
        return next((source for source in record.sources if source.id == f"s{place['number']}"), None)
    numbers = number_sources(record)
    return next((source for source in record.sources if numbers[source.id] == int(place["number"])), None)


def link_sources(text: str, record: Record) -> str:
    """Every mention of a source as [title](address) [number] where it first stands, and as [number] from then on.

    A mention is a link, an address, a title, S3, S3 (title), or [3]; what names no source, and what stands in
    typographic quotes, is left as it is.
    """
    numbers = number_sources(record)
    titles = sorted((re.escape(each.title) for each in record.sources if each.title), key=len, reverse=True)
    title = f"(?:{'|'.join(titles)})" if titles else r"(?!)"
    behind = r"(?:\s*\[\d{1,3}\])?"
    mention = re.compile(
        rf"“[^”]*”|\[[^\[\]\n]{{1,300}}\]\((?:https?://|www\.)[^\s()]+\){behind}"
        rf"|[\"']?{title}[\"']?(?:\s*\((?:https?://|www\.)[^\s()]+\))?{behind}"
        rf"|\bS\d{{1,3}}\b(?:\s*\(\s*{title}\s*\))?{behind}"
        rf"|(?:https?://|www\.)[^\s<>\"')\]]*[\w/]{behind}|\[\d{{1,3}}\](?!\()"
    )
    seen: set[str] = set()

    def write(match: re.Match[str]) -> str:
        source = None if match[0].startswith("“") else find_source(match[0], record)
        if source is None or not (source.url or source.title):
            return match[0]
        is_first = source.id not in seen
        seen.add(source.id)
        return cite(source, numbers[source.id]) if is_first else f"[{numbers[source.id]}]"

    return mention.sub(write, text) if any(source.url for source in record.sources) else text


def _fold_title(text: str) -> str:
    return f" {' '.join(_TITLE_WORD.findall(text.casefold()))} "


def cite(source: Source, number: int) -> str:
    title = (source.title or source.url or source.id).replace("[", "(").replace("]", ")")
    return f"[{title}]({source.url}) [{number}]" if source.url else f"{title} [{number}]"


def find_markers(text: str) -> Iterator[tuple[int, Span]]:
    """Each number with the whole marker's span; the text of a link, as in [1](https://…), is a marker too."""
    for match in _MARKER.finditer(text):
        if _INTERVAL.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        span = Span(*match.span())
        for group in re.split(r"[,;]", match["square"] or match["lens"]):
            spread = _RANGE.fullmatch(group.strip())
            if spread and 0 <= int(spread[2]) - int(spread[1]) <= _LONGEST_RANGE:
                yield from ((number, span) for number in range(int(spread[1]), int(spread[2]) + 1))
            else:
                yield from ((int(number), span) for number in re.findall(r"\d+", group))


def check_citations(record: Record) -> Iterator[Notice]:
    citations = read_citations(record.citations)
    places: dict[str, list[int]] = {}
    for position, source in enumerate(record.sources, 1):
        if source.url:
            places.setdefault(normalise_url(source.url), []).append(position)
    for number, url in citations.items():
        found = places.get(normalise_url(url)) if url else []
        if found is None:
            yield Notice("unknown_source", f"citation [{number}] points to {url}, which is not among the results")
        elif found and number not in found:
            yield Notice("citation_order", f"citation [{number}] is result {found[0]}; the citation's number is used")
    markers = list(find_markers(record.output))
    valid = set(citations) or set(range(1, len(record.sources) + 1))
    for number, span in markers:
        if number not in valid:
            yield Notice("dangling_citation", f"[{number}] in the summary is not in the list of citations", span)
    if markers:
        yield from _check_unused(record, citations, places, {number for number, _ in markers})
        yield from _check_uncited(record, [span for _, span in markers])


def _check_unused(
    record: Record, citations: Mapping[int, str], places: Mapping[str, list[int]], used: set[int]
) -> Iterator[Notice]:
    """A marker stands for what its citation points to; where there are no citations, for the result in that place."""
    cited = {place for number in used if (url := citations.get(number)) for place in places.get(normalise_url(url), ())}
    # A citation with a text and no address can only mean the result in its place.
    cited |= {number for number in used if not citations.get(number) and (number in citations or not citations)}
    for position, _ in enumerate(record.sources, 1):
        if position not in cited:
            yield Notice("unused_source", f"result {position} is never cited")


def _check_uncited(record: Record, markers: Sequence[Span]) -> Iterator[Notice]:
    """Only where a summary cites at all does a sentence without a marker mean anything; a heading needs none."""
    ends = [marker.end for marker in markers]
    for sentence in split_sentences(record.output):
        text = sentence.of(record.output)
        at = bisect_left(ends, sentence.start + 1)
        cites = at < len(markers) and markers[at].overlaps(sentence)
        states = is_long_enough(text) and not _HEADING.match(text) and not text.rstrip("* ").endswith((":", "?", "？"))
        if states and not cites:
            yield Notice("uncited_sentence", "a sentence without a citation", sentence)


def find_relevant(card: Scorecard) -> list[Source] | None:
    """The sources a judge picked as relevant, if the output reflects them; None where the rubric asks for no such pick.

    Claims narrow the pick only where their own metric was scored: an incomplete set of labels proves nothing.
    """
    for metric in card.rubric.metrics:
        part = next((part for part in metric.pick_parts if part.over == "sources"), None)
        picked = None if part is None else card.outcomes[metric.id].trail.findings.picked(part.id)
        if picked is not None:
            claims = card.outcomes.get(metric.claims_from or "")
            is_known = isinstance(claims, Verdict) and bool(claims.trail.findings.of("claim"))
            chosen = {name.strip().lower() for name in picked}
            kept = chosen & _find_reflected(card, claims) if claims and is_known else chosen
            return [source for source in card.record.sources if source.id in kept]
    return None


def _find_reflected(card: Scorecard, claims: Outcome) -> set[str]:
    """The sources that a supported part of the output rests on: quoted for it, or asking what it answers."""
    units = {unit.id: unit for unit in claims.trail.units}
    known = [label for label in claims.trail.findings.of("claim") if label.unit in units]
    sound = [label for label in known if _has_supported_part(label, units[label.unit])]
    found = {evidence.source for label in sound for evidence in label.evidence}
    spans = [span for label in sound if (span := units[label.unit].span) is not None]
    for metric in card.rubric.metrics:
        trail = card.outcomes[metric.id].trail
        own = {unit.id: unit.sources for unit in trail.units}
        for part in metric.label_parts:
            for label in trail.findings.of(part.id) if part.evidence == "output" else ():
                is_carried = label.decided and part.value(label.label) > part.value(part.worst)
                if is_carried and any(each.span.overlaps(span) for each in label.evidence for span in spans):
                    found.update(own.get(label.unit, ()))
    return found


def _has_supported_part(label: Label, unit: Unit) -> bool:
    """Of a claim at fault, the words that are not named as a fault."""
    words = sum(len(piece.words.split()) for piece in label.pieces)
    return label.label in {"supported", "partial"} or 0 < words < len(unit.text.split())


def list_sources(sources: Sequence[Source], record: Record) -> list[JSON]:
    """The sources as objects of a result or reply, with the numbers they are cited by."""
    numbers = number_sources(record)
    return [{"number": numbers[each.id], "title": each.title or "", "url": each.url or ""} for each in sources]
