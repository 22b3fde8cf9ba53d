//! The ten terms of checkers, after Samuel's (1959). Black is the first side: what is good for black is above 0.

use super::Checkers;
use super::board::{BLACK_CROWN, CAN_JUMP, CAN_STEP, WHITE_CROWN, step, step_back};
use super::estimate::{MIDDLE, rows};
use crate::evaluate::{Measures, Term};

pub(super) const TERMS: &[Term] = &[
    Term { name: "piece_count", about: "men more, of twelve", start: 1.00 },
    Term { name: "king_count", about: "kings more, of twelve", start: 1.50 },
    Term { name: "back_row", about: "pieces more that keep their own back row, of twelve", start: 0.30 },
    Term { name: "center_men", about: "men more in the middle, of twelve", start: 0.10 },
    Term { name: "center_kings", about: "kings more in the middle, of twelve", start: 0.30 },
    Term { name: "advancement", about: "rows that men have gone forward more, of 72", start: 0.10 },
    Term { name: "mobility", about: "black's moves, in twenties", start: 0.05 },
    Term { name: "opp_mobility", about: "white's moves, in twenties, below 0", start: 0.05 },
    Term { name: "vulnerable", about: "pieces more that can be taken, of twelve, below 0", start: 0.15 },
    Term { name: "protected", about: "pieces more beside one of their own, of twelve", start: 0.10 },
];

const UP: [usize; 2] = [0, 1];
const DOWN: [usize; 2] = [2, 3];

/// The pieces of `other` that can be jumped over.
#[inline(always)]
fn takeable(own: u32, own_kings: u32, other: u32, forward: [usize; 2], backward: [usize; 2]) -> u32 {
    let empty = !(own | other);
    let over =
        |pieces: u32, direction: usize| step(pieces & CAN_JUMP[direction], direction) & other & step_back(empty, direction);
    forward.into_iter().fold(0, |set, direction| set | over(own, direction))
        | backward.into_iter().fold(0, |set, direction| set | over(own_kings, direction))
}

/// The pieces with one of their own beside them.
#[inline(always)]
fn protected(own: u32) -> u32 {
    (0..4).fold(0, |set, direction| set | own & CAN_STEP[direction] & step_back(own, direction))
}

/// Moves there are: captures where there are any, otherwise steps.
#[inline(always)]
fn choices((steps, jumps): (i32, i32)) -> i32 {
    if jumps > 0 { jumps } else { steps }
}

impl Checkers {
    /// Writes the terms in the order of [`TERMS`].
    #[inline]
    pub(super) fn measure_terms(&self, terms: &mut Measures) {
        let (black, white, kings) = (self.black, self.white, self.kings);
        let (black_men, white_men) = (black & !kings, white & !kings);
        let (black_kings, white_kings) = (black & kings, white & kings);
        let more = |black: u32, white: u32| black.count_ones() as i32 - white.count_ones() as i32;
        let men = |set: u32| set.count_ones() as i32;
        let values = [
            (more(black_men, white_men), 12.0),
            (more(black_kings, white_kings), 12.0),
            (more(black & WHITE_CROWN, white & BLACK_CROWN), 12.0),
            (more(black_men & MIDDLE, white_men & MIDDLE), 12.0),
            (more(black_kings & MIDDLE, white_kings & MIDDLE), 12.0),
            (rows(black_men) - (7 * men(white_men) - rows(white_men)), 72.0),
            (choices(self.reach::<false>()), 20.0),
            (-choices(self.reach::<true>()), 20.0),
            (more(takeable(black, black_kings, white, DOWN, UP), takeable(white, white_kings, black, UP, DOWN)), 12.0),
            (more(protected(black), protected(white)), 12.0),
        ];
        for (term, (value, scale)) in terms.iter_mut().zip(values) {
            *term = value as f32 / scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Draws;
    use super::*;
    use crate::Position;
    use crate::evaluate::MOST_TERMS;

    fn measured(text: &str) -> Vec<f32> {
        let mut terms = [0.0; MOST_TERMS];
        Checkers::start(Draws::English).parse(text).unwrap().measure(&mut terms);
        terms[..TERMS.len()].to_vec()
    }

    fn term(text: &str, name: &str) -> f32 {
        measured(text)[TERMS.iter().position(|term| term.name == name).unwrap()]
    }

    #[test]
    fn each_term_counts_what_it_says() {
        let text = "B:W21,22,K10:B1,2,3,18,K19";
        assert_eq!(term(text, "piece_count"), 2.0 / 12.0);
        assert_eq!(term(text, "king_count"), 0.0);
        assert_eq!(term(text, "back_row"), 3.0 / 12.0);
        assert_eq!(term(text, "center_men"), 0.0, "18 against 22");
        assert_eq!(term(text, "center_kings"), 0.0, "19 against 10");
        assert_eq!(term(text, "advancement"), (4.0 - 4.0) / 72.0);
        assert_eq!(term("B:W32:B1", "mobility"), 2.0 / 20.0);
        assert_eq!(term("B:W32,K31:B1", "opp_mobility"), -4.0 / 20.0);
        assert_eq!(term("B:W22:B18,1", "vulnerable"), 0.0, "each can take the other");
        assert_eq!(term("B:W15:B10,6,7", "vulnerable"), 1.0 / 12.0);
        assert_eq!(term("B:W31:B10,6,1", "protected"), 3.0 / 12.0);
    }

    #[test]
    fn turning_the_board_round_negates_every_term_and_swaps_the_two_of_mobility() {
        let (one, other) = (measured("B:W21,30,K7:B1,2,11,18"), measured("W:W32,31,22,15:B12,3,K26"));
        for (index, term) in TERMS.iter().enumerate() {
            let mirror = match term.name {
                "mobility" => index + 1,
                "opp_mobility" => index - 1,
                _ => index,
            };
            assert_eq!(one[index], -other[mirror], "{}", term.name);
        }
    }
}
