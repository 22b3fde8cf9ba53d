//! Move generation for checkers. The steps and the single captures in each direction are sets of from-squares, so moves can be
//! counted and chosen with bit operations. Only multi-jumps are generated square by square.

use super::Checkers;
use super::board::{BLACK_CROWN, CAN_JUMP, CAN_STEP, ROTATIONS, WHITE_CROWN, step, step_back};
use crate::Rng;
use crate::bits::{each_bit, nth_bit};
use crate::rng::scale;

/// A step or a complete capture. Captures with the same start, end and captured set are the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The set of captured squares; empty for a step.
    pub captured: u32,
    /// The bit index of the start square.
    pub from: u8,
    /// The bit index of the end square.
    pub to: u8,
}

impl Move {
    /// The code of the move: the start and end of a step or single capture; for a multi-jump, its index among the legal moves.
    #[inline(always)]
    pub(super) fn code(self, index: u16) -> u16 {
        if self.captured.count_ones() <= 1 { u16::from(self.from) << 5 | u16::from(self.to) } else { MULTI_JUMP | index }
    }
}

/// A move as sets of squares, ready to be played. `from` and `to` contain one square each.
#[derive(Clone, Copy)]
pub(super) struct MoveMasks {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) captured: u32,
}

impl From<Move> for MoveMasks {
    #[inline(always)]
    fn from(mv: Move) -> MoveMasks {
        MoveMasks { from: 1 << (mv.from & 31), to: 1 << (mv.to & 31), captured: mv.captured }
    }
}

impl From<MoveMasks> for Move {
    #[inline(always)]
    fn from(masks: MoveMasks) -> Move {
        let MoveMasks { from, to, captured } = masks;
        Move { captured, from: from.trailing_zeros() as u8, to: to.trailing_zeros() as u8 }
    }
}

/// The bit that marks the code of a multi-jump.
const MULTI_JUMP: u16 = 1 << 15;

/// The set containing the square jumped over between two squares; empty if they are not a jump apart.
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

/// The from-squares of moves of one kind: the two forward directions in the halves of the first word, the two backward directions
/// in the halves of the second.
type Starts = [u64; 2];

/// All legal moves of a position.
enum Moves {
    Steps(Starts),
    /// Single captures, none of which can be continued.
    Jumps(Starts),
    /// The pieces that can capture; at least one of them has a multi-jump.
    MultiJumps(u32),
}

/// The pieces from one side's point of view.
#[derive(Clone, Copy)]
struct Perspective<const WHITE: bool> {
    own: u32,
    own_kings: u32,
    other: u32,
    empty: u32,
}

impl<const WHITE: bool> Perspective<WHITE> {
    /// White moves up, black down.
    const FORWARD: [usize; 2] = if WHITE { [0, 1] } else { [2, 3] };
    const BACKWARD: [usize; 2] = if WHITE { [2, 3] } else { [0, 1] };
    const CROWN: u32 = if WHITE { WHITE_CROWN } else { BLACK_CROWN };

    #[inline(always)]
    fn new(position: &Checkers) -> Self {
        let (own, other) = if WHITE { (position.white, position.black) } else { (position.black, position.white) };
        Perspective { own, own_kings: own & position.kings, other, empty: !(own | other) }
    }

    /// The subset of `pieces` that can step in a direction.
    #[inline(always)]
    fn steppers(&self, pieces: u32, direction: usize) -> u32 {
        pieces & step_back(self.empty, direction) & CAN_STEP[direction]
    }

