"""Routes for tournaments, training runs and reviews."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from plyground.server.dependencies import (
    Address,
    PoolsService,
    QuotasService,
    RecordId,
    RunId,
    Visitor,
    service,
)
from plyground.server.jobs.review_models import ReviewRequest, ReviewView
from plyground.server.jobs.reviews import Reviews
from plyground.server.jobs.tournament_models import (
    LeaderboardView,
    RosterView,
    TournamentBrief,
    TournamentGames,
    TournamentRequest,
    TournamentView,
)
from plyground.server.jobs.tournaments import TournamentQueue
from plyground.server.jobs.training import TrainingQueue
from plyground.server.jobs.training_models import MethodView, RunBrief, RunRequest, RunView, TrainedView, TrainRequest

router = APIRouter(tags=["jobs"])
TournamentName = Annotated[str, Path(min_length=1, max_length=200)]
ReviewId = Annotated[str, Path(min_length=1, max_length=40)]
Tournaments = Annotated[TournamentQueue, Depends(service("tournaments"))]
Training = Annotated[TrainingQueue, Depends(service("training"))]
ReviewsService = Annotated[Reviews, Depends(service("reviews"))]


@router.get("/rosters")
def list_rosters(tournaments: Tournaments) -> list[RosterView]:
    """List the rosters: predefined sets of players."""
    return tournaments.rosters()


@router.get("/tournaments")
def list_tournaments(tournaments: Tournaments, visitor: Visitor) -> list[TournamentBrief]:
    """List all tournaments, newest first."""
    return tournaments.briefs(visitor)


@router.post("/tournaments", status_code=201)
async def make_tournament(
    request: TournamentRequest,
    tournaments: Tournaments,
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    pools: PoolsService,
) -> TournamentView:
    """Start a tournament. It continues after the tab is closed and after a server restart."""
    with quotas.address_jobs["tournaments"].hold(address) as slot:
        made = await pools.results.run(tournaments.create, visitor, request)
        slot.keep_while(lambda: tournaments.is_active(made.name))
    return made


@router.get("/tournaments/{name}")
async def get_tournament(
    name: TournamentName, tournaments: Tournaments, visitor: Visitor, pools: PoolsService
) -> TournamentView:
    """Return a tournament with its current standings."""
    return await pools.results.run(tournaments.show, visitor, name)


@router.get("/tournaments/{name}/games")
async def list_tournament_games(
    name: TournamentName,
    tournaments: Tournaments,
    pools: PoolsService,
    first: Annotated[str | None, Query(max_length=1000)] = None,
    second: Annotated[str | None, Query(max_length=1000)] = None,
    start: Annotated[int, Query(ge=0, le=10**6)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> TournamentGames:
    """List the games of a tournament: all, those of one player, or those between two players."""
    return await pools.results.run(tournaments.games, name, first, second, start, limit)


@router.post("/tournaments/{name}/stop")
async def stop_tournament(
    name: TournamentName, tournaments: Tournaments, visitor: Visitor, pools: PoolsService
) -> TournamentView:
    """Stop a tournament, discarding the games in progress. It can be resumed."""
    return await pools.results.run(tournaments.stop, visitor, name)


@router.post("/tournaments/{name}/resume")
async def resume_tournament(
    name: TournamentName,
    tournaments: Tournaments,
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    pools: PoolsService,
) -> TournamentView:
    """Resume a tournament."""
    with quotas.address_jobs["tournaments"].hold(address) as slot:
        was_active = tournaments.is_active(name)
        resumed = await pools.results.run(tournaments.resume, visitor, name)
        if not was_active:
            slot.keep_while(lambda: tournaments.is_active(name))
    return resumed


@router.delete("/tournaments/{name}", status_code=204)
async def delete_tournament(
    name: TournamentName, tournaments: Tournaments, visitor: Visitor, pools: PoolsService
) -> None:
    """Delete one of the visitor's tournaments; its games stay in the library."""
    await pools.stops.run(tournaments.delete, visitor, name)


@router.get("/arena/results")
async def get_arena_results(tournaments: Tournaments, pools: PoolsService) -> LeaderboardView:
    """Return the standings of the latest tournament with a finished game, whatever its game."""
    return await pools.results.run(tournaments.leaderboard)


@router.get("/training/methods")
def list_methods(training: Training) -> list[MethodView]:
    """List the training methods with their settings."""
    return training.methods()


