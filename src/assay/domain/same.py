"""A key for what never changes and is dear to compare, such as a metric of a rubric or a record's sentences."""

from typing import Generic, TypeVar

Thing_co = TypeVar("Thing_co", covariant=True)


class Same(Generic[Thing_co]):
    """Equal where both hold one and the same thing, whatever else may be equal to it. It keeps the thing alive."""

    __slots__ = ("thing",)

    def __init__(self, thing: Thing_co) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.thing is other.thing
