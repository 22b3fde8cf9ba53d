"""The training methods that visitors may use, and the limits of their runs."""

from __future__ import annotations

from typing import Literal

from plyground.errors import ParseError
from plyground.games import games
from plyground.learn import Learner
from plyground.learn.methods import METHODS, make_learner
from plyground.learn.pytorch import NEEDED, has_pytorch, require_pytorch
from plyground.learn.settings import Setting, Value
from plyground.server.errors import TooManyError
from plyground.server.jobs.training_models import MethodView, RunRequest, SettingView
from plyground.server.search.players import names_file

PYTORCH_MEBIBYTES = 1024
"""Memory that the process of a run may use in addition if the method needs PyTorch, which takes about 750 MiB."""
_KINDS: dict[type, Literal["integer", "real", "text"]] = {int: "integer", float: "real", str: "text"}


def method_views(max_games: int) -> list[MethodView]:
    """Return all training methods with the settings that visitors may change."""
    return [
        MethodView(
            name=method.name,
            title=method.title,
            description=method.description,
            games=[one.spec for one in games() if method.can_learn(one.spec)],
            settings=[_setting_view(setting, max_games) for setting in method.options() if not setting.is_local],
            missing=NEEDED if method.needs_pytorch and not has_pytorch() else None,
        )
        for method in METHODS.values()
    ]


def make_visitor_learner(request: RunRequest, max_games: int) -> Learner:
    """Create the learner of a visitor's run; raise if the run would read files or exceed the limits for visitors."""
    method = METHODS.get(request.method)
    settings = dict(request.settings)
    if method is not None:
        if method.needs_pytorch:
            require_pytorch()
        for setting in method.options():
            if setting.name in settings:
                _check_setting(setting, settings[setting.name], max_games)
            else:
                settings[setting.name] = visitor_default(setting, max_games)
    return make_learner(request.method, request.game, settings, request.seed)


def _check_setting(setting: Setting, value: Value, max_games: int) -> None:
    if setting.is_local:
        raise ParseError(f"{setting.name} can only be set on the command line")
    if isinstance(value, str):
        if names_file(value):
            raise ParseError(f"{setting.name} must be a name, not a file, got {value[:80]!r}")
        return
    maximum = visitor_maximum(setting, max_games)
    if maximum is not None and value > maximum:
        if setting.name == "games":
            raise TooManyError(f"a training run must have at most {max_games} games, got {value:g}")
        raise ParseError(f"{setting.name} must be at most {maximum:g}, got {value:g}")


def visitor_maximum(setting: Setting, max_games: int) -> float | None:
    """Return the largest number that a visitor may request for a setting."""
    maximum = setting.maximum if setting.visitor_maximum is None else setting.visitor_maximum
    return maximum if setting.name != "games" or maximum is None else min(max_games, maximum)


def visitor_default(setting: Setting, max_games: int) -> Value:
    """Return the default of a setting for visitors, which is at most their maximum."""
    maximum = visitor_maximum(setting, max_games)
    default = setting.default
    return default if maximum is None or isinstance(default, str) else min(default, type(default)(maximum))


def _setting_view(setting: Setting, max_games: int) -> SettingView:
    return SettingView(
        name=setting.name,
        kind=_KINDS[type(setting.default)],
        default=str(visitor_default(setting, max_games)),
        minimum=setting.minimum,
        maximum=visitor_maximum(setting, max_games),
        choices=list(setting.choices),
        description=setting.description,
    )
