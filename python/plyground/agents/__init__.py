"""Agents: players that analyse a position and recommend a move."""

from plyground.agents.agent import Agent, pick
from plyground.agents.analysis import Analysis, Limit, MoveAnalysis
from plyground.agents.budget import Budget
from plyground.agents.evaluators import register_evaluator
from plyground.agents.presets import presets
from plyground.agents.registry import agent, agents
from plyground.agents.tree import Tree, TreeNode

__all__ = [
    "Agent",
    "Analysis",
    "Budget",
    "Limit",
    "MoveAnalysis",
    "Tree",
    "TreeNode",
    "agent",
    "agents",
    "pick",
    "presets",
    "register_evaluator",
]
