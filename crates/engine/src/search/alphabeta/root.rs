//! The root: depth after depth, and what the moves are worth.

use std::time::{Duration, Instant};

use super::negamax::{Walk, Window};
use super::transpositions::Bound;
use super::{Config, Limits, MOST_PLIES, MoveOutlook, Outlook, Unwatched, WIN, Watch, proof_of};
use crate::evaluate::Weights;
use crate::search::node::Proof;
use crate::{Error, Line, Position};

/// Half the first window around the last value, in hundredths.
const ASPIRATION: i32 = 30;
/// The next depth takes at least so many times as long as the last one, by rule of thumb.
const GROWTH: f64 = 1.5;

/// A move of the root.
struct RootMove<M> {
    mv: M,
    /// Its place in the list of legal moves.
    place: usize,
    score: Option<(i32, Bound)>,
    line: Vec<M>,
    /// Positions looked at below it, in the last depth.
    nodes: u64,
}

/// The root with what is known of its moves, the best first.
struct Root<'a, P: Position> {
    line: &'a Line<P>,
    moves: Vec<RootMove<P::Move>>,
    walk: Walk<'a, P>,
    began: Instant,
    /// The value of the best move, once there is one.
    score: Option<i32>,
    /// The depth searched to its end.
    depth: u32,
    /// Whether the value would be the same at any depth.
    settled: bool,
}

/// Searches a position that is not finished. A single legal move is answered without a search.
pub fn analyse<P: Position>(line: &Line<P>, config: &Config, limits: &Limits, watch: &mut dyn Watch) -> Result<Outlook, Error> {
    analyse_by(line, config, None, limits, watch)
}

/// [`analyse`] with leaves judged by weights, where they are given.
pub fn analyse_by<P: Position>(
    line: &Line<P>,
    config: &Config,
    weights: Option<&Weights>,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Result<Outlook, Error> {
    line.check_undecided()?;
    Ok(searched(line, config, weights, limits, watch).outlook())
}

/// The best move of a position, as a program that plays itself needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Best<M> {
    /// The move.
    pub mv: M,
    /// Its value for the side to move, in hundredths of a man or pawn; `None` where it is the only one and nothing was searched.
    pub score: Option<i32>,
    /// Best play as far as known, the move itself first.
    pub line: Vec<M>,
}

/// The best move; `None` when the game is over.
pub fn best<P: Position>(line: &Line<P>, config: &Config, weights: Option<&Weights>, limits: &Limits) -> Option<Best<P::Move>> {
    line.check_undecided().ok()?;
    let mut watch = Unwatched;
    let root = searched(line, config, weights, limits, &mut watch);
    let best = root.moves.first()?;
    Some(Best { mv: best.mv, score: root.score, line: best.line.clone() })
}

/// The root of an unfinished game after the search.
fn searched<'a, P: Position>(
    line: &'a Line<P>,
    config: &'a Config,
    weights: Option<&'a Weights>,
    limits: &Limits,
    watch: &'a mut dyn Watch,
) -> Root<'a, P> {
    let began = Instant::now();
    let mut walk = Walk::new(line, config, weights, limits.bytes, watch);
    walk.deadline = limits.deadline(began);
    let start = |(place, mv)| RootMove { mv, place, score: None, line: vec![mv], nodes: 0 };
    let moves: Vec<_> = line.legal_moves().into_iter().enumerate().map(start).collect();
    let mut root = Root { line, moves, walk, began, score: None, depth: 0, settled: false };
    if root.moves.len() > 1 {
        root.deepen(limits);
    }
    root
}

