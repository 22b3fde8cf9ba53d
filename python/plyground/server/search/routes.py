"""Routes for exact values and for the moves that agents propose."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.concurrency import run_in_threadpool

from plyground.server.dependencies import Address, QuotasService, Visitor, service
from plyground.server.positions.models import PositionRequest
from plyground.server.positions.setup import requested_position
from plyground.server.search.exact import ExactValues
from plyground.server.search.models import ExactMoves, ProposalRequest, ProposalView
from plyground.server.search.proposals import Proposals

router = APIRouter(tags=["positions"])


@router.post("/exact")
async def solve_position(
    request: PositionRequest, exact: Annotated[ExactValues, Depends(service("exact"))]
) -> ExactMoves:
    """Return the exact values of a position and of its moves, if the solver or the endgame tables know them."""
    return await exact.moves(await run_in_threadpool(requested_position, request))


@router.post("/proposals")
async def propose_move(
    request: ProposalRequest,
    proposals: Annotated[Proposals, Depends(service("proposals"))],
    visitor: Visitor,
    address: Address,
    quotas: QuotasService,
    client: Request,
) -> ProposalView:
    """Let an agent analyse a position and return its move, for comparing agents. Stops if the client disconnects."""
    with quotas.visitor_comparisons.hold(visitor), quotas.address_comparisons.hold(address):
        return await proposals.propose(request, client.is_disconnected)
