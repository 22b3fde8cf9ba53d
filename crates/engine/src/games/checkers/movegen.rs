//! Moves of checkers. Without captures, the moves in a direction are one set of starting squares, and choosing or counting
//! them is counting bits; captures are walked square by square.

use super::Checkers;
use super::board::{BLACK_CROWN, CAN_JUMP, CAN_STEP, WHITE_CROWN, step, step_back};
use crate::Rng;
use crate::bits::{each_bit, nth_bit};

/// A step or a whole capture. Captures with the same start, end and captured set are the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The set of captured squares, empty for a step.
    pub captured: u32,
    /// The bit of the first square.
    pub from: u8,
    /// The bit of the last square.
    pub to: u8,
}

/// Forward directions of white (up) and of black (down).
const fn forward<const WHITE: bool>() -> [usize; 2] {
    if WHITE { [0, 1] } else { [2, 3] }
}

const fn backward<const WHITE: bool>() -> [usize; 2] {
    if WHITE { [2, 3] } else { [0, 1] }
}

/// The pieces as one side sees them.
#[derive(Clone, Copy)]
struct View<const WHITE: bool> {
    own: u32,
    own_kings: u32,
    other: u32,
    empty: u32,
}

impl<const WHITE: bool> View<WHITE> {
    #[inline(always)]
    fn new(position: &Checkers) -> Self {
        let (own, other) = if WHITE { (position.white, position.black) } else { (position.black, position.white) };
        View { own, own_kings: own & position.kings, other, empty: !(own | other) }
    }

    /// The pieces among `pieces` that can step in a direction.
    #[inline(always)]
    fn steppers(&self, pieces: u32, direction: usize) -> u32 {
        pieces & step_back(self.empty, direction) & CAN_STEP[direction]
    }

    /// The pieces among `pieces` that can jump in a direction.
    #[inline(always)]
    fn jumpers(&self, pieces: u32, direction: usize) -> u32 {
        pieces & step_back(self.other & step_back(self.empty, direction), direction) & CAN_JUMP[direction]
    }

    /// All pieces that can capture.
    #[inline(always)]
    fn capturers(&self) -> u32 {
        let [f0, f1] = forward::<WHITE>();
        let [b0, b1] = backward::<WHITE>();
        self.jumpers(self.own, f0)
            | self.jumpers(self.own, f1)
            | self.jumpers(self.own_kings, b0)
            | self.jumpers(self.own_kings, b1)
    }

    /// The starting squares of all steps: the two forward directions in the halves of one word, the two backward ones in another.
    #[inline(always)]
    fn steps(&self) -> [u64; 2] {
        let pair = |pieces, [low, high]: [usize; 2]| {
            u64::from(self.steppers(pieces, low)) | u64::from(self.steppers(pieces, high)) << 32
        };
        [pair(self.own, forward::<WHITE>()), pair(self.own_kings, backward::<WHITE>())]
    }

    /// Each whole capture of the pieces in `capturers`.
    #[inline]
    fn visit_captures(&self, capturers: u32, visit: &mut impl FnMut(Move)) {
        each_bit(capturers.into(), |from| {
            let start = 1 << from;
            let view = View { empty: self.empty | start, ..*self };
            if self.own_kings & start == 0 {
                view.man_captures(from, start, 0, visit);
            } else {
                // Only round trips over four pieces or more can be made in two orders: a jump is the reflection of the piece
                // in the captured square, and shorter products of reflections agree only if they are the same.
                let mut round_trips: Vec<Move> = Vec::new();
                view.king_captures(from, start, 0, &mut |mv: Move| {
                    if mv.captured.count_ones() >= 4 {
                        if round_trips.contains(&mv) {
                            return;
                        }
                        round_trips.push(mv);
                    }
                    visit(mv);
                });
            }
        });
    }

    #[inline]
    fn man_captures(&self, from: u32, at: u32, captured: u32, visit: &mut impl FnMut(Move)) {
        let crown = if WHITE { WHITE_CROWN } else { BLACK_CROWN };
        let mut ended = true;
        if at & crown == 0 {
            for direction in forward::<WHITE>() {
                if let Some((over, to)) = self.jump(at, captured, direction) {
                    ended = false;
                    self.man_captures(from, to, captured | over, visit);
                }
            }
        }
        if ended {
            visit(Move { captured, from: from as u8, to: at.trailing_zeros() as u8 });
        }
    }

