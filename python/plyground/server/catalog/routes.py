"""Route of the catalog."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from plyground.server.catalog.catalog import CatalogService
from plyground.server.catalog.models import Catalog
from plyground.server.dependencies import service

router = APIRouter(tags=["catalog"])


@router.get("/catalog", response_model=Catalog)
def get_catalog(catalog: Annotated[CatalogService, Depends(service("catalog"))]) -> Response:
    """Return the games, levels, agents and limits."""
    return Response(catalog.json(), media_type="application/json")
