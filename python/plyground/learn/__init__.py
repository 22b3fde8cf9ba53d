"""Learning evaluation weights from games."""

from plyground.learn.fit import FitLearner, FitSettings
from plyground.learn.td import TdLearner, TdSettings
from plyground.learn.training import Learner, TrainingResult, train

__all__ = ["FitLearner", "FitSettings", "Learner", "TdLearner", "TdSettings", "TrainingResult", "train"]
