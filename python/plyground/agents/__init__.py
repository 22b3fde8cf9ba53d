"""Players: everything that looks at a position and says what it thinks."""

from plyground.agents.agent import Agent, Analysis, Limit, MoveAnalysis, pick
from plyground.agents.evaluators import register_evaluator
from plyground.agents.registry import agent, agents

__all__ = ["Agent", "Analysis", "Limit", "MoveAnalysis", "agent", "agents", "pick", "register_evaluator"]
