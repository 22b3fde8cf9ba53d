"""The limits of visitors' training runs, for every method."""

from __future__ import annotations

import pytest

from plyground import ParseError
from plyground.learn.methods import METHODS
from plyground.learn.settings import declared_settings
from plyground.server.errors import TooManyError
from plyground.server.jobs import training_methods
from plyground.server.jobs.training_methods import make_visitor_learner, method_views, visitor_maximum
from plyground.server.jobs.training_models import RunRequest
from server.serving import Visitor

MAX_GAMES = 5000
SIZES = {
    "depth": 6,
    "teacher_depth": 6,
    "width": 256,
    "hidden": 64,
    "epochs": 50,
    "batch": 8192,
    "buffer": 100_000,
    "replays": 50,
    "table_bits": 18,
}
"""The largest values that a visitor may choose, by the name of a setting."""


def request(method: str, **settings: float | int | str) -> RunRequest:
    return RunRequest(method=method, game="checkers", settings=settings)


@pytest.mark.parametrize("name", METHODS)
def test_the_work_of_every_method_is_bounded_for_visitors(name: str) -> None:
    declared = declared_settings(METHODS[name].settings)
    assert visitor_maximum(declared["games"], MAX_GAMES) == MAX_GAMES
    for setting in declared.values():
        if not isinstance(setting.default, str):
            assert setting.maximum is not None, f"{setting.name} of {name} has no maximum"
        maximum = visitor_maximum(setting, MAX_GAMES)
        assert setting.name not in SIZES or maximum == SIZES[setting.name]


@pytest.mark.parametrize("name", METHODS)
def test_values_above_the_maximum_are_rejected(name: str) -> None:
    with pytest.raises(TooManyError, match="at most 5000 games, got 5001"):
        make_visitor_learner(request(name, games=MAX_GAMES + 1), MAX_GAMES)
    for setting in METHODS[name].options():
        maximum = setting.visitor_maximum
        if maximum is not None and not isinstance(setting.default, str):
            with pytest.raises(ParseError, match=f"{setting.name} must be at most {maximum:g}"):
                make_visitor_learner(request(name, **{"games": 10, setting.name: maximum * 2}), MAX_GAMES)


@pytest.mark.parametrize("name", METHODS)
def test_files_and_programs_of_the_server_cannot_be_named(name: str) -> None:
    for setting in METHODS[name].options():
        if setting.is_local:
            with pytest.raises(ParseError, match=f"{setting.name} can only be set on the command line"):
                make_visitor_learner(request(name, **{setting.name: "x"}), MAX_GAMES)
        elif isinstance(setting.default, str):
            with pytest.raises(ParseError, match=f"{setting.name} must be a name, not a file"):
                make_visitor_learner(request(name, **{setting.name: "/etc/passwd"}), MAX_GAMES)
    shown = next(one for one in method_views(MAX_GAMES) if one.name == name)
    local = {setting.name for setting in METHODS[name].options() if setting.is_local}
    assert not local & {setting.name for setting in shown.settings}


def test_every_setting_has_an_explanation_and_a_default_within_its_bounds() -> None:
    for method in method_views(MAX_GAMES):
        assert method.description.endswith(".")
        for setting in method.settings:
            assert setting.description.endswith("."), setting.description
            if setting.kind == "text":
                assert not setting.choices or setting.default in setting.choices
            else:
                assert setting.minimum is not None and setting.maximum is not None
                assert setting.minimum <= float(setting.default) <= setting.maximum


def test_a_default_above_the_maximum_of_the_server_is_lowered() -> None:
    assert make_visitor_learner(request("td"), 50).total_games == 50
    (td,) = (method for method in method_views(50) if method.name == "td")
    assert next(setting.default for setting in td.settings if setting.name == "games") == "50"


def test_without_pytorch_the_methods_that_need_it_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(method.missing is None for method in method_views(MAX_GAMES))
    monkeypatch.setattr(training_methods, "has_pytorch", lambda: False)
    monkeypatch.setattr("plyground.learn.pytorch.has_pytorch", lambda: False)
    for method in method_views(MAX_GAMES):
        assert (method.missing is None) != METHODS[method.name].needs_pytorch
        if method.missing is not None:
            assert "pip install 'plyground[learn]' (about 5 GB), or run make learn" in method.missing
            with pytest.raises(ParseError, match="training networks requires PyTorch"):
                make_visitor_learner(request(method.name, games=10), MAX_GAMES)


def test_the_server_offers_every_method(visitor: Visitor) -> None:
    assert [method["name"] for method in visitor.get("/training/methods")] == list(METHODS)
