"""Long work that goes on when the tab is closed: tournaments and training."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from plyground.server.routes.asking import AtHouse, Key, Name, Visitor
from plyground.server.views.work import (
    MethodView,
    RosterView,
    RunBrief,
    RunView,
    RunWanted,
    TournamentBrief,
    TournamentGames,
    TournamentView,
    TournamentWanted,
)

router = APIRouter(tags=["work"])


@router.get("/rosters")
def list_rosters(house: AtHouse) -> list[RosterView]:
    """Players that belong together."""
    return house.tournaments.rosters()


@router.get("/tournaments")
def list_tournaments(house: AtHouse, visitor: Visitor) -> list[TournamentBrief]:
    """Every tournament, the newest first."""
    return house.tournaments.briefs(visitor)


@router.post("/tournaments", status_code=201)
def make_tournament(wanted: TournamentWanted, house: AtHouse, visitor: Visitor) -> TournamentView:
    """Begin a tournament; it goes on when the tab is closed and after a restart."""
    return house.tournaments.begin_wanted(visitor, wanted)


@router.get("/tournaments/{name}")
def get_tournament(name: Name, house: AtHouse, visitor: Visitor) -> TournamentView:
    """A tournament with its table as it stands."""
    return house.tournaments.show(visitor, name)


@router.get("/tournaments/{name}/games")
def list_tournament_games(
    name: Name,
    house: AtHouse,
    first: Annotated[str | None, Query(max_length=1000)] = None,
    second: Annotated[str | None, Query(max_length=1000)] = None,
    start: Annotated[int, Query(ge=0, le=10**6)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> TournamentGames:
    """The games behind a cell: of two players by name, in either order, or of all."""
    return house.tournaments.games(name, first, second, start, limit)


@router.post("/tournaments/{name}/stop")
def stop_tournament(name: Name, house: AtHouse, visitor: Visitor) -> TournamentView:
    """Stop after the games that are being played; the others stay to be played."""
    return house.tournaments.stop(visitor, name)


@router.post("/tournaments/{name}/resume")
def resume_tournament(name: Name, house: AtHouse, visitor: Visitor) -> TournamentView:
    """Go on with what is left."""
    return house.tournaments.resume(visitor, name)


@router.delete("/tournaments/{name}", status_code=204)
def delete_tournament(name: Name, house: AtHouse, visitor: Visitor) -> None:
    """Forget a tournament of the visitor's own; its games stay."""
    house.tournaments.delete(visitor, name)


@router.get("/training/methods")
def list_methods(house: AtHouse) -> list[MethodView]:
    """Ways to learn, with what they can be told."""
    return house.training.methods()


@router.get("/training/runs")
def list_runs(house: AtHouse, visitor: Visitor) -> list[RunBrief]:
    """Every training run, the newest first."""
    return house.training.briefs(visitor)


@router.post("/training/runs", status_code=201)
def make_run(wanted: RunWanted, house: AtHouse, visitor: Visitor) -> RunView:
    """Begin a training run; it goes on when the tab is closed and after a restart."""
    return house.training.begin_wanted(visitor, wanted)


@router.get("/training/runs/{run_id}")
def get_run(run_id: Key, house: AtHouse, visitor: Visitor) -> RunView:
    """A run with its curves, weights and checkpoints."""
    return house.training.show(visitor, str(run_id))


@router.post("/training/runs/{run_id}/stop")
def stop_run(run_id: Key, house: AtHouse, visitor: Visitor) -> RunView:
    """Stop at the next checkpoint."""
    return house.training.stop(visitor, str(run_id))


@router.post("/training/runs/{run_id}/resume")
def resume_run(run_id: Key, house: AtHouse, visitor: Visitor) -> RunView:
    """Go on from the last checkpoint."""
    return house.training.resume(visitor, str(run_id))


@router.delete("/training/runs/{run_id}", status_code=204)
def delete_run(run_id: Key, house: AtHouse, visitor: Visitor) -> None:
    """Forget a run of the visitor's own and what it learned."""
    house.training.delete(visitor, str(run_id))


@router.get("/training/runs/{run_id}/weights", response_class=Response)
def export_weights(run_id: Key, house: AtHouse, step: Annotated[int | None, Query(ge=0, lt=2**53)] = None) -> Response:
    """What a run had learned at a step, or last, as a file that `alphabeta(weights=FILE)` takes."""
    data, name = house.training.weights_file(run_id, step)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)
