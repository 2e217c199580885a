"""A difference right behind its amount: "410 million euros, 60 million more than planned"."""

from dataclasses import dataclass

from assay.text.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Difference(Quantity):
    """How far an amount lies above or below another, which follows from the two in one way alone."""

    amount: Quantity
    is_above: bool

    @classmethod
    def of(cls, quantity: Quantity, amount: Quantity, *, is_above: bool) -> "Difference":
        """The number with the unit of the amount that it is told of."""
        return cls(
            low=quantity.low,
            high=quantity.high,
            value=quantity.value,
            unit=amount.unit,
            kind=amount.kind,
            bound=quantity.bound,
            span=quantity.span,
            amount=amount,
            is_above=is_above,
        )

    def is_told_of(self, quantity: Quantity) -> bool:
        return (quantity.value, quantity.unit) == (self.amount.value, self.amount.unit)
