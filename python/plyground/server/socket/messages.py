"""Messages of the WebSocket: `ClientMessage` to the server, `ServerMessage` from it, distinguished by `type`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from plyground.server.jobs.models import JobKind, JobView
from plyground.server.models import ErrorDetail, MoveTexts, PlayerText, RequestModel, Seed, View
from plyground.server.play.models import GameView
from plyground.server.positions.models import LineRequest
from plyground.server.search.models import AnalysisView, IterationView, TreeView

MessageId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""Chosen by the client; a request replaces an earlier one with the same ID."""


class Hidden(RequestModel):
    """Whether the tab is hidden; hidden tabs receive one report per second instead of ten."""

    type: Literal["hidden"]
    hidden: bool


class Subscribe(RequestModel):
    """Subscribe to a game: its current state, every change, and the analyses of its agents."""

    type: Literal["subscribe"]
    game_id: MessageId | None = None
    token: Annotated[str, StringConstraints(max_length=100)] | None = None
    """Token of a share link; replaces `game_id`."""


class Unsubscribe(RequestModel):
    """End the subscription to a game."""

    type: Literal["unsubscribe"]
    game_id: MessageId


class Analyse(LineRequest):
    """Analyse a position until the limit is reached or `stop` is sent, with regular reports.

    The search tree is reused if the position follows from the previous one with the same ID.
    """

    type: Literal["analyse"]
    id: MessageId
    agent: PlayerText | None = None
    """Defaults to MCTS with default options."""
    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    simulations: Annotated[int, Field(ge=1, le=10**12)] | None = None
    exact: bool = True
    """Whether to look up exact values from the solver and the endgame tables."""
    tree: Annotated[int, Field(ge=0, le=2000)] = 0
    """Maximum number of tree nodes to send with each report."""
    path: MoveTexts = []
    """Moves from the root; nodes at and below this path are preferred."""


class Stop(RequestModel):
    """Stop an analysis; its result so far is sent as final."""

    type: Literal["stop"]
    id: MessageId


class WatchTree(RequestModel):
    """Set the maximum number of tree nodes to send for an analysis or a subscribed game."""

    type: Literal["tree"]
    id: MessageId
    """ID of the analysis or game."""
    top: Annotated[int, Field(ge=0, le=2000)]
    path: MoveTexts = []
    """Moves from the root; nodes at and below this path are preferred."""


class Step(LineRequest):
    """Run single iterations of tree search; the first request starts with an empty tree."""

    type: Literal["step"]
    id: MessageId
    iterations: Annotated[int, Field(ge=1, le=1000)] = 1
    """Number of iterations; only the last one is reported."""
    c: Annotated[float, Field(ge=0, le=100)] = 1.4142135623730951
    """Exploration constant."""
    seed: Seed = 0
    restart: bool = False
    """Start again with an empty tree."""


class SubscribeJob(RequestModel):
    """Subscribe to the progress of a job, or end the subscription."""

    type: Literal["subscribe_job"]
    kind: JobKind
    key: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    subscribe: bool = True


ClientMessage = Annotated[
    Hidden | Subscribe | Unsubscribe | Analyse | Stop | WatchTree | Step | SubscribeJob, Field(discriminator="type")
]
CLIENT_MESSAGE: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


class ServerEvent(View):
    """Base class of messages from the server."""

    sequence: int = 0
    """Position in the sequence of messages of a connection."""


class ReplyEvent(ServerEvent):
    """Base class of messages about an analysis, a stepped tree or a game."""

    id: str
    """ID of the request, or of the game."""


class GameMessage(ServerEvent):
    """The current state of a subscribed game."""

    type: Literal["game"] = "game"
    game: GameView


class ReportMessage(ReplyEvent):
    """Progress report of a search."""

    type: Literal["report"] = "report"
    final: bool
    """Whether the search has ended."""
    preempted: bool = False
    """Whether the analysis was preempted by searches with a higher priority; it continues automatically."""
    analysis: AnalysisView


class TreeMessage(ReplyEvent):
    """The top nodes of a search tree."""

    type: Literal["tree"] = "tree"
    ply: int
    position: str
    """Position of the root as text."""
    tree: TreeView


class IterationMessage(ReplyEvent):
    """One iteration of tree search, phase by phase."""

    type: Literal["iteration"] = "iteration"
    iteration: IterationView


class JobMessage(ServerEvent):
    """Progress of a job."""

    type: Literal["job"] = "job"
    job: JobView


class GameDeletedMessage(ServerEvent):
    """A subscribed game was deleted."""

    type: Literal["game_deleted"] = "game_deleted"
    game_id: str


class BusyMessage(ReplyEvent):
    """The server is busy; try again later."""

    type: Literal["busy"] = "busy"
    error: ErrorDetail


class ErrorMessage(ServerEvent):
    """A client message could not be processed."""

    type: Literal["error"] = "error"
    id: str | None = None
    """ID of the request, if it has one."""
    error: ErrorDetail


ServerMessage = Annotated[
    GameMessage
    | ReportMessage
    | TreeMessage
    | IterationMessage
    | JobMessage
    | GameDeletedMessage
    | BusyMessage
    | ErrorMessage,
    Field(discriminator="type"),
]


def message_schemas() -> dict[str, Any]:
    """Return the JSON schemas of `ClientMessage`, `ServerMessage` and their parts, for the OpenAPI components."""
    components: dict[str, Any] = {}
    server: TypeAdapter[ServerMessage] = TypeAdapter(ServerMessage)
    reference = "#/components/schemas/{model}"
    for name, schema in (
        ("ClientMessage", CLIENT_MESSAGE.json_schema(ref_template=reference, mode="validation")),
        ("ServerMessage", server.json_schema(ref_template=reference, mode="serialization")),
    ):
        for part, definition in schema.pop("$defs", {}).items():
            components.setdefault(part, definition)
        components[name] = schema
    return components
