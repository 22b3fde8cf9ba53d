//! The ten evaluation features of checkers, after Samuel (1959). Positive values favour black, the first side.

use super::board::{BLACK_CROWN, CAN_JUMP, CAN_STEP, WHITE_CROWN, step, step_back};
use super::heuristic::{CENTRE_SQUARES, sum_of_rows};
use super::{Checkers, Move, patterns, relative};
use crate::bits::each_bit;
use crate::position::{Feature, FeatureValues};
use crate::{Learning, Side};

const FEATURES: &[Feature] = &[
    Feature { name: "piece_count", description: "difference in men / 12", initial_weight: 1.00 },
    Feature { name: "king_count", description: "difference in kings / 12", initial_weight: 1.50 },
    Feature { name: "back_row", description: "difference in pieces on their own back row / 12", initial_weight: 0.30 },
    Feature { name: "center_men", description: "difference in men on the central squares / 12", initial_weight: 0.10 },
    Feature { name: "center_kings", description: "difference in kings on the central squares / 12", initial_weight: 0.30 },
    Feature { name: "advancement", description: "difference in rows advanced by men / 72", initial_weight: 0.10 },
    Feature { name: "mobility", description: "number of black's moves / 20", initial_weight: 0.05 },
    Feature { name: "opp_mobility", description: "minus the number of white's moves / 20", initial_weight: 0.05 },
    Feature {
        name: "vulnerable",
        description: "difference in opposing pieces that can be captured / 12",
        initial_weight: 0.15,
    },
    Feature { name: "protected", description: "difference in pieces next to a friendly piece / 12", initial_weight: 0.10 },
];

const UP: [usize; 2] = [0, 1];
const DOWN: [usize; 2] = [2, 3];

/// The pieces of `other` that can be captured.
#[inline(always)]
fn vulnerable(own: u32, own_kings: u32, other: u32, forward: [usize; 2], backward: [usize; 2]) -> u32 {
    let empty = !(own | other);
    let over =
        |pieces: u32, direction: usize| step(pieces & CAN_JUMP[direction], direction) & other & step_back(empty, direction);
    forward.into_iter().fold(0, |set, direction| set | over(own, direction))
        | backward.into_iter().fold(0, |set, direction| set | over(own_kings, direction))
}

/// The pieces with an adjacent piece of the same side.
#[inline(always)]
fn protected(own: u32) -> u32 {
    (0..4).fold(0, |set, direction| set | own & CAN_STEP[direction] & step_back(own, direction))
}

/// The number of moves: captures if there are any, otherwise steps.
#[inline(always)]
fn mobility((steps, jumps): (i32, i32)) -> i32 {
    if jumps > 0 { jumps } else { steps }
}

impl Checkers {
    /// Writes the feature values in the order of [`FEATURES`].
    #[inline]
    fn write_features(&self, features: &mut FeatureValues) {
        let (black, white, kings) = (self.black, self.white, self.kings);
        let (black_men, white_men) = (black & !kings, white & !kings);
        let (black_kings, white_kings) = (black & kings, white & kings);
        let difference = |black: u32, white: u32| black.count_ones() as i32 - white.count_ones() as i32;
        let count = |set: u32| set.count_ones() as i32;
        let values = [
            (difference(black_men, white_men), 12.0),
            (difference(black_kings, white_kings), 12.0),
            (difference(black & WHITE_CROWN, white & BLACK_CROWN), 12.0),
            (difference(black_men & CENTRE_SQUARES, white_men & CENTRE_SQUARES), 12.0),
            (difference(black_kings & CENTRE_SQUARES, white_kings & CENTRE_SQUARES), 12.0),
            (sum_of_rows(black_men) - (7 * count(white_men) - sum_of_rows(white_men)), 72.0),
            (mobility(self.count_steps_and_jumps::<false>()), 20.0),
            (-mobility(self.count_steps_and_jumps::<true>()), 20.0),
            (
                difference(vulnerable(black, black_kings, white, DOWN, UP), vulnerable(white, white_kings, black, UP, DOWN)),
                12.0,
            ),
            (difference(protected(black), protected(white)), 12.0),
        ];
        for (feature, (value, scale)) in features.iter_mut().zip(values) {
            *feature = value as f32 / scale;
        }
    }
}

