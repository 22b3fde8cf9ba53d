//! Games of a network without search, and their moves as transitions for Q-learning outside the engine.

use super::fit::NO_SCORE;
use super::samples::Samples;
use super::self_play::{MAX_GAME_PLIES, Player, is_unfinished, random_move, result};
use crate::{Error, GameRules, Line, Rng, Side};

/// How a move was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Choice {
    /// By the player.
    Own = 0,
    /// At random, to explore or by a random opponent.
    Random = 1,
    /// By the teacher, in place of the player.
    Teacher = 2,
}

impl Choice {
    const ALL: [Choice; 3] = [Choice::Own, Choice::Random, Choice::Teacher];
}

/// Settings of a game.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The probability of a random move.
    pub epsilon: f64,
    /// The number of random plies at the start.
    pub opening_plies: u32,
    /// The search depth of the teacher in plies.
    pub teacher_depth: u32,
    /// The probability that the teacher chooses a move that is not random.
    pub teacher_fraction: f64,
    /// The random seed.
    pub seed: u64,
}

/// A played game. A game of [`MAX_GAME_PLIES`] plies is a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Episode {
    /// The moves as encoded by [`crate::Position::encode`].
    pub moves: Vec<u16>,
    /// How each move was chosen: a [`Choice`].
    pub choices: Vec<u8>,
    /// The result for the first side: 1, 0 or -1.
    pub result: i8,
}

/// Plays a game between two players. The teacher, an alpha-beta search with the game's heuristic, replaces moves of players that are
/// not random.
pub fn play<P: GameRules>(start: &P, players: [&Player<'_>; 2], settings: &Settings) -> Episode {
    let mut rng = Rng::new(settings.seed);
    let teacher = Player::FixedDepth(None, settings.teacher_depth);
    let mut line = Line::new(start.clone());
    let mut episode = Episode::default();
    while is_unfinished(&line) {
        let player = players[line.position().turn() as usize];
        let is_opening = line.moves().len() < settings.opening_plies as usize;
        let is_random = is_opening || matches!(player, Player::Random) || rng.unit() < settings.epsilon;
        let (chosen, choice) = if is_random {
            (random_move(&line, &mut rng), Choice::Random)
        } else if settings.teacher_fraction > 0.0 && rng.unit() < settings.teacher_fraction {
            (teacher.choose(&line, &mut rng), Choice::Teacher)
        } else {
            (player.choose(&line, &mut rng), Choice::Own)
        };
        episode.moves.push(line.position().encode(chosen.mv));
        episode.choices.push(choice as u8);
        line.play(chosen.mv);
    }
    episode.result = result(&line);
    episode
}

/// The positions of episodes as arrays, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transitions {
    /// The positions, the chosen actions and the results; there are no scores.
    pub samples: Samples,
    /// The side to move of each position: 0 for the first side, 1 for the second.
    pub turns: Vec<u8>,
    /// How each move was chosen: a [`Choice`].
    pub choices: Vec<u8>,
    /// The end of each episode: an index of `turns`.
    pub ends: Vec<u32>,
}

/// Returns the positions of episodes, which may be read from a file; malformed ones are an error.
pub fn transitions<P: GameRules>(start: &P, episodes: &[Episode]) -> Result<Transitions, Error> {
    let mut found = Transitions::default();
    for episode in episodes {
        let malformed = |why: &str| Error::Parse(format!("malformed episode: {why}"));
        if episode.moves.len() > MAX_GAME_PLIES || !(-1..=1).contains(&episode.result) {
            return Err(malformed("it is too long or its result is not 1, 0 or -1"));
        }
        if episode.choices.len() != episode.moves.len() || !episode.choices.iter().all(is_choice) {
            return Err(malformed("it must have one choice per move"));
        }
        let mut position = start.clone();
        for (&code, &choice) in episode.moves.iter().zip(&episode.choices) {
            let mut chosen = None;
            if position.early_outcome().is_none() {
                position.coded_moves(|mv, other| chosen = if other == code { Some(mv) } else { chosen });
            }
            let mv = chosen.ok_or_else(|| malformed("it contains an illegal move"))?;
            found.samples.append(&position, mv, NO_SCORE, episode.result);
            found.turns.push((position.turn() == Side::Second).into());
            found.choices.push(choice);
            position.play(mv);
        }
        found.ends.push(found.turns.len() as u32);
    }
    Ok(found)
}

fn is_choice(choice: &u8) -> bool {
    Choice::ALL.iter().any(|known| *known as u8 == *choice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::{ConnectFour, Standard};

    const SETTINGS: Settings = Settings { epsilon: 0.5, opening_plies: 2, teacher_depth: 2, teacher_fraction: 0.5, seed: 1 };

    #[test]
    fn the_same_seed_plays_the_same_episode() {
        let start = ConnectFour::new(Standard);
        let players = [&Player::FixedDepth(None, 1), &Player::Random];
        let episode = play(&start, players, &SETTINGS);
        assert_eq!(episode, play(&start, players, &SETTINGS));
        assert_ne!(episode, play(&start, players, &Settings { seed: 2, ..SETTINGS }));
        assert_eq!(episode.choices[..2], [Choice::Random as u8; 2]);
        assert!(episode.choices.iter().skip(1).step_by(2).all(|&choice| choice == Choice::Random as u8));
    }

    #[test]
    fn the_teacher_takes_wins() {
        let settings = Settings { epsilon: 0.0, opening_plies: 0, teacher_fraction: 1.0, ..SETTINGS };
        let player = Player::FixedDepth(None, 1);
        let episode = play(&ConnectFour::new(Standard), [&player, &Player::Random], &settings);
        assert_eq!(episode.result, 1);
        assert_eq!(episode.choices[0], Choice::Teacher as u8);
    }

    #[test]
    fn episodes_become_transitions_with_results_for_the_side_to_move() {
        let start = ConnectFour::new(Standard);
        let moves = vec![3, 0, 3, 0, 3, 0, 3];
        let won = Episode { choices: vec![0; moves.len()], moves, result: 1 };
        let found = transitions(&start, &[won.clone(), won]).unwrap();
        assert_eq!(found.ends, [7, 14]);
        assert_eq!(found.turns[..3], [0, 1, 0]);
        assert_eq!(found.samples.results[..3], [1, -1, 1]);
        assert_eq!(found.samples.actions[..3], [3, 0, 3]);
    }

    #[test]
    fn malformed_episodes_are_rejected() {
        let start = ConnectFour::new(Standard);
        for (moves, choices, result) in [
            (vec![9], vec![0], 0),
            (vec![3], vec![], 0),
            (vec![3], vec![3], 0),
            (vec![3], vec![0], 2),
            (vec![0; 7], vec![0; 7], 0),
        ] {
            assert!(transitions(&start, &[Episode { moves, choices, result }]).is_err());
        }
    }
}
