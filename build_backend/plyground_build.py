"""PEP 517 and PEP 660 build backend: builds the web UI, then delegates to maturin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import maturin

import build_web_ui

Settings = Mapping[str, Any] | None


def _with_node(requirements: list[str]) -> list[str]:
    needs_node = build_web_ui.is_needed() and not build_web_ui.has_node()
    return [*requirements, build_web_ui.NODE_PACKAGE] if needs_node else requirements


def _build_web_ui() -> None:
    if build_web_ui.is_needed():
        build_web_ui.build()


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """Return maturin's requirements, plus Node.js if the web UI must be built and Node.js is missing."""
    return _with_node(maturin.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """Return the same requirements as for a wheel."""
    return _with_node(maturin.get_requires_for_build_editable(config_settings))


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """Return the same requirements as for a wheel, because an sdist contains the built web UI."""
    return _with_node(maturin.get_requires_for_build_sdist(config_settings))


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Settings = None) -> str:
    """Prepare the metadata, which does not need the web UI."""
    return str(maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """Build the web UI and a wheel that contains it."""
    _build_web_ui()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """Build the web UI and an editable wheel."""
    _build_web_ui()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Build the web UI and an sdist that contains it, so that installing the sdist needs no Node.js."""
    _build_web_ui()
    return str(maturin.build_sdist(sdist_directory, config_settings))
