//! A start position and the moves played from it.

use crate::position::{GameRules, Outcome, Position, Reason};
use crate::{Error, Rng};

/// A game in progress: the start position, the moves and the current position. It detects draws by repetition.
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    start: P,
    moves: Vec<P::Move>,
    position: P,
    /// Keys of the positions before the current one; empty if positions cannot repeat.
    keys: Vec<u64>,
}

impl<P: Position> Line<P> {
    /// Creates a game with no moves played.
    pub fn new(start: P) -> Line<P> {
        Line { position: start.clone(), start, moves: Vec::new(), keys: Vec::new() }
    }

    /// The start position.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The moves from the start position.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Keys of the positions before the current one; empty if positions cannot repeat.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: P::Move) {
        if self.position.repetition_limit() > 0 {
            self.keys.push(self.position.key());
        }
        self.moves.push(mv);
        self.position.play(mv);
    }

    /// Takes back the last move and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<P::Move> {
        let last = self.moves.pop()?;
        *self = self.replay(self.moves.len());
        Some(last)
    }

    /// The game after its first `plies` moves, or after all moves if there are fewer.
    pub fn replay(&self, plies: usize) -> Line<P> {
        let mut line = Line::new(self.start.clone());
        for &mv in self.moves.iter().take(plies) {
            line.play(mv);
        }
        line
    }

    /// The number of times the current position has occurred, including now.
    pub fn occurrences(&self) -> u32 {
        let reversible = (self.position.reversible_plies() as usize).min(self.keys.len());
        let key = self.position.key();
        1 + self.keys[self.keys.len() - reversible..].iter().filter(|&&earlier| earlier == key).count() as u32
    }

    /// Whether a move that leads to `next` draws the game by repetition.
    pub fn is_repetition(&self, next: &P) -> bool {
        let (limit, reversible) = (next.repetition_limit(), next.reversible_plies() as usize);
        // A position can recur after four plies at the earliest.
        if limit == 0 || reversible < 4 {
            return false;
        }
        let key = next.key();
        let earlier = std::iter::once(self.position.key()).chain(self.keys.iter().rev().copied());
        1 + earlier.take(reversible).filter(|&earlier| earlier == key).count() as u32 >= limit
    }

    /// Whether another game starts from the same position with the same clocks and draw rules.
    pub fn has_same_start(&self, other: &Line<P>) -> bool {
        let draw_rules = |start: &P| (start.reversible_plies(), start.plies_to_move_limit(), start.repetition_limit());
        self.start == other.start && draw_rules(&self.start) == draw_rules(&other.start)
    }

    /// The outcome, including draws by repetition.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let limit = self.position.repetition_limit();
            (limit > 0 && self.occurrences() >= limit).then(|| Outcome::draw(Reason::Repetition))
        })
    }

    /// The legal moves; empty if and only if the game is over.
    pub fn legal_moves(&self) -> Vec<P::Move> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.position.legal_moves(|mv| moves.push(mv));
        }
        moves
    }
}

impl<P: GameRules> Line<P> {
    /// Parses a legal move.
    pub fn parse_move(&self, text: &str) -> Result<P::Move, Error> {
        self.check_unfinished()?;
        self.position.parse_move(text)
    }

    /// Returns an error that states the outcome if the game is over.
    pub fn check_unfinished(&self) -> Result<(), Error> {
        let Some(outcome) = self.outcome() else {
            return Ok(());
        };
        let result = match outcome.winner {
            Some(side) => format!("{} won", self.position.game().sides[side as usize]),
            None => "drawn".to_string(),
        };
        Err(Error::GameOver(format!("the game is over ({result}: {})", outcome.reason.description())))
    }

    /// The legal moves as text.
    pub fn legal_move_texts(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|mv| self.position.move_text(mv)).collect()
    }

    /// The game after a move given as text.
    pub fn after(&self, text: &str) -> Result<Line<P>, Error> {
        let mv = self.parse_move(text)?;
        let mut line = self.clone();
        line.play(mv);
        Ok(line)
    }

    /// The game after a uniformly random legal move.
    pub fn after_random(&self, rng: &mut Rng) -> Result<Line<P>, Error> {
        self.check_unfinished()?;
        let moves = self.legal_moves();
        let mut line = self.clone();
        line.play(moves[rng.below(moves.len() as u32) as usize]);
        Ok(line)
    }

    /// A new game that starts at another position of the same game.
    pub fn restart_at(&self, text: &str) -> Result<Line<P>, Error> {
        Ok(Line::new(self.position.parse(text)?))
    }

    /// The moves played, as text.
    pub fn history(&self) -> Vec<String> {
        self.format_moves(P::move_text)
    }

    /// The moves played, in the game's standard notation.
    pub fn history_notation(&self) -> Vec<String> {
        self.format_moves(P::notation)
    }

    fn format_moves(&self, format: fn(&P, P::Move) -> String) -> Vec<String> {
        let mut position = self.start.clone();
        let moves = self.moves.iter().map(|&mv| {
            let text = format(&position, mv);
            position.play(mv);
            text
        });
        moves.collect()
    }
}