impl Learning for Checkers {
    /// 32 * from + to, from the mover's point of view. Captures of different pieces between the same squares share an action.
    fn action(&self, mv: Move) -> usize {
        (self.relative(mv.from.into()) - 1) * 32 + self.relative(mv.to.into()) - 1
    }

    /// Own men, own kings, opposing men and opposing kings on 32 squares each.
    fn active_features(&self, viewer: Side, mut visit: impl FnMut(usize)) {
        let (mut own, mut other) = self.own_and_other();
        if viewer != self.turn {
            (own, other) = (other, own);
        }
        let kinds = [own & !self.kings, own & self.kings, other & !self.kings, other & self.kings];
        for (kind, pieces) in kinds.into_iter().enumerate() {
            each_bit(pieces.into(), |bit| visit(kind * 32 + relative(bit, viewer) - 1));
        }
    }

    fn features(&self) -> &'static [Feature] {
        FEATURES
    }

    #[inline]
    fn visit_tuples(&self, visit: impl FnMut(u64)) {
        self.each_tuple(visit);
    }

    #[inline]
    fn evaluate_features(&self, values: &mut FeatureValues) {
        self.write_features(values);
    }

    fn pattern_count(&self) -> usize {
        patterns::COUNT
    }

    #[inline(always)]
    fn visit_patterns(&self, visit: impl FnMut(usize, i32)) {
        self.each_pattern(visit);
    }

    #[inline(always)]
    fn phase(&self) -> i32 {
        self.piece_count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::Notation;
    use crate::position::MAX_FEATURES;

    fn values(text: &str) -> Vec<f32> {
        let mut values = [0.0; MAX_FEATURES];
        Checkers::start(Draws::English).parse(text).unwrap().evaluate_features(&mut values);
        values[..FEATURES.len()].to_vec()
    }

    fn value(text: &str, name: &str) -> f32 {
        values(text)[FEATURES.iter().position(|feature| feature.name == name).unwrap()]
    }

    #[test]
    fn features_match_their_descriptions() {
        let text = "B:W21,22,K10:B1,2,3,18,K19";
        assert_eq!(value(text, "piece_count"), 2.0 / 12.0);
        assert_eq!(value(text, "king_count"), 0.0);
        assert_eq!(value(text, "back_row"), 3.0 / 12.0);
        assert_eq!(value(text, "center_men"), 0.0, "18 against 22");
        assert_eq!(value(text, "center_kings"), 0.0, "19 against 10");
        assert_eq!(value(text, "advancement"), (4.0 - 4.0) / 72.0);
        assert_eq!(value("B:W32:B1", "mobility"), 2.0 / 20.0);
        assert_eq!(value("B:W32,K31:B1", "opp_mobility"), -4.0 / 20.0);
        assert_eq!(value("B:W22:B18,1", "vulnerable"), 0.0, "each can capture the other");
        assert_eq!(value("B:W15:B10,6,7", "vulnerable"), 1.0 / 12.0);
        assert_eq!(value("B:W31:B10,6,1", "protected"), 3.0 / 12.0);
    }

    #[test]
    fn rotating_the_board_negates_the_features_and_swaps_the_mobility_features() {
        let (one, other) = (values("B:W21,30,K7:B1,2,11,18"), values("W:W32,31,22,15:B12,3,K26"));
        for (index, feature) in FEATURES.iter().enumerate() {
            let mirror = match feature.name {
                "mobility" => index + 1,
                "opp_mobility" => index - 1,
                _ => index,
            };
            assert_eq!(one[index], -other[mirror], "{}", feature.name);
        }
    }
}
