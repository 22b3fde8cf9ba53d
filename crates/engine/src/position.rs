//! The interface of a game: what a [`Position`] can be asked. Everything else in the engine is generic over it.

use std::fmt::{Debug, Display};

use crate::evaluate::{Measures, Term};
use crate::{Error, Rng};

/// The two sides of a game, in the order in which they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Makes the first move of the game.
    First = 0,
    /// Makes the second.
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

/// Who won, and why the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// What ended the game.
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

/// Why a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Enough pieces of one side in a row.
    Line,
    /// No cell is left.
    FullBoard,
    /// The side to move has no move and loses.
    NoMoves,
    /// The king is attacked and cannot be saved.
    Checkmate,
    /// The side to move has no move but is not in check.
    Stalemate,
    /// No sequence of moves could mate.
    InsufficientMaterial,
    /// The same position came back too often.
    Repetition,
    /// Too many plies in a row without progress.
    MoveLimit,
    /// The rules of a game from elsewhere say so, and no more.
    Rules,
}

impl Reason {
    /// The reason in words, as people say it.
    pub fn words(self) -> &'static str {
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

/// What is certain of a position, without looking further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    /// Who wins under best play; `None` is a draw.
    pub winner: Option<Side>,
    /// Plies to the end if the winner hurries and the loser resists, where that is known; never for a draw.
    pub distance: Option<u32>,
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// How [`Position::cells`] calls it.
    pub letter: char,
    /// Whose it is.
    pub side: Side,
    /// What people call it.
    pub name: &'static str,
}

impl Piece {
    /// The same name for both sides.
    pub const fn pair(name: &'static str, first: char, second: char) -> [Piece; 2] {
        [Piece { letter: first, side: Side::First, name }, Piece { letter: second, side: Side::Second, name }]
    }
}

/// The fixed facts of a game with its options chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Rows of the board as books print it.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The name of each cell in reading order (top row first, `rows * columns` of them); `None` where no piece can stand.
    pub squares: Vec<Option<String>>,
    /// What stands below each column; empty where squares carry numbers.
    pub column_labels: Vec<String>,
    /// What stands left of each row, top row first; empty where nothing does.
    pub row_labels: Vec<String>,
    /// Which side sits at the bottom of that board.
    pub bottom: Side,
    /// What the two sides are called.
    pub sides: [&'static str; 2],
    /// Every kind of piece, each side's ordinary one before its others.
    pub pieces: Vec<Piece>,
    /// [`Position::action`] is below this.
    pub actions: usize,
    /// [`Position::active_features`] are below this.
    pub features: usize,
}

