//! A start position and the moves since: what decides repetition.

use crate::{Error, Outcome, Position, Reason};

/// A game being played: where it started, the moves, where it stands.
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    start: P,
    moves: Vec<P::Move>,
    position: P,
    /// Keys of the positions before the current one, kept only where positions can come back.
    keys: Vec<u64>,
}

impl<P: Position> Line<P> {
    /// A game about to begin at `start`.
    pub fn new(start: P) -> Line<P> {
        Line { position: start.clone(), start, moves: Vec::new(), keys: Vec::new() }
    }

    /// Where the game began.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// Where the game stands.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The moves from the start.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Keys of the positions before the current one; none where no position can come back.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: P::Move) {
        if self.position.repetitions() > 0 {
            self.keys.push(self.position.key());
        }
        self.moves.push(mv);
        self.position.play(mv);
    }

    /// Takes back the last move; `None` at the start.
    pub fn unplay(&mut self) -> Option<P::Move> {
        let last = self.moves.pop()?;
        *self = self.replay(self.moves.len());
        Some(last)
    }

    /// The same game as it stood after the first `plies` moves (all of them where there are fewer).
    pub fn replay(&self, plies: usize) -> Line<P> {
        let mut line = Line::new(self.start.clone());
        for &mv in self.moves.iter().take(plies) {
            line.play(mv);
        }
        line
    }

    /// How often the position has stood on the board, this time included.
    pub fn occurrences(&self) -> u32 {
        let reach = (self.position.quiet_plies() as usize).min(self.keys.len());
        let key = self.position.key();
        1 + self.keys[self.keys.len() - reach..].iter().filter(|&&earlier| earlier == key).count() as u32
    }

    /// The outcome, repetition included.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let limit = self.position.repetitions();
            (limit > 0 && self.occurrences() >= limit).then(|| Outcome::draw(Reason::Repetition))
        })
    }

    /// The legal moves; empty exactly when the game is over.
    pub fn legal_moves(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.position.legal_moves(|mv| moves.push(mv));
        }
        moves
    }

    /// The legal move that `text` names.
    pub fn parse_move(&self, text: &str) -> Result<P::Move, Error> {
        self.check_undecided()?;
        self.position.parse_move(text)
    }

    /// An error that says how the game ended, if it did.
    pub fn check_undecided(&self) -> Result<(), Error> {
        let Some(outcome) = self.outcome() else {
            return Ok(());
        };
        let result = match outcome.winner {
            Some(side) => format!("{} won", self.position.game().sides[side as usize]),
            None => "drawn".to_string(),
        };
        Err(Error::GameOver(format!("the game is over ({result}: {}); no move can follow", outcome.reason.words())))
    }
}