    /// The subset of `pieces` that can jump in a direction.
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
        } else if self.any_continues(jumps) {
            let [ahead, back] = jumps;
            Moves::MultiJumps((ahead | ahead >> 32 | back | back >> 32) as u32)
        } else {
            Moves::Jumps(jumps)
        }
    }

    /// Whether the same piece can jump again after one of these jumps.
    #[inline(always)]
    fn any_continues(&self, jumps: Starts) -> bool {
        let mut continuing = 0;
        for (pair, directions) in jumps.into_iter().zip([Self::FORWARD, Self::BACKWARD]) {
            for (half, direction) in directions.into_iter().enumerate() {
                let from = (pair >> (32 * half)) as u32;
                let land = |pieces: u32| step(step(pieces, direction), direction);
                let men = land(from & !self.own_kings) & !Self::CROWN;
                let kings = land(from & self.own_kings);
                let [left, right] = Self::FORWARD;
                continuing |= self.jumpers(men, left) | self.jumpers(men, right);
                // Not straight back: that piece has just been captured.
                for turn in [direction, (direction + 1) % 4, (direction + 3) % 4] {
                    continuing |= self.jumpers(kings, turn);
                }
            }
        }
        continuing != 0
    }

    /// Calls `visit` with each complete capture of the pieces in `capturers`.
    #[inline(never)]
    fn visit_multi_jumps(&self, capturers: u32, visit: &mut impl FnMut(Move)) {
        each_bit(capturers.into(), |from| {
            let start = 1 << from;
            let view = Perspective { empty: self.empty | start, ..*self };
            let king = self.own_kings & start != 0;
            // Only captures of four or more pieces can be made in two orders: a jump reflects the piece in the captured square,
            // and shorter products of distinct reflections differ.
            let mut long_captures: Vec<Move> = Vec::new();
            view.extend_jump(king, from, start, 0, &mut |mv: Move| {
                if king && mv.captured.count_ones() >= 4 {
                    if long_captures.contains(&mv) {
                        return;
                    }
                    long_captures.push(mv);
                }
                visit(mv);
            });
        });
    }

    fn extend_jump(&self, king: bool, from: u32, at: u32, captured: u32, visit: &mut impl FnMut(Move)) {
        let mut ended = true;
        let directions: &[usize] = match king {
            true => &[0, 1, 2, 3],
            false if at & Self::CROWN != 0 => &[],
            false => &Self::FORWARD,
        };
        for &direction in directions {
            if let Some((over, to)) = self.jump(at, captured, direction) {
                ended = false;
                self.extend_jump(king, from, to, captured | over, visit);
            }
        }
        // `from` holds a piece that can capture, so `captured` is not empty.
        if ended {
            visit(Move { captured, from: from as u8, to: at.trailing_zeros() as u8 });
        }
    }

    /// The captured square and the landing square of a jump in a direction, if it is possible.
    #[inline(always)]
    fn jump(&self, at: u32, captured: u32, direction: usize) -> Option<(u32, u32)> {
        let over = step(at & CAN_JUMP[direction], direction) & self.other & !captured;
        let to = step(over, direction) & self.empty;
        (to != 0).then_some((over, to))
    }

    /// Extends `route` so that it captures all of `remaining` and ends on `to`; returns whether that is possible.
    fn find_route(&self, route: &mut Vec<u32>, directions: &[usize], remaining: u32, to: u32) -> bool {
        let at = route[route.len() - 1];
        if remaining == 0 {
            return at == to;
        }
        for &direction in directions {
            if let Some((over, next)) = self.jump(1 << at, !remaining, direction) {
                route.push(next.trailing_zeros());
                if self.find_route(route, directions, remaining & !over, to) {
                    return true;
                }
                route.pop();
            }
        }
        false
    }

    /// The `n`-th of the moves that start from `starts`.
    #[inline(always)]
    fn nth(starts: Starts, n: u32, jumps: bool) -> MoveMasks {
        // Whether a random move goes forward or backward is unpredictable, so masks replace the branch.
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
            false => MoveMasks { from: low | high, to: steps(1), captured: 0 },
            true => MoveMasks { from: low | high, to: steps(2), captured: steps(1) },
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
    fn random_multi_jump(self, capturers: u32, bits: u64) -> Move {
        let mut moves = smallvec::SmallVec::<[Move; 16]>::new();
        self.visit_multi_jumps(capturers, &mut |mv| moves.push(mv));
        moves[scale(bits, moves.len() as u32) as usize]
    }
}

impl Checkers {
    #[inline(always)]
    pub(super) fn visit_moves<const WHITE: bool>(&self, mut visit: impl FnMut(Move)) {
        let view = Perspective::<WHITE>::new(self);
        match view.moves() {
            Moves::Steps(starts) => Perspective::<WHITE>::each(starts, false, visit),
            Moves::Jumps(starts) => Perspective::<WHITE>::each(starts, true, visit),
            Moves::MultiJumps(capturers) => view.visit_multi_jumps(capturers, &mut visit),
        }
    }

