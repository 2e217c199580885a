"""A chat model behind an endpoint, whichever API it speaks."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from assay.models.chat import Call, Completion
from assay.models.lessons import Lessons
from assay.models.wire import Endpoint, Json, Request


@dataclass(frozen=True, slots=True)
class Terms:
    """What a call may carry, after all that its endpoint has refused. A rung of None leaves plain words."""

    rung: str | None
    temperature: float | None
    limit: str


class HostedChat(ABC):
    """Writes a call and reads a completion in one API; all else about an endpoint is the same for every API.

    Structured output goes down a ladder, remembered for the life of the client. The name holds no address, so that a
    model keeps its name when its server moves.
    """

    provider: ClassVar[str]
    official_base_url: ClassVar[str]
    key_variable: ClassVar[str]
    base_url_variable: ClassVar[str]
    ladder: ClassVar[tuple[str, ...]]
    limits: ClassVar[tuple[str, ...]] = ("max_tokens",)

    def __init__(self, model: str, endpoint: Endpoint, context_tokens: int | None) -> None:
        self.model = model
        self.name = f"{self.provider}:{model}"
        self.context_tokens = context_tokens
        self._endpoint = endpoint
        self._chosen: dict[tuple[bool, float | None, int], tuple[Terms, tuple[str, ...], tuple[str, ...]]] = {}

    @property
    def dropped(self) -> tuple[str, ...]:
        """What the endpoint has refused so far."""
        return tuple(sorted(self._endpoint.lessons.refused))

    @property
    def account(self) -> str:
        """Whom an endpoint's limits hold for: models that share an address and a key share it."""
        return self._endpoint.account

    async def complete(self, call: Call) -> Completion:
        body, request = await self._endpoint.ask(lambda lessons: self._build_request(call, lessons))
        read, blot = self._read_completion(body), self._endpoint.secrets.blot
        return Completion(
            text=blot(read.text),
            finish_reason=read.finish_reason,
            usage=read.usage,
            model=blot(read.model),
            dropped=request.dropped,
            allowance=self._endpoint.allowance,
        )

    async def close(self) -> None:
        await self._endpoint.close()

    def _build_request(self, call: Call, lessons: Lessons) -> Request:
        # Lessons are only ever added, so their number tells which there are.
        key = (call.schema is None, call.temperature, len(lessons.refused))
        if key not in self._chosen:
            self._chosen[key] = self._choose_terms(call, lessons)
        terms, parameters, dropped = self._chosen[key]
        return Request(self._build_payload(call, terms), parameters, dropped)

    def _choose_terms(self, call: Call, lessons: Lessons) -> tuple[Terms, tuple[str, ...], tuple[str, ...]]:
        """The terms, which of them an endpoint may turn out not to know, and what was left out for that reason."""
        ladder = self.ladder if call.schema is not None else ()
        terms = Terms(
            rung=lessons.first_taken(*ladder),
            temperature=call.temperature if lessons.takes("temperature") else None,
            limit=lessons.first_taken(*self.limits) or self.limits[-1],
        )
        heat = () if call.temperature is None else ("temperature",)
        parameters = tuple(name for name in (terms.rung, *heat, terms.limit) if name and lessons.takes(name))
        return terms, parameters, lessons.refused_of(*ladder, *heat)

    @abstractmethod
    def _build_payload(self, call: Call, terms: Terms) -> Json: ...

    @abstractmethod
    def _read_completion(self, body: Json) -> Completion: ...
