"""What goes over the socket, one a tab: `ClientMessage` from the page, `ServerMessage` to it, told apart by `type`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, TypeAdapter

from plyground.server.views.common import MoveTexts, PlayerText, Seed, View, Wish
from plyground.server.views.games import GameView
from plyground.server.views.positions import LineWanted
from plyground.server.views.search import IterationView, Thought, TreeView
from plyground.server.views.work import WorkView

Name = Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""Chosen by the page; what is asked again under the same name replaces what was asked before."""


class Hidden(Wish):
    """Whether the tab is hidden: then reports come once a second."""

    type: Literal["hidden"]
    hidden: bool


class Follow(Wish):
    """Be told of a game: the game now and after every change, and what its agents think."""

    type: Literal["follow"]
    game_id: Name | None = None
    token: Annotated[str, StringConstraints(max_length=100)] | None = None
    """Of a share link, instead of the id."""


class Unfollow(Wish):
    """Be told no more of a game."""

    type: Literal["unfollow"]
    game_id: Name


class Analyse(LineWanted):
    """Think about a position until the limit or until `stop`; reports come meanwhile.

    The tree is kept where the new position follows from the last one of the same name.
    """

    type: Literal["analyse"]
    id: Name
    agent: PlayerText | None = None
    """Without it, the tree search with its defaults."""
    seconds: Annotated[float, Field(gt=0, le=86_400)] | None = None
    simulations: Annotated[int, Field(ge=1, le=10**12)] | None = None
    exact: bool = True
    """Whether to say what solver or tables know."""
    tree: Annotated[int, Field(ge=0, le=2000)] = 0
    """How many nodes of the tree to send with each report."""
    path: MoveTexts = []
    """Where in the tree to look closest."""


class Stop(Wish):
    """End what was begun under a name; what it found so far stays and is sent as final."""

    type: Literal["stop"]
    id: Name


class WatchTree(Wish):
    """How many nodes of a search's tree to send; the name is an analysis's, or the id of a game that is followed."""

    type: Literal["tree"]
    id: Name
    top: Annotated[int, Field(ge=0, le=2000)]
    path: MoveTexts = []
    """Moves from the root: this node and those below it come first."""


class Step(LineWanted):
    """Make iterations of tree search one at a time: the first call begins with an empty tree."""

    type: Literal["step"]
    id: Name
    iterations: Annotated[int, Field(ge=1, le=1000)] = 1
    """The last of them is told."""
    c: Annotated[float, Field(ge=0, le=100)] = 1.4142135623730951
    seed: Seed = 0
    again: bool = False
    """Begin with an empty tree again."""


class FollowWork(Wish):
    """Be told how far some work is."""

    type: Literal["follow_work"]
    kind: Literal["tournament", "run", "review"]
    key: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    follow: bool = True


ClientMessage = Annotated[
    Hidden | Follow | Unfollow | Analyse | Stop | WatchTree | Step | FollowWork, Field(discriminator="type")
]
READ_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(ClientMessage)


class Told(View):
    """A message to the page."""

    sequence: int = 0
    """Counts the messages of a connection."""


class Answer(Told):
    """A message about what was asked for under a name."""

    id: str
    """The name of the analysis, or the id of the game."""


class GameMessage(Told):
    """A game that is followed, as it stands now."""

    type: Literal["game"] = "game"
    game: GameView


class ReportMessage(Answer):
    """What a search thinks so far."""

    type: Literal["report"] = "report"
    final: bool
    """Whether the search has ended."""
    waiting: bool = False
    """Whether it stands aside for the moves of games and goes on by itself."""
    thought: Thought


class TreeMessage(Answer):
    """The top of a search's tree."""

    type: Literal["tree"] = "tree"
    ply: int
    position: str
    """The text of the root's position."""
    tree: TreeView


class IterationMessage(Answer):
    """One iteration, phase by phase."""

    type: Literal["iteration"] = "iteration"
    iteration: IterationView


class WorkMessage(Told):
    """How far some work is."""

    type: Literal["work"] = "work"
    work: WorkView


class GoneMessage(Told):
    """A game that is followed is no longer there."""

    type: Literal["gone"] = "gone"
    game_id: str


class BusyMessage(Answer):
    """There is no room for another search at the moment: ask again later."""

    type: Literal["busy"] = "busy"
    message: str


class ErrorMessage(Told):
    """A message that could not be obeyed."""

    type: Literal["error"] = "error"
    id: str | None = None
    """The name it was asked under, where it had one."""
    kind: str
    message: str


ServerMessage = Annotated[
    GameMessage
    | ReportMessage
    | TreeMessage
    | IterationMessage
    | WorkMessage
    | GoneMessage
    | BusyMessage
    | ErrorMessage,
    Field(discriminator="type"),
]
