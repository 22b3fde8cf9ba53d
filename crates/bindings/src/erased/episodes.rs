//! Episodes of any game, for Q-learning.

use plyground_engine::learning::episodes::{self, Episode, Settings, Transitions};
use plyground_engine::learning::self_play::Player;
use plyground_engine::{Error, GameRules, Line};

/// A line from whose position episodes start.
pub(crate) trait AnyEpisodes {
    /// Plays a game between two players.
    fn play_episode(&self, players: [&Player<'_>; 2], settings: &Settings) -> Episode;
    /// The positions of episodes as arrays.
    fn transitions(&self, episodes: &[Episode]) -> Result<Transitions, Error>;
}

impl<P: GameRules> AnyEpisodes for Line<P> {
    fn play_episode(&self, players: [&Player<'_>; 2], settings: &Settings) -> Episode {
        episodes::play(self.position(), players, settings)
    }

    fn transitions(&self, episodes: &[Episode]) -> Result<Transitions, Error> {
        episodes::transitions(self.position(), episodes)
    }
}
