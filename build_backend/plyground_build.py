"""The build backend: maturin's, after the page has been built. What pip calls stands in PEP 517 and PEP 660."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import maturin

import web_page

Settings = Mapping[str, Any] | None


def _with_node(needed: list[str]) -> list[str]:
    return needed if web_page.has_node() or not web_page.is_needed() else [*needed, web_page.NODE_PACKAGE]


def _make_page() -> None:
    if web_page.is_needed():
        web_page.build()


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What maturin needs, and Node.js where the page has to be built without it."""
    return _with_node(maturin.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """As for a wheel."""
    return _with_node(maturin.get_requires_for_build_editable(config_settings))


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """As for a wheel: a source archive carries the built page."""
    return _with_node(maturin.get_requires_for_build_sdist(config_settings))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """The metadata alone needs no page."""
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """The page, then the wheel with it inside."""
    _make_page()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """The page, then a wheel that points here."""
    _make_page()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """The page, then the source archive with it inside: who installs from that needs no Node.js."""
    _make_page()
    return str(maturin.build_sdist(sdist_directory, config_settings))
