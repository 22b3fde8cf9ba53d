"""Learning: programs that play to find out what things are worth."""

from plyground.learn.fit import FitLearner, FitSettings
from plyground.learn.td import TdLearning, TdSettings
from plyground.learn.training import Learner, Trained, train

__all__ = ["FitLearner", "FitSettings", "Learner", "TdLearning", "TdSettings", "Trained", "train"]
