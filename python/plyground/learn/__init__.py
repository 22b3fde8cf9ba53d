"""Learning evaluation weights and Q-values from games."""

from plyground.learn.fit import FitLearner, FitSettings
from plyground.learn.qlearning import QLearner, QSettings
from plyground.learn.td import TdLearner, TdSettings
from plyground.learn.training import Learner, TrainingResult, train

__all__ = [
    "FitLearner",
    "FitSettings",
    "Learner",
    "QLearner",
    "QSettings",
    "TdLearner",
    "TdSettings",
    "TrainingResult",
    "train",
]
