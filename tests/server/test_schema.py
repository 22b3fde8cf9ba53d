"""The API is what its schema says, and the page's types are made from it."""

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

from plyground.server.app import routes_only
from plyground.server.schema import openapi, text
from server.serving import Server

WEB = Path(__file__).parents[2] / "web"
SCHEMA = schemathesis.openapi.from_dict(json.loads(text(routes_only())))
LONG = "train_now|make_run|make_tournament|import_games"
"""What would keep the machine busy: tests of their own do."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def cookie(server: Server) -> str:
    visitor = server.visitor()
    visitor.get("/state")
    return f"plyground={visitor.http.cookies['plyground']}"


@SCHEMA.exclude(operation_id_regex=LONG).parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_the_schema_says(case: schemathesis.Case[Any], server: Server, cookie: str) -> None:
    case.call_and_validate(base_url=server.address, headers={"Cookie": cookie}, checks=CHECKS, timeout=30)


def test_the_schema_in_the_page_is_the_server_s() -> None:
    """`python -m plyground.server.schema web/src/api/openapi.json` writes it anew."""
    assert (WEB / "src/api/openapi.json").read_text() == text(routes_only())


@pytest.mark.skipif(shutil.which("npx") is None, reason="the page's tools need Node")
def test_the_page_s_types_are_those_of_the_schema(tmp_path: Path) -> None:
    """`npm run api` in web makes them anew."""
    made = tmp_path / "schema.d.ts"
    tool = WEB / "node_modules/.bin/openapi-typescript"
    if not tool.exists():
        pytest.skip("the page's tools are not installed: make web")
    command = [str(tool), "src/api/openapi.json", "-o", str(made)]
    subprocess.run(command, cwd=WEB, check=True, capture_output=True, timeout=60)
    assert made.read_text() == (WEB / "src/api/schema.d.ts").read_text()


def test_messages_of_the_socket_are_in_the_schema() -> None:
    parts = openapi(routes_only())["components"]["schemas"]
    assert set(parts["ClientMessage"]["discriminator"]["mapping"]) >= {"follow", "analyse", "stop", "tree", "step"}
    assert set(parts["ServerMessage"]["discriminator"]["mapping"]) >= {"game", "report", "tree", "iteration", "busy"}


def test_operations_have_readable_names() -> None:
    names = [told["operationId"] for path in openapi(routes_only())["paths"].values() for told in path.values()]
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalpha() for name in names)
