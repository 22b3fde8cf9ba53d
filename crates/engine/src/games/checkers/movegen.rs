//! Moves of checkers. The steps in one direction are one set of starting squares, and so are the captures of a single piece:
//! choosing or counting them is counting bits. Only captures that go on are walked square by square.

use super::Checkers;
use super::board::{BLACK_CROWN, CAN_JUMP, CAN_STEP, ROTATIONS, WHITE_CROWN, step, step_back};
use crate::Rng;
use crate::bits::{each_bit, nth_bit};
use crate::rng::scale;

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

impl Move {
    /// From and to of a step or a single capture; of a longer one, its place in the list of moves.
    #[inline(always)]
    pub(super) fn code_at(self, place: u16) -> u16 {
        if self.captured.count_ones() <= 1 { u16::from(self.from) << 5 | u16::from(self.to) } else { CHAIN | place }
    }
}

/// A move with its ends as one-square sets: what playing it needs.
#[derive(Clone, Copy)]
pub(super) struct Marks {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) captured: u32,
}

impl From<Move> for Marks {
    #[inline(always)]
    fn from(mv: Move) -> Marks {
        Marks { from: 1 << (mv.from & 31), to: 1 << (mv.to & 31), captured: mv.captured }
    }
}

impl From<Marks> for Move {
    #[inline(always)]
    fn from(marks: Marks) -> Move {
        let Marks { from, to, captured } = marks;
        Move { captured, from: from.trailing_zeros() as u8, to: to.trailing_zeros() as u8 }
    }
}

/// Marks the code of a capture of several pieces.
const CHAIN: u16 = 1 << 15;