/// What is on the board and who moves. Plain data: cloning it is the way to try a move.
///
/// `==` compares what is on the board and who moves, not clocks or history; [`Position::key`] is equal exactly then
/// (up to hash collisions of 64 bits). Draws by repetition need the moves before: they are the business of [`crate::Line`].
pub trait Position: Clone + Eq + Debug + Display + Send + Sync + 'static {
    /// A legal move of this position; elsewhere it means nothing.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    // Rules.

    /// Who moves. Sides need not alternate: whoever needs a sign asks here.
    fn turn(&self) -> Side;

    /// Calls `visit` with each move the pieces can make, once, always in the same order. None when the game is won.
    fn legal_moves(&self, visit: impl FnMut(Self::Move));

    /// Makes a move that [`Position::legal_moves`] gave; any other leaves a meaningless position (but never undefined behaviour).
    fn play(&mut self, mv: Self::Move);

    /// The outcome where it shows without looking for moves: a line, dead material, a move limit.
    fn decided(&self) -> Option<Outcome>;

    /// The outcome when the side to move of an undecided position has no move.
    fn stuck(&self) -> Outcome;

    /// A hash of what `==` compares.
    fn key(&self) -> u64;

    /// How often a position may occur before the game is drawn; 0 where no position can come back.
    fn repetitions(&self) -> u32 {
        0
    }

    /// Plies since the last move that cannot be taken back: only these can repeat.
    fn quiet_plies(&self) -> u32 {
        0
    }

    /// The outcome that the board alone tells.
    fn outcome(&self) -> Option<Outcome> {
        self.decided().or_else(|| (self.count_moves() == 0).then(|| self.stuck()))
    }

    // Speed: what a game may answer faster than by listing its moves.

    /// The number of legal moves.
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.legal_moves(|_| count += 1);
        count
    }

    /// Plays `legal_moves[rng.below(count_moves)]` of an undecided position; `None`, and no draw, where there is no move.
    #[inline]
    fn play_random(&mut self, rng: &mut Rng) -> Option<Self::Move> {
        let count = self.count_moves();
        if count == 0 {
            return None;
        }
        let index = rng.below(count as u32) as usize;
        let (mut seen, mut chosen) = (0, None);
        self.legal_moves(|mv| {
            if seen == index {
                chosen = Some(mv);
            }
            seen += 1;
        });
        let mv = chosen?;
        self.play(mv);
        Some(mv)
    }

    /// A legal move in sixteen bits, so that a tree can hold millions of them; by default its place in the list.
    #[inline]
    fn encode(&self, mv: Self::Move) -> u16 {
        let (mut place, mut found) = (0, 0);
        self.legal_moves(|other| {
            if other == mv {
                found = place;
            }
            place += 1;
        });
        found
    }

    /// The legal move of a code that [`Position::encode`] gave for this position.
    #[inline]
    fn decode(&self, code: u16) -> Self::Move {
        let mut moves = smallvec::SmallVec::<[Self::Move; 64]>::new();
        self.legal_moves(|mv| moves.push(mv));
        moves[code as usize]
    }

    /// [`Position::legal_moves`], each with its code.
    #[inline]
    fn coded_moves(&self, mut visit: impl FnMut(Self::Move, u16)) {
        self.legal_moves(|mv| visit(mv, self.encode(mv)));
    }

    // Judgement: what a search may know of a game beyond its rules.

    /// Options of the tree search, name and value, that suit the game better than the usual ones.
    const TUNING: &'static [(&'static str, &'static str)] = &[];

    /// A move that wins at once, where the game sees one without playing its moves.
    #[inline(always)]
    fn winning_move(&self) -> Option<Self::Move> {
        None
    }

    /// The move without which the opponent would win at once, where the game sees one without playing its moves.
    #[inline(always)]
    fn blocking_move(&self) -> Option<Self::Move> {
        None
    }

    /// Plays as one does who looks no further than that: a win at once, else what prevents a loss at once, else by chance, where
    /// the game sees it cheaply not a move after which the opponent wins at once; `None` where there is no move.
    #[inline(always)]
    fn play_careful(&mut self, rng: &mut Rng) -> Option<Self::Move> {
        match self.winning_move().or_else(|| self.blocking_move()) {
            Some(mv) => {
                self.play(mv);
                Some(mv)
            }
            None => self.play_random(rng),
        }
    }

    /// Who wins under best play, where tables that are open in this process know it.
    ///
    /// Move limits and repetition are not part of it: a win is one in unlimited play. Cheap (one load) where no tables are
    /// open or there are too many pieces; otherwise a fraction of a microsecond, without locks and without an allocation.
    #[inline(always)]
    fn exact(&self) -> Option<Exact> {
        None
    }

    /// Whether a legal move takes a piece.
    fn captures(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Whether a legal move ends on the edge of the board.
    fn ends_on_edge(&self, _mv: Self::Move) -> bool {
        false
    }

    /// What a legal move wins on the board at once, in hundredths of a man or pawn; 0 for a quiet move.
    #[inline]
    fn gain(&self, mv: Self::Move) -> i32 {
        if self.captures(mv) { 100 } else { 0 }
    }

    /// Calls `visit` with each legal move that gains something, and what; says whether there is a quiet one.
    #[inline]
    fn gaining_moves(&self, mut visit: impl FnMut(Self::Move, i32)) -> bool {
        let mut quiet = false;
        self.legal_moves(|mv| match self.gain(mv) {
            0 => quiet = true,
            gain => visit(mv, gain),
        });
        quiet
    }

    /// How much the side to move stands better, in hundredths of a man or pawn, by rule of thumb.
    fn estimate(&self) -> i32 {
        0
    }

    /// The same by nothing but the pieces.
    fn material(&self) -> i32 {
        self.estimate()
    }

    // Text: what one writes the other reads.

    /// A position of the same game (same board size, same draw rules) from the text `Display` writes.
    fn parse(&self, text: &str) -> Result<Self, Error>;

    /// The name of a legal move outside the engine.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The legal move that `text` names; also takes the other notations of the game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Error>;

    /// The move as a book of the game prints it.
    fn notation(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    // Learning.

    /// An index below [`Game::actions`], the same for the same move seen from the mover's side.
    fn action(&self, mv: Self::Move) -> usize;

    /// Calls `visit` with the index, below [`Game::features`], of each piece-on-square, seen from the mover's side.
    fn active_features(&self, visit: impl FnMut(usize));

    // Judgement by weights: see [`crate::evaluate`].

    /// The numbers with names by which weights judge a position, at most [`crate::evaluate::MOST_TERMS`].
    fn terms(&self) -> &'static [Term] {
        &[]
    }

    /// Writes the terms, seen by the first side, each between about -1 and 1.
    fn measure(&self, _terms: &mut Measures) {}

    /// The number of patterns there are.
    fn patterns(&self) -> usize {
        0
    }

    /// Calls `visit` with the index of each pattern that is there and how often: more for the first side, less for the other.
    fn visit_patterns(&self, _visit: impl FnMut(usize, i32)) {}

    /// How much of the game is to come, from [`crate::evaluate::BEGINNING`] to 0.
    fn phase(&self) -> i32 {
        0
    }

    // View.

    /// The facts of the game this position belongs to.
    fn game(&self) -> Game;

    /// Calls `visit` with the cell (index into [`Game::squares`]) and the letter of each piece on the board.
    fn cells(&self, visit: impl FnMut(usize, char));

    /// The cells a hand touches to make a move, in order.
    fn path(&self, mv: Self::Move) -> Vec<usize>;

    /// The cells the rules point at: a king in check, the pieces that must capture, the line that won.
    fn urgent(&self) -> Vec<usize> {
        Vec::new()
    }
}