@router.get("/training/runs")
def list_runs(training: Training, visitor: Visitor) -> list[RunBrief]:
    """List all training runs, newest first."""
    return training.briefs(visitor)


@router.post("/training/runs", status_code=201)
async def make_run(
    request: RunRequest,
    training: Training,
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    pools: PoolsService,
) -> RunView:
    """Start a training run. It continues after the tab is closed and after a server restart."""
    with quotas.address_jobs["training runs"].hold(address) as slot:
        made = await pools.results.run(training.create, visitor, request)
        slot.keep_while(lambda: training.is_active(str(made.id)))
    return made


@router.get("/training/runs/{run_id}")
async def get_run(run_id: RunId, training: Training, visitor: Visitor, pools: PoolsService) -> RunView:
    """Return a run with its curves, weights and checkpoints."""
    return await pools.results.run(training.show, visitor, str(run_id))


@router.post("/training/runs/{run_id}/stop")
async def stop_run(run_id: RunId, training: Training, visitor: Visitor, pools: PoolsService) -> RunView:
    """Stop a run. It can be resumed from its last checkpoint."""
    return await pools.results.run(training.stop, visitor, str(run_id))


@router.post("/training/runs/{run_id}/resume")
async def resume_run(
    run_id: RunId,
    training: Training,
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    pools: PoolsService,
) -> RunView:
    """Resume a run from its last checkpoint."""
    with quotas.address_jobs["training runs"].hold(address) as slot:
        was_active = training.is_active(str(run_id))
        resumed = await pools.results.run(training.resume, visitor, str(run_id))
        if not was_active:
            slot.keep_while(lambda: training.is_active(str(run_id)))
    return resumed


@router.delete("/training/runs/{run_id}", status_code=204)
async def delete_run(run_id: RunId, training: Training, visitor: Visitor, pools: PoolsService) -> None:
    """Delete one of the visitor's runs and its checkpoints."""
    await pools.stops.run(training.delete, visitor, str(run_id))


@router.get("/training/runs/{run_id}/weights", response_class=Response)
async def export_weights(
    run_id: RunId,
    training: Training,
    pools: PoolsService,
    step: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
) -> Response:
    """Download the weights or the network of a checkpoint, by default the last one, as a file that agents can use."""
    data, name = await pools.results.run(training.weights_file, run_id, step)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


@router.post("/train")
async def train_now(
    training: Training,
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    pools: PoolsService,
    client: Request,
    request: TrainRequest | None = None,
) -> TrainedView:
    """Train checkers weights by TD learning and wait for the result. The run stops if the client disconnects."""
    request = request or TrainRequest()
    with quotas.address_jobs["training runs"].hold(address) as slot:
        run_id = await pools.results.run(training.start_td, visitor, request.games, request.seed)
        slot.keep_while(lambda: training.is_active(str(run_id)))

    async def is_connected() -> bool:
        return not await client.is_disconnected()

    if not await training.wait(run_id, is_connected):
        await pools.stops.run(training.stop, visitor, str(run_id))
    return await pools.results.run(training.trained, visitor, run_id)


@router.post("/reviews", status_code=201)
def make_review(
    request: ReviewRequest, reviews: ReviewsService, visitor: Visitor, address: Address, quotas: QuotasService
) -> ReviewView:
    """Review a game from the last move to the first, marking inaccuracies, mistakes and blunders."""
    with quotas.visitor_reviews.hold(visitor) as own_slot, quotas.address_jobs["reviews"].hold(address) as slot:
        made = reviews.create(visitor, request)
        for one in (own_slot, slot):
            one.keep_while(lambda: reviews.is_active(made.id))
    return made


@router.get("/reviews/{review_id}")
def get_review(review_id: ReviewId, reviews: ReviewsService, visitor: Visitor) -> ReviewView:
    """Return a review with its results so far."""
    return reviews.view(visitor, review_id)


@router.post("/reviews/{review_id}/stop")
def stop_review(review_id: ReviewId, reviews: ReviewsService, visitor: Visitor) -> ReviewView:
    """Stop a review; the moves reviewed so far remain."""
    return reviews.stop(visitor, review_id)


@router.get("/library/{record_id}/review")
def get_record_review(record_id: RecordId, reviews: ReviewsService, visitor: Visitor) -> ReviewView | None:
    """Return the visitor's finished review of a stored game, or null."""
    return reviews.of_record(visitor, record_id)