/// The square between two squares a jump apart, as a set; empty for other pairs.
static BETWEEN: [[u32; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut from = 0;
    while from < 32 {
        let mut direction = 0;
        while direction < 4 {
            if CAN_JUMP[direction] >> from & 1 != 0 {
                let over = (from as u32 + ROTATIONS[direction]) & 31;
                table[from][((over + ROTATIONS[direction]) & 31) as usize] = 1 << over;
            }
            direction += 1;
        }
        from += 1;
    }
    table
};

/// The starting squares of moves of one kind: the two forward directions in the halves of the first word, the two backward
/// ones in the halves of the second.
type Starts = [u64; 2];

/// All moves of a position.
enum Moves {
    Steps(Starts),
    /// Captures of one piece each: none of them can go on.
    Jumps(Starts),
    /// The pieces that can capture, at least one of them more than one piece.
    Chains(u32),
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
    /// Up for white, down for black.
    const FORWARD: [usize; 2] = if WHITE { [0, 1] } else { [2, 3] };
    const BACKWARD: [usize; 2] = if WHITE { [2, 3] } else { [0, 1] };
    const CROWN: u32 = if WHITE { WHITE_CROWN } else { BLACK_CROWN };

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

    #[inline(always)]
    fn starts(&self, find: impl Fn(u32, usize) -> u32) -> Starts {
        let pair = |pieces, [low, high]: [usize; 2]| u64::from(find(pieces, low)) | u64::from(find(pieces, high)) << 32;
        [pair(self.own, Self::FORWARD), pair(self.own_kings, Self::BACKWARD)]
    }

    #[inline(always)]
    fn moves(&self) -> Moves {
        let jumps = self.starts(|pieces, direction| self.jumpers(pieces, direction));
        if jumps == [0, 0] {
            Moves::Steps(self.starts(|pieces, direction| self.steppers(pieces, direction)))
        } else if self.any_goes_on(jumps) {
            let [ahead, back] = jumps;
            Moves::Chains((ahead | ahead >> 32 | back | back >> 32) as u32)
        } else {
            Moves::Jumps(jumps)
        }
    }

    /// Whether after one of these jumps the same piece can jump again.
    #[inline(always)]
    fn any_goes_on(&self, jumps: Starts) -> bool {
        let mut on = 0;
        for (pair, directions) in jumps.into_iter().zip([Self::FORWARD, Self::BACKWARD]) {
            for (half, direction) in directions.into_iter().enumerate() {
                let from = (pair >> (32 * half)) as u32;
                let land = |pieces: u32| step(step(pieces, direction), direction);
                let men = land(from & !self.own_kings) & !Self::CROWN;
                let kings = land(from & self.own_kings);
                let [left, right] = Self::FORWARD;
                on |= self.jumpers(men, left) | self.jumpers(men, right);
                // Not straight back: that piece is taken already.
                for turn in [direction, (direction + 1) % 4, (direction + 3) % 4] {
                    on |= self.jumpers(kings, turn);
                }
            }
        }
        on != 0
    }

    /// Each whole capture of the pieces in `capturers`.
    #[inline(never)]
    fn visit_chains(&self, capturers: u32, visit: &mut impl FnMut(Move)) {
        each_bit(capturers.into(), |from| {
            let start = 1 << from;
            let view = View { empty: self.empty | start, ..*self };
            let king = self.own_kings & start != 0;
            // Only round trips over four pieces or more can be made in two orders: a jump is the reflection of the piece
            // in the captured square, and shorter products of reflections agree only if they are the same.
            let mut round_trips: Vec<Move> = Vec::new();
            view.chains(king, from, start, 0, &mut |mv: Move| {
                if king && mv.captured.count_ones() >= 4 {
                    if round_trips.contains(&mv) {
                        return;
                    }
                    round_trips.push(mv);
                }
                visit(mv);
            });
        });
    }

    fn chains(&self, king: bool, from: u32, at: u32, captured: u32, visit: &mut impl FnMut(Move)) {
        let mut ended = true;
        let directions: &[usize] = match king {
            true => &[0, 1, 2, 3],
            false if at & Self::CROWN != 0 => &[],
            false => &Self::FORWARD,
        };
        for &direction in directions {
            if let Some((over, to)) = self.jump(at, captured, direction) {
                ended = false;
                self.chains(king, from, to, captured | over, visit);
            }
        }
        // A piece that may not capture at all is not asked, so something was captured here.
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

    /// Extends `route` to a way through all of `left` that ends on `to`.
    fn find_route(&self, route: &mut Vec<u32>, directions: &[usize], left: u32, to: u32) -> bool {
        let at = route[route.len() - 1];
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

    /// The `n`-th move of a set of starts.
    #[inline(always)]
    fn nth(starts: Starts, n: u32, jumps: bool) -> Marks {
        // Chance decides between ahead and back, so a branch here would often be guessed wrong: masks instead.
        let [ahead, back] = starts;
        let count = ahead.count_ones();
        let backward = n >= count;
        let mask = u64::from(backward).wrapping_neg();
        let pair = ahead ^ ((ahead ^ back) & mask);
        let start = nth_bit(pair, n - (count & mask as u32));
        let (low, high) = (start as u32, (start >> 32) as u32);
        let steps = |n| {
            let away = |set, direction: usize| (0..n).fold(set, |set, _| step(set, direction));
            let [ahead, back] = [Self::FORWARD, Self::BACKWARD].map(|[a, b]| away(low, a) | away(high, b));
            ahead ^ ((ahead ^ back) & mask as u32)
        };
        match jumps {
            false => Marks { from: low | high, to: steps(1), captured: 0 },
            true => Marks { from: low | high, to: steps(2), captured: steps(1) },
        }
    }

    #[inline(always)]
    fn each(starts: Starts, jumps: bool, mut visit: impl FnMut(Move)) {
        for (pair, [low, high]) in starts.into_iter().zip([Self::FORWARD, Self::BACKWARD]) {
            each_bit(pair & 0xffff_ffff, |from| visit(Self::at(from, ROTATIONS[low], jumps)));
            each_bit(pair >> 32, |from| visit(Self::at(from, ROTATIONS[high], jumps)));
        }
    }

    #[inline(always)]
    fn at(from: u32, rotation: u32, jumps: bool) -> Move {
        let next = (from + rotation) & 31;
        if jumps {
            Move { captured: 1 << next, from: from as u8, to: ((next + rotation) & 31) as u8 }
        } else {
            Move { captured: 0, from: from as u8, to: next as u8 }
        }
    }

    #[inline(never)]
    fn random_chain(self, capturers: u32, bits: u64) -> Move {
        let mut chains = smallvec::SmallVec::<[Move; 16]>::new();
        self.visit_chains(capturers, &mut |mv| chains.push(mv));
        chains[scale(bits, chains.len() as u32) as usize]
    }
}

impl Checkers {
    #[inline(always)]
    pub(super) fn visit_moves<const WHITE: bool>(&self, mut visit: impl FnMut(Move)) {
        let view = View::<WHITE>::new(self);
        match view.moves() {
            Moves::Steps(starts) => View::<WHITE>::each(starts, false, visit),
            Moves::Jumps(starts) => View::<WHITE>::each(starts, true, visit),
            Moves::Chains(capturers) => view.visit_chains(capturers, &mut visit),
        }
    }

    /// Each capture with what it takes; says whether there are steps instead.
    #[inline(always)]
    pub(super) fn visit_captures<const WHITE: bool>(&self, mut visit: impl FnMut(Move, i32)) -> bool {
        let view = View::<WHITE>::new(self);
        let mut visit = |mv: Move| visit(mv, self.worth(mv.captured));
        match view.moves() {
            Moves::Steps(starts) => return starts != [0, 0],
            Moves::Jumps(starts) => View::<WHITE>::each(starts, true, visit),
            Moves::Chains(capturers) => view.visit_chains(capturers, &mut visit),
        }
        false
    }

    /// How many steps, and how many single captures, one side would have if it were its turn.
    #[inline(always)]
    pub(super) fn reach<const WHITE: bool>(&self) -> (i32, i32) {
        let view = View::<WHITE>::new(self);
        let count = |[ahead, back]: Starts| (ahead.count_ones() + back.count_ones()) as i32;
        let steps = view.starts(|pieces, direction| view.steppers(pieces, direction));
        let jumps = view.starts(|pieces, direction| view.jumpers(pieces, direction));
        (count(steps), count(jumps))
    }

    #[inline(always)]
    pub(super) fn count<const WHITE: bool>(&self) -> usize {
        let view = View::<WHITE>::new(self);
        match view.moves() {
            Moves::Steps(starts) | Moves::Jumps(starts) => (starts[0].count_ones() + starts[1].count_ones()) as usize,
            Moves::Chains(capturers) => {
                let mut count = 0;
                view.visit_chains(capturers, &mut |_| count += 1);
                count
            }
        }
    }

    #[inline(always)]
    pub(super) fn play_random_as<const WHITE: bool>(&mut self, rng: &mut Rng) -> Option<Move> {
        let view = View::<WHITE>::new(self);
        let count = |[ahead, back]: Starts| ahead.count_ones() + back.count_ones();
        // Each kind of move is played where it is known to be of that kind: a step captures nothing.
        let mv = match view.moves() {
            Moves::Steps([0, 0]) => return None,
            Moves::Steps(starts) => {
                let marks = View::<WHITE>::nth(starts, rng.below(count(starts)), false);
                self.play_marks::<WHITE>(marks);
                marks.into()
            }
            Moves::Jumps(starts) => {
                let marks = View::<WHITE>::nth(starts, rng.below(count(starts)), true);
                self.play_marks::<WHITE>(marks);
                marks.into()
            }
            Moves::Chains(capturers) => {
                let mv = view.random_chain(capturers, rng.next_u64());
                self.play_marks::<WHITE>(mv.into());
                mv
            }
        };
        Some(mv)
    }

    /// The code of a move; a long capture is looked for in the list.
    #[inline]
    pub(super) fn code<const WHITE: bool>(&self, mv: Move) -> u16 {
        if mv.captured.count_ones() <= 1 {
            return mv.code_at(0);
        }
        let (mut place, mut found) = (0, 0);
        self.visit_moves::<WHITE>(|other| {
            if other == mv {
                found = place;
            }
            place += 1;
        });
        mv.code_at(found)
    }

    /// The move of a code.
    #[inline]
    pub(super) fn decoded<const WHITE: bool>(&self, code: u16) -> Move {
        if code & CHAIN != 0 {
            let mut chains = smallvec::SmallVec::<[Move; 16]>::new();
            self.visit_moves::<WHITE>(|mv| chains.push(mv));
            return chains[usize::from(code & !CHAIN)];
        }
        let (from, to) = ((code >> 5) as u8 & 31, code as u8 & 31);
        // The square between: a step has none, since its ends are neighbours.
        let over = BETWEEN[from as usize][to as usize];
        Move { captured: over, from, to }
    }

    /// The bits a hand touches in making a legal move, first to last.
    pub(super) fn route(&self, mv: Move) -> Vec<u32> {
        let (from, to) = (u32::from(mv.from), u32::from(mv.to));
        if mv.captured == 0 {
            return vec![from, to];
        }
        let directions: &[usize] = match (self.kings >> from & 1 != 0, self.white >> from & 1 != 0) {
            (true, _) => &[0, 1, 2, 3],
            (_, true) => &View::<true>::FORWARD,
            _ => &View::<false>::FORWARD,
        };
        let empty = !(self.black | self.white) | 1 << from;
        let view = View::<true> { own: 0, own_kings: 0, other: mv.captured, empty };
        let mut route = vec![from];
        view.find_route(&mut route, directions, mv.captured, to);
        route
    }
}
