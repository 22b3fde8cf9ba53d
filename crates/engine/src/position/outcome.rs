//! Sides, game results and proven values.

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that makes the first move of the game.
    First = 0,
    /// The other side.
    Second = 1,
}

impl Side {
    /// The opponent.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: Reason,
}

impl Outcome {
    /// A win for `side`.
    #[inline]
    pub fn win(side: Side, reason: Reason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// A draw.
    #[inline]
    pub fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A side completed a line.
    Line,
    /// The board is full.
    FullBoard,
    /// The side to move has no legal move and loses.
    NoMoves,
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// Neither side can checkmate by any sequence of legal moves.
    InsufficientMaterial,
    /// The number of occurrences of the position reached the repetition limit.
    Repetition,
    /// Too many consecutive plies were played without progress.
    MoveLimit,
    /// A user-defined game ended; its rules give no reason.
    Rules,
}

impl Reason {
    /// The reason as text, such as `insufficient material`.
    pub fn description(self) -> &'static str {
        match self {
            Reason::Line => "line",
            Reason::FullBoard => "full board",
            Reason::NoMoves => "no moves",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::InsufficientMaterial => "insufficient material",
            Reason::Repetition => "repetition",
            Reason::MoveLimit => "move limit",
            Reason::Rules => "rules",
        }
    }
}

/// The game-theoretic value of a position, proven by a search or known from endgame tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenValue {
    /// The side that wins with best play; `None` for a draw.
    pub winner: Option<Side>,
    /// Plies to the end of the game with best play (the quickest win, the slowest loss), if known.
    pub distance: Option<u32>,
}

impl ProvenValue {
    /// The value for `side`: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn value(self, side: Side) -> f64 {
        self.winner.map_or(0.5, |winner| f64::from(winner == side))
    }
}

impl From<Outcome> for ProvenValue {
    fn from(outcome: Outcome) -> ProvenValue {
        ProvenValue { winner: outcome.winner, distance: Some(0) }
    }
}
