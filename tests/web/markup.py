"""Reads a page as a browser's parser would, far enough to see which elements and attributes it has."""

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "hr", "wbr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """`text` is everything outside the page's own style and script; `unclosed` what was opened and never closed."""

    source: str
    elements: list[Element] = field(default_factory=list)
    text: str = ""
    open: list[Element] = field(default_factory=list)
    misnested: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self, convert_charrefs=True)
        self.pieces: list[str] = []
        self.feed(self.source)
        self.close()
        self.text = "".join(self.pieces)

    __hash__ = object.__hash__

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1].tag != tag:
            self.misnested.append(tag)
        else:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open[-1:]:
            element.text += data
        if not self.open or self.open[-1].tag not in {"style", "script"}:
            self.pieces.append(data)

    def of(self, tag: str, **attributes: str) -> list[Element]:
        """Elements whose attributes have all these words; `aria_label` is written for `aria-label`."""
        wanted = {name.replace("_", "-"): set(words.split()) for name, words in attributes.items()}
        return [
            each
            for each in self.elements
            if each.tag == tag
            and all(words <= set(each.attributes.get(name, "").split()) for name, words in wanted.items())
        ]

    @property
    def ids(self) -> Counter[str]:
        return Counter(each.attributes["id"] for each in self.elements if each.attributes.get("id"))

    @property
    def kinds(self) -> set[tuple[str, str]]:
        return {(each.tag, name) for each in self.elements for name in each.attributes} | {
            (each.tag, "") for each in self.elements
        }


def list_keys(page: str) -> list[str]:
    """The keys of the list on a page, each as often as it stands there."""
    start = page.index('<dl class="keys">')
    return [each.text for each in Page(page[start : page.index("</dl>", start)]).of("kbd")]


def read(source: str) -> Page:
    return Page(str(source))
