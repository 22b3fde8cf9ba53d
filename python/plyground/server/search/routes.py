"""Routes for exact values."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.concurrency import run_in_threadpool

from plyground.server.dependencies import service
from plyground.server.positions.models import PositionRequest
from plyground.server.positions.setup import requested_position
from plyground.server.search.exact import ExactValues
from plyground.server.search.models import ExactMoves

router = APIRouter(tags=["positions"])


@router.post("/exact")
async def solve_position(
    request: PositionRequest, exact: Annotated[ExactValues, Depends(service("exact"))]
) -> ExactMoves:
    """Return the exact values of a position and of its moves, if the solver or the endgame tables know them."""
    return await exact.moves(await run_in_threadpool(requested_position, request))
