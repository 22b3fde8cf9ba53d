//! The recursion below the root.

use std::time::Instant;

use super::config::{Config, Evaluation};
use super::ordering::{Candidates, Memory, NO_MOVE, take_best};
use super::transpositions::{Bound, Entry, Table};
use super::{MOST_PLIES, WIN, Watch};
use crate::evaluate::Weights;
use crate::rng::mix;
use crate::search::proof::trusted;
use crate::search::quiesce::{MOST_ESTIMATE, Quiescence, final_value};
use crate::{Exact, Line, Position, Side};

/// Nodes between two looks at the clock: a fraction of a millisecond in every game.
const AT_ONCE: u64 = 512;
/// Captures in a row that a leaf looks at: more than any game has.
const CAPTURES: u32 = 32;
/// From so many quiet plies on the clock counts for the table: a move-limit draw may be near.
const CLOCK: u32 = 16;

/// A window of values, for the side to move.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// Every value.
    pub(super) const ALL: Window = Window { alpha: -WIN - 1, beta: WIN + 1 };

    fn seen_by_the_other(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only the question whether a value is above `alpha`.
    pub(super) fn question(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }
}

/// A search going up and down the tree.
pub(super) struct Walk<'a, P: Position> {
    pub(super) config: &'a Config,
    /// What judges leaves in the place of the rule of thumb.
    weights: Option<&'a Weights>,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) deadline: Option<Instant>,
    pub(super) table: Table,
    pub(super) memory: Memory,
    /// Best play from each ply on, as far as known.
    pub(super) lines: Vec<Vec<P::Move>>,
    /// Keys of the positions before the one looked at, the game's among them.
    keys: Vec<u64>,
    pub(super) nodes: u64,
    /// Positions whose other moves were not looked at.
    pub(super) cutoffs: u64,
    pub(super) deepest: i32,
    next_look: u64,
    /// Values are meaningless from here on: time is up or somebody asked to stop.
    pub(super) halted: bool,
    /// Whether a leaf was valued by rule of thumb, or a draw came by repetition, since this was last cleared.
    pub(super) guessed: bool,
}

impl<'a, P: Position> Walk<'a, P> {
    pub(super) fn new(
        line: &Line<P>,
        config: &'a Config,
        weights: Option<&'a Weights>,
        bytes: usize,
        watch: &'a mut dyn Watch,
    ) -> Self {
        Walk {
            config,
            weights,
            watch,
            deadline: None,
            table: Table::new(if config.table { bytes } else { 0 }),
            memory: Memory::new(MOST_PLIES as usize + 1),
            lines: vec![Vec::new(); MOST_PLIES as usize + 2],
            keys: line.keys().to_vec(),
            nodes: 0,
            cutoffs: 0,
            deepest: 0,
            next_look: 0,
            halted: false,
            guessed: false,
        }
    }

    /// The value of a move of `position` for its mover, and in `lines[ply]` the play that follows it.
    pub(super) fn try_move(&mut self, position: &P, mv: P::Move, depth: i32, ply: i32, window: Window) -> i32 {
        let mut next = position.clone();
        next.play(mv);
        // A leaf needs its key only where it may repeat.
        let key = if depth > 0 || may_repeat(&next) { next.key() } else { 0 };
        if depth > 0 && self.config.table {
            self.table.prefetch(timed_key(&next, key));
        }
        match next.turn() == position.turn() {
            true => self.value(&next, key, depth, ply, window),
            false => -self.value(&next, key, depth, ply, window.seen_by_the_other()),
        }
    }

    /// Enters a position, whose moves are then tried.
    pub(super) fn enter(&mut self, position: &P, key: u64) {
        if position.repetitions() > 0 {
            self.keys.push(key);
        }
    }

    /// Leaves it again.
    pub(super) fn leave(&mut self, position: &P) {
        if position.repetitions() > 0 {
            self.keys.pop();
        }
    }

    /// What the side to move gets: exact inside the window, otherwise a bound.
    fn value(&mut self, position: &P, key: u64, depth: i32, ply: i32, window: Window) -> i32 {
        self.lines[ply as usize].clear();
        self.nodes += 1;
        if self.must_stop() {
            return 0;
        }
        self.deepest = self.deepest.max(ply);
        if let Some(outcome) = position.decided() {
            return final_value(outcome, position.turn(), ply);
        }
        if may_repeat(position) && self.repeats(position, key) {
            self.guessed = true;
            return 0;
        }
        if self.config.tables
            && let Some(exact) = trusted(position)
        {
            self.guessed |= exact.winner.is_some() && exact.distance.is_none();
            return exact_value(exact, position.turn(), ply);
        }
        if depth <= 0 || ply >= MOST_PLIES {
            return self.leaf(position, ply, window);
        }
        let timed = timed_key(position, key);
        let known = if self.config.table { self.table.probe(timed, ply) } else { None };
        if let Some(entry) = known
            && self.answers(&entry, depth, window)
        {
            self.guessed |= entry.guessed;
            return entry.value;
        }
        let guessed_before = std::mem::take(&mut self.guessed);
        let first = known.map_or(NO_MOVE, |entry| entry.code);
        let (value, code) = self.best_of(position, key, depth, ply, window, first);
        if self.config.table && !self.halted {
            let bound = match value {
                value if value >= window.beta => Bound::Lower,
                value if value > window.alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            self.table.store(timed, ply, Entry { value, bound, depth, code, guessed: self.guessed });
        }
        self.guessed |= guessed_before;
        value
    }

    /// The best value of the moves of a position, and the code of that move.
    fn best_of(&mut self, position: &P, key: u64, depth: i32, ply: i32, window: Window, first: u16) -> (i32, u16) {
        let mut candidates = Candidates::new();
        self.memory.list(position, self.config, ply, first, &mut candidates);
        let count = candidates.len();
        if count == 0 {
            return (final_value(position.stuck(), position.turn(), ply), NO_MOVE);
        }
        let extension = i32::from(self.config.extensions && count == 1);
        let Window { mut alpha, beta } = if self.config.pruning { window } else { Window::ALL };
        let (mut best, mut best_code) = (-WIN - 1, first);
        self.enter(position, key);
        for index in 0..count {
            let candidate = take_best(&mut candidates, index);
            let reduced = if candidate.is_quiet() { self.reduction(depth, index) } else { 0 };
            let next_depth = depth - 1 + extension;
            let value = self.try_late(position, candidate.mv, next_depth, ply + 1, Window { alpha, beta }, index > 0, reduced);
            if self.halted {
                break;
            }
            if value > best {
                (best, best_code) = (value, if value > alpha { candidate.code } else { best_code });
                if value > alpha {
                    self.extend_line(candidate.mv, ply);
                }
            }
            if self.config.pruning {
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.cutoffs += u64::from(index + 1 < count);
                    if position.gain(candidate.mv) == 0 {
                        self.memory.refuted(position.turn(), ply, depth, candidate.code);
                    }
                    break;
                }
            }
        }
        self.leave(position);
        (best, best_code)
    }

