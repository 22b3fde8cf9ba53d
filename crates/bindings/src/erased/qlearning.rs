//! Q-learning of any game.

use plyground_engine::evaluate::QTable;
use plyground_engine::learning::qlearning::{GameResult, Settings, State, play_and_learn, random_score};
use plyground_engine::{GameRules, Line};

/// Q-values of a line of any game.
pub(crate) trait AnyQLearning {
    /// The Q-value of each legal move for the side to move, from -1 to 1.
    fn q_values(&self, table: &QTable) -> Vec<f32>;
    /// Plays a game and updates Q-values.
    fn q_learn(&self, settings: &Settings, state: &mut State) -> GameResult;
    /// The score of Q-values in games against a random player, from 0 to 1.
    fn q_random_score(&self, table: &QTable, games: u32, opening_plies: u32, seed: u64) -> f64;
}

impl<P: GameRules> AnyQLearning for Line<P> {
    fn q_values(&self, table: &QTable) -> Vec<f32> {
        table.q_values(self).into_iter().map(|(_, value)| value).collect()
    }

    fn q_learn(&self, settings: &Settings, state: &mut State) -> GameResult {
        play_and_learn(self.position(), settings, state)
    }

    fn q_random_score(&self, table: &QTable, games: u32, opening_plies: u32, seed: u64) -> f64 {
        random_score(self.position(), table, games, opening_plies, seed)
    }
}