impl<P: Position> Root<'_, P> {
    /// Searches depth after depth until the limits or until nothing can change.
    fn deepen(&mut self, limits: &Limits) {
        let last = limits.depth.clamp(1, MOST_PLIES as u32);
        let first = if self.walk.config.deepening { 1 } else { last };
        for depth in first..=last {
            let before = self.began.elapsed();
            self.search(depth as i32);
            if self.walk.halted {
                return;
            }
            self.depth = depth;
            if self.walk.watch.wants_reports() {
                let outlook = self.outlook();
                self.walk.watch.report(&outlook);
            }
            let now = self.began.elapsed();
            if self.is_over(depth as i32) || cannot_finish(now - before, now, limits.time) {
                return;
            }
        }
    }

    /// Whether no deeper search could say more.
    fn is_over(&self, depth: i32) -> bool {
        self.settled || self.score.is_some_and(|score| WIN - score.abs() <= depth)
    }

    /// One depth, looking close to the last value first and further if it is not there.
    fn search(&mut self, depth: i32) {
        self.walk.guessed = false;
        let mut reach = ASPIRATION;
        let mut window = match self.score {
            Some(score) if self.walk.config.aspiration && depth >= 4 && score.abs() < WIN - MOST_PLIES => {
                Window { alpha: score - reach, beta: score + reach }
            }
            _ => Window::ALL,
        };
        loop {
            let value = self.search_within(depth, window);
            if self.walk.halted || (window.alpha < value && value < window.beta) {
                break;
            }
            reach *= 4;
            if value <= window.alpha {
                window.alpha = if reach > 1000 { Window::ALL.alpha } else { value - reach };
            } else {
                window.beta = if reach > 1000 { Window::ALL.beta } else { value + reach };
            }
        }
        self.settled = !self.walk.guessed && !self.walk.halted;
        // What took long to refute is likelier to be good.
        self.moves[1..].sort_by_key(|mv| std::cmp::Reverse(mv.nodes));
    }

    /// Every move within a window; the best one moves to the front.
    fn search_within(&mut self, depth: i32, window: Window) -> i32 {
        let Window { mut alpha, beta } = window;
        let position = self.line.position();
        let mut best = Window::ALL.alpha;
        self.walk.enter(position, position.key());
        for index in 0..self.moves.len() {
            let before = self.walk.nodes;
            let mv = self.moves[index].mv;
            let value = self.walk.try_late(position, mv, depth - 1, 1, Window { alpha, beta }, index > 0, 0);
            if self.walk.halted {
                break;
            }
            let bound = match value {
                value if value >= beta => Bound::Lower,
                value if value > alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.moves[index].score = Some((value, bound));
            self.moves[index].nodes = self.walk.nodes - before;
            if value > alpha {
                self.walk.extend_line(mv, 0);
                self.moves[index].line.clone_from(&self.walk.lines[0]);
                if value > best {
                    self.score = Some(value);
                    self.moves[..=index].rotate_right(1);
                }
                if self.walk.config.pruning {
                    alpha = value;
                }
            }
            best = best.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.walk.leave(position);
        best
    }

    fn outlook(&self) -> Outlook {
        let position = self.line.position();
        let mut moves: Vec<_> = self.moves.iter().collect();
        moves.sort_by_key(|mv| mv.place);
        let outlook = |mv: &&RootMove<P::Move>| MoveOutlook {
            text: position.move_text(mv.mv),
            score: mv.score,
            proof: mv.score.and_then(|(score, bound)| proof_of(score, bound, position.turn())),
            line: texts(position, &mv.line),
        };
        Outlook {
            moves: moves.iter().map(outlook).collect(),
            best: self.moves[0].place,
            score: self.score,
            proof: self.proof(),
            depth: self.depth,
            deepest: self.walk.deepest as u32,
            nodes: self.walk.nodes,
            cutoffs: self.walk.cutoffs,
            seconds: self.began.elapsed().as_secs_f64(),
            bytes: self.walk.table.bytes(),
        }
    }

    /// What is certain: a forced end, or a draw where the search saw every end there is.
    fn proof(&self) -> Option<Proof> {
        let score = self.score?;
        let drawn = Proof { winner: None, distance: self.moves[0].line.len() as u8 };
        proof_of(score, Bound::Exact, self.line.position().turn()).or((self.settled && score == 0).then_some(drawn))
    }
}

/// Whether another depth would not end in time, judged by how long the last one took.
fn cannot_finish(last: Duration, spent: Duration, limit: Duration) -> bool {
    spent.checked_add(last.mul_f64(GROWTH)).is_none_or(|end| end > limit)
}

/// The names of moves, each asked of the position it is made in.
fn texts<P: Position>(position: &P, moves: &[P::Move]) -> Vec<String> {
    let mut position = position.clone();
    let name = |&mv| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    };
    moves.iter().map(name).collect()
}
