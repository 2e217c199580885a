"""Reads a page as a browser would, far enough to see what is markup and what is text."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]


@dataclass
class Markup(HTMLParser):
    elements: list[Element] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [each for each in self.elements if each.tag == tag and wanted.items() <= each.attributes.items()]


def read(page: str) -> Markup:
    markup = Markup()
    markup.feed(page)
    markup.close()
    return markup
