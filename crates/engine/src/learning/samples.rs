//! The positions of self-play games as arrays, for training networks outside the engine.

use super::fit::{GameRecord, NO_SCORE, check};
use crate::{Error, GameRules};

/// One array per field; lists of different lengths are concatenated, and `offsets` are the ends of the lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// The active input features from the mover's point of view.
    pub own: Vec<u32>,
    /// The active input features from the opponent's point of view, as many as in `own`.
    pub other: Vec<u32>,
    /// The end of each position's features.
    pub feature_offsets: Vec<u32>,
    /// The search score in centipawns for the side to move.
    pub scores: Vec<i16>,
    /// The result for the side to move: 1, 0 or -1.
    pub results: Vec<i8>,
    /// The action of the move that the search chose.
    pub actions: Vec<u32>,
    /// The actions of the legal moves.
    pub legal: Vec<u32>,
    /// The end of each position's legal actions.
    pub legal_offsets: Vec<u32>,
    /// Whether the chosen move is not a capture and the side to move is not in check.
    pub quiet: Vec<bool>,
    /// Whether the symmetries of the game apply ([`crate::Learning::is_symmetric`]).
    pub symmetric: Vec<bool>,
}

/// Returns the searched positions of games, in order.
pub fn samples<P: GameRules>(start: &P, games: &[GameRecord]) -> Result<Samples, Error> {
    let mut samples = Samples::default();
    for game in games {
        check(start, game)?;
        let mut position = start.clone();
        for (&code, &score) in game.moves.iter().zip(&game.scores) {
            let mv = position.decode(code);
            if score != NO_SCORE {
                samples.append(&position, mv, score, game.result);
            }
            position.play(mv);
        }
    }
    Ok(samples)
}

impl Samples {
    pub(super) fn append<P: GameRules>(&mut self, position: &P, chosen: P::Move, score: i16, result: i8) {
        let turn = position.turn();
        position.active_features(turn, |feature| self.own.push(feature as u32));
        position.active_features(turn.other(), |feature| self.other.push(feature as u32));
        position.legal_moves(|mv| self.legal.push(position.action(mv) as u32));
        self.feature_offsets.push(self.own.len() as u32);
        self.legal_offsets.push(self.legal.len() as u32);
        self.scores.push(score);
        self.results.push(if turn == crate::Side::First { result } else { -result });
        self.actions.push(position.action(chosen) as u32);
        self.quiet.push(position.capture_gain(chosen) == 0 && !position.is_in_check());
        self.symmetric.push(position.is_symmetric());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect4::{ConnectFour, Standard};
    use crate::learning::fit::{GameRecord, NO_SCORE};
    use crate::{Learning, Position};

    #[test]
    fn searched_positions_become_samples_for_the_side_to_move() {
        let start = ConnectFour::new(Standard);
        let game = GameRecord { moves: vec![3, 3, 2], scores: vec![NO_SCORE, -20, 30], result: 1 };
        let found = samples(&start, &[game]).unwrap();
        assert_eq!((found.scores, found.results, found.actions), (vec![-20, 30], vec![-1, 1], vec![3, 2]));
        assert_eq!((found.feature_offsets, found.legal_offsets), (vec![1, 3], vec![7, 14]));
        let mut after = start;
        after.play(3);
        let mut features = Vec::new();
        after.active_features(after.turn(), |feature| features.push(feature as u32));
        assert_eq!(found.own[..1], features);
        assert_ne!(found.own, found.other);
        assert_eq!(found.legal[..7], [0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn malformed_games_are_rejected() {
        let game = GameRecord { moves: vec![9], scores: vec![0], result: 0 };
        assert!(samples(&ConnectFour::new(Standard), &[game]).is_err());
    }
}