    fn king_captures(&self, from: u32, at: u32, captured: u32, visit: &mut dyn FnMut(Move)) {
        let mut ended = true;
        for direction in 0..4 {
            if let Some((over, to)) = self.jump(at, captured, direction) {
                ended = false;
                self.king_captures(from, to, captured | over, visit);
            }
        }
        if ended {
            visit(Move { captured, from: from as u8, to: at.trailing_zeros() as u8 });
        }
    }

    /// One jump from a square: what it takes and where it lands.
    #[inline(always)]
    fn jump(&self, at: u32, captured: u32, direction: usize) -> Option<(u32, u32)> {
        let over = step(at & CAN_JUMP[direction], direction) & self.other & !captured;
        let to = step(over, direction) & self.empty;
        (to != 0).then_some((over, to))
    }

    /// Extends `route` to a way through all of `captured` that ends on `to`.
    fn find_route(&self, route: &mut Vec<u32>, directions: &[usize], left: u32, to: u32) -> bool {
        let at = *route.last().unwrap_or(&to);
        if left == 0 {
            return at == to;
        }
        for &direction in directions {
            if let Some((over, next)) = self.jump(1 << at, !left, direction) {
                route.push(next.trailing_zeros());
                if self.find_route(route, directions, left & !over, to) {
                    return true;
                }
                route.pop();
            }
        }
        false
    }
}

impl Checkers {
    #[inline(always)]
    pub(super) fn visit_moves<const WHITE: bool>(&self, mut visit: impl FnMut(Move)) {
        let view = View::<WHITE>::new(self);
        let capturers = view.capturers();
        if capturers != 0 {
            return view.visit_captures(capturers, &mut visit);
        }
        for (steps, directions) in view.steps().into_iter().zip([forward::<WHITE>(), backward::<WHITE>()]) {
            each_bit(steps, |index| visit(step_move(index, directions)));
        }
    }

    #[inline(always)]
    pub(super) fn count<const WHITE: bool>(&self) -> usize {
        let view = View::<WHITE>::new(self);
        let capturers = view.capturers();
        if capturers != 0 {
            let mut count = 0;
            view.visit_captures(capturers, &mut |_| count += 1);
            return count;
        }
        let [ahead, back] = view.steps();
        (ahead.count_ones() + back.count_ones()) as usize
    }

    #[inline(always)]
    pub(super) fn random_move<const WHITE: bool>(&self, rng: &mut Rng) -> Option<Move> {
        let view = View::<WHITE>::new(self);
        let capturers = view.capturers();
        if capturers != 0 {
            return Some(view.random_capture(capturers, rng));
        }
        let [ahead, back] = view.steps();
        let count = ahead.count_ones();
        let total = count + back.count_ones();
        if total == 0 {
            return None;
        }
        let index = rng.below(total);
        Some(if index < count {
            step_move(nth_bit(ahead, index), forward::<WHITE>())
        } else {
            step_move(nth_bit(back, index - count), backward::<WHITE>())
        })
    }

    /// The bits a hand touches in making a legal move, first to last.
    pub(super) fn route(&self, mv: Move) -> Vec<u32> {
        let (from, to) = (u32::from(mv.from), u32::from(mv.to));
        if mv.captured == 0 {
            return vec![from, to];
        }
        let all = [0, 1, 2, 3];
        let white = self.white >> from & 1 != 0;
        let king = self.kings >> from & 1 != 0;
        let directions = if king { &all[..] } else if white { &all[..2] } else { &all[2..] };
        let view = View::<true> {
            own: 0,
            own_kings: 0,
            other: mv.captured,
            empty: !(self.black | self.white) | 1 << from,
        };
        let mut route = vec![from];
        view.find_route(&mut route, directions, mv.captured, to);
        route
    }
}

impl<const WHITE: bool> View<WHITE> {
    #[inline]
    fn random_capture(&self, capturers: u32, rng: &mut Rng) -> Move {
        const FEW: usize = 8;
        let mut first = [Move { captured: 0, from: 0, to: 0 }; FEW];
        let mut count = 0;
        self.visit_captures(capturers, &mut |mv| {
            if count < FEW {
                first[count] = mv;
            }
            count += 1;
        });
        let index = rng.below(count as u32) as usize;
        if index < FEW {
            return first[index];
        }
        let mut seen = 0;
        self.visit_captures(capturers, &mut |mv| {
            if seen == index {
                first[0] = mv;
            }
            seen += 1;
        });
        first[0]
    }
}

/// The step at bit `index` of a pair of starting sets.
#[inline(always)]
fn step_move(index: u32, directions: [usize; 2]) -> Move {
    let from = index & 31;
    let rotation = super::board::ROTATIONS[directions[(index >> 5) as usize]];
    Move { captured: 0, from: from as u8, to: ((from + rotation) & 31) as u8 }
}
