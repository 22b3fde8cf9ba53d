//! Self-play of any game, and what learners fit to it.

use plyground_engine::learning::fit;
use plyground_engine::learning::samples::{Samples, samples};
use plyground_engine::learning::self_play::{Player, play_game};
use plyground_engine::{Error, GameRules, Line};

/// Self-play games from the position of a line of any game.
pub(crate) trait AnyFitting {
    /// Plays a game between two players and returns the result for the first side.
    fn play_game(&self, players: [&Player<'_>; 2], opening_plies: u32, seed: u64) -> i8;
    /// Plays a self-play game, which is training data for [`AnyFitting::fit`].
    fn self_play(&self, settings: &fit::Settings, player: &Player<'_>, number: u64) -> fit::GameRecord;
    /// The codes of moves from the position.
    fn encode_moves(&self, moves: &[&str]) -> Result<Vec<u16>, Error>;
    /// The searched positions of self-play games as arrays.
    fn samples(&self, games: &[fit::GameRecord]) -> Result<Samples, Error>;
    /// Returns an error if a self-play game is malformed.
    fn check_game(&self, game: &fit::GameRecord) -> Result<(), Error>;
    /// Fits pattern weights to games.
    fn fit(&self, settings: &fit::Settings, games: &[fit::GameRecord]) -> Result<fit::Fitted, Error>;
}

impl<P: GameRules> AnyFitting for Line<P> {
    fn play_game(&self, players: [&Player<'_>; 2], opening_plies: u32, seed: u64) -> i8 {
        play_game(self.position(), players, opening_plies, seed)
    }

    fn self_play(&self, settings: &fit::Settings, player: &Player<'_>, number: u64) -> fit::GameRecord {
        fit::play(self.position(), settings, player, number)
    }

    fn encode_moves(&self, moves: &[&str]) -> Result<Vec<u16>, Error> {
        fit::encode_moves(self.position(), moves)
    }

    fn samples(&self, games: &[fit::GameRecord]) -> Result<Samples, Error> {
        samples(self.position(), games)
    }

    fn check_game(&self, game: &fit::GameRecord) -> Result<(), Error> {
        fit::check(self.position(), game)
    }

    fn fit(&self, settings: &fit::Settings, games: &[fit::GameRecord]) -> Result<fit::Fitted, Error> {
        fit::fit(self.position(), settings, games)
    }
}
