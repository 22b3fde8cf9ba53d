"""The API conforms to its OpenAPI schema, and the generated TypeScript types are up to date."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plyground.server.app import create_api
from plyground.server.schema import schema_text
from server.serving import TIMEOUT_S, Server

WEB = Path(__file__).parents[2] / "web"
SCHEMA = schemathesis.openapi.from_dict(json.loads(schema_text()))
LONG_OPERATIONS = "train_now|make_run|make_tournament|import_games"
"""Operations that take too long for generated requests; other tests cover them."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def cookie(server: Server) -> str:
    visitor = server.visitor()
    visitor.get("/state")
    return f"plyground={visitor.http.cookies['plyground']}"


@SCHEMA.exclude(operation_id_regex=LONG_OPERATIONS).parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_responses_conform_to_the_schema(case: schemathesis.Case[Any], server: Server, cookie: str) -> None:
    case.call_and_validate(base_url=server.address, headers={"Cookie": cookie}, checks=CHECKS, timeout=TIMEOUT_S)


def test_the_stored_schema_is_up_to_date() -> None:
    """To update it, run `make api`."""
    assert (WEB / "src/api/openapi.json").read_text() == schema_text()


@pytest.mark.skipif(shutil.which("npx") is None, reason="requires Node.js")
def test_the_generated_types_are_up_to_date(tmp_path: Path) -> None:
    """To update them, run `make api`."""
    generated = tmp_path / "schema.d.ts"
    tool = WEB / "node_modules/.bin/openapi-typescript"
    if not tool.exists():
        pytest.skip("openapi-typescript is not installed")
    command = [str(tool), "src/api/openapi.json", "-o", str(generated)]
    subprocess.run(command, cwd=WEB, check=True, capture_output=True, timeout=TIMEOUT_S)
    assert generated.read_text() == (WEB / "src/api/schema.d.ts").read_text()


def test_the_schema_includes_the_socket_messages() -> None:
    schemas = create_api().openapi()["components"]["schemas"]
    client, server = (schemas[name]["discriminator"]["mapping"] for name in ("ClientMessage", "ServerMessage"))
    assert set(client) >= {"subscribe", "analyse", "stop", "tree", "step"}
    assert set(server) >= {"game", "report", "tree", "iteration", "busy"}


def test_operation_ids_are_unique_words() -> None:
    paths = create_api().openapi()["paths"]
    names = [operation["operationId"] for methods in paths.values() for operation in methods.values()]
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalpha() for name in names)