    /// [`Walk::try_move`] in up to three steps: less deep and with a question only, as deep with a question, in full.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn try_late(
        &mut self,
        position: &P,
        mv: P::Move,
        depth: i32,
        ply: i32,
        window: Window,
        late: bool,
        reduced: i32,
    ) -> i32 {
        if late && self.config.scout && window.beta - window.alpha > 1 || reduced > 0 {
            let question = Window::question(window.alpha);
            let mut value = self.try_move(position, mv, depth - reduced, ply, question);
            if value > window.alpha && reduced > 0 && !self.halted {
                value = self.try_move(position, mv, depth, ply, question);
            }
            if value <= window.alpha || value >= window.beta || self.halted {
                return value;
            }
        }
        self.try_move(position, mv, depth, ply, window)
    }

    /// Plies that the `index`-th quiet move is searched less deep.
    fn reduction(&self, depth: i32, index: usize) -> i32 {
        if !self.config.reductions || depth < 3 || index < 3 {
            return 0;
        }
        1 + i32::from(index >= 8 && depth >= 6)
    }

    /// Puts a move before the line that follows it.
    pub(super) fn extend_line(&mut self, mv: P::Move, ply: i32) {
        let (head, tail) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut head[ply as usize];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&tail[0]);
    }

    /// Whether a stored value settles the question of the window. Open windows are searched, so that best play shows.
    fn answers(&self, entry: &Entry, depth: i32, window: Window) -> bool {
        if self.config.scout && window.beta - window.alpha > 1 {
            return false;
        }
        let deep_enough = entry.depth == depth || self.config.deeper && (entry.depth > depth || !entry.guessed);
        deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.beta,
                Bound::Upper => entry.value <= window.alpha,
            }
    }

    /// Whether the position has come so often, in the game and on the way here, that it is drawn.
    fn repeats(&self, position: &P, key: u64) -> bool {
        let reach = (position.quiet_plies() as usize).min(self.keys.len());
        let earlier = self.keys[self.keys.len() - reach..].iter().filter(|&&earlier| earlier == key).count();
        earlier as u32 + 1 >= position.repetitions()
    }

    /// The value at the horizon.
    fn leaf(&mut self, position: &P, ply: i32, window: Window) -> i32 {
        self.guessed = true;
        match (self.weights, self.config.evaluation) {
            (Some(weights), _) => self.judged(position, ply, window, |position: &P| weights.judge(position)),
            (None, Evaluation::Features) => self.judged(position, ply, window, P::estimate),
            (None, Evaluation::Material) => self.judged(position, ply, window, P::material),
        }
    }

    fn judged(&mut self, position: &P, ply: i32, window: Window, judge: impl Fn(&P) -> i32) -> i32 {
        if self.config.quiescence {
            let mut quiescence = Quiescence { judge, visited: 0 };
            let value = quiescence.value(position, window.alpha, window.beta, CAPTURES, ply);
            self.nodes += quiescence.visited - 1;
            return value;
        }
        if position.count_moves() == 0 {
            return final_value(position.stuck(), position.turn(), ply);
        }
        judge(position).clamp(-MOST_ESTIMATE, MOST_ESTIMATE)
    }

    fn must_stop(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.next_look = self.nodes + AT_ONCE;
            self.halted |= self.watch.wants_stop() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.halted
    }
}

/// Whether enough moves that can be taken back were made for a draw by repetition.
#[inline]
fn may_repeat<P: Position>(position: &P) -> bool {
    let limit = position.repetitions();
    limit > 0 && position.quiet_plies() + 1 >= limit
}

/// The key of a position with the clock where it matters.
#[inline]
fn timed_key<P: Position>(position: &P, key: u64) -> u64 {
    match position.quiet_plies() {
        quiet if quiet < CLOCK => key,
        quiet => key ^ mix(quiet.into()),
    }
}

/// What is known from tables `ply` plies ahead, for `side`. A win whose length is not known is better than all that is guessed and
/// worse than one whose end is in sight.
fn exact_value(exact: Exact, side: Side, ply: i32) -> i32 {
    const FAR: i32 = (WIN + MOST_ESTIMATE) / 2;
    let Some(winner) = exact.winner else {
        return 0;
    };
    let value = exact.distance.map_or(FAR - ply, |distance| WIN - ply - distance as i32);
    if winner == side { value } else { -value }
}