    /// Calls `visit` with each capture and its gain in centipawns; returns whether there are quiet moves instead.
    #[inline(always)]
    pub(super) fn visit_captures<const WHITE: bool>(&self, mut visit: impl FnMut(Move, i32)) -> bool {
        let view = Perspective::<WHITE>::new(self);
        let mut visit = |mv: Move| visit(mv, self.material_of(mv.captured));
        match view.moves() {
            Moves::Steps(starts) => return starts != [0, 0],
            Moves::Jumps(starts) => Perspective::<WHITE>::each(starts, true, visit),
            Moves::MultiJumps(capturers) => view.visit_multi_jumps(capturers, &mut visit),
        }
        false
    }

    /// The number of steps and of single captures that a side would have if it were to move.
    #[inline(always)]
    pub(super) fn count_steps_and_jumps<const WHITE: bool>(&self) -> (i32, i32) {
        let view = Perspective::<WHITE>::new(self);
        let count = |[ahead, back]: Starts| (ahead.count_ones() + back.count_ones()) as i32;
        let steps = view.starts(|pieces, direction| view.steppers(pieces, direction));
        let jumps = view.starts(|pieces, direction| view.jumpers(pieces, direction));
        (count(steps), count(jumps))
    }

    #[inline(always)]
    pub(super) fn count<const WHITE: bool>(&self) -> usize {
        let view = Perspective::<WHITE>::new(self);
        match view.moves() {
            Moves::Steps(starts) | Moves::Jumps(starts) => (starts[0].count_ones() + starts[1].count_ones()) as usize,
            Moves::MultiJumps(capturers) => {
                let mut count = 0;
                view.visit_multi_jumps(capturers, &mut |_| count += 1);
                count
            }
        }
    }

    #[inline(always)]
    pub(super) fn play_random_as<const WHITE: bool>(&mut self, rng: &mut Rng) -> Option<Move> {
        let view = Perspective::<WHITE>::new(self);
        let count = |[ahead, back]: Starts| ahead.count_ones() + back.count_ones();
        // Each kind of move is played in its own match arm, where the compiler knows, for example, that a step captures nothing.
        let mv = match view.moves() {
            Moves::Steps([0, 0]) => return None,
            Moves::Steps(starts) => {
                let masks = Perspective::<WHITE>::nth(starts, rng.below(count(starts)), false);
                self.play_masks::<WHITE>(masks);
                masks.into()
            }
            Moves::Jumps(starts) => {
                let masks = Perspective::<WHITE>::nth(starts, rng.below(count(starts)), true);
                self.play_masks::<WHITE>(masks);
                masks.into()
            }
            Moves::MultiJumps(capturers) => {
                let mv = view.random_multi_jump(capturers, rng.next_u64());
                self.play_masks::<WHITE>(mv.into());
                mv
            }
        };
        Some(mv)
    }

    /// Encodes a legal move.
    #[inline]
    pub(super) fn encode_as<const WHITE: bool>(&self, mv: Move) -> u16 {
        if mv.captured.count_ones() <= 1 {
            return mv.code(0);
        }
        let (mut index, mut found) = (0, 0);
        self.visit_moves::<WHITE>(|other| {
            if other == mv {
                found = index;
            }
            index += 1;
        });
        mv.code(found)
    }

    /// The inverse of [`encode_as`](Checkers::encode_as).
    #[inline]
    pub(super) fn decode_as<const WHITE: bool>(&self, code: u16) -> Move {
        if code & MULTI_JUMP != 0 {
            let mut moves = smallvec::SmallVec::<[Move; 16]>::new();
            self.visit_moves::<WHITE>(|mv| moves.push(mv));
            return moves[usize::from(code & !MULTI_JUMP)];
        }
        let (from, to) = ((code >> 5) as u8 & 31, code as u8 & 31);
        Move { captured: BETWEEN[from as usize][to as usize], from, to }
    }

    /// The bit indices of the squares that a legal move visits, in order.
    pub(super) fn route(&self, mv: Move) -> Vec<u32> {
        let (from, to) = (u32::from(mv.from), u32::from(mv.to));
        if mv.captured == 0 {
            return vec![from, to];
        }
        let directions: &[usize] = match (self.kings >> from & 1 != 0, self.white >> from & 1 != 0) {
            (true, _) => &[0, 1, 2, 3],
            (_, true) => &Perspective::<true>::FORWARD,
            _ => &Perspective::<false>::FORWARD,
        };
        let empty = !(self.black | self.white) | 1 << from;
        let view = Perspective::<true> { own: 0, own_kings: 0, other: mv.captured, empty };
        let mut route = vec![from];
        view.find_route(&mut route, directions, mv.captured, to);
        route
    }
}
