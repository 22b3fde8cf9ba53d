//! The analysis of a finished or stopped search.

use std::sync::atomic::Ordering::Relaxed;

use super::root::{Root, RootMove};
use super::{MAX_PLIES, WIN};
use crate::evaluate::IncrementalEvaluator;
use crate::search::analysis::{Analysis, Bound, MoveAnalysis, SearchStats};
use crate::search::quiescence::expected_score;
use crate::{GameRules, ProvenValue};

impl<P: GameRules, E: IncrementalEvaluator<P>> Root<'_, P, E> {
    pub(super) fn analysis(&self) -> Analysis {
        let position = self.line.position();
        let mut moves: Vec<_> = self.moves.iter().chain(&self.excluded).collect();
        moves.sort_by_key(|mv| mv.index);
        let move_analysis = |mv: &&RootMove<P::Move>| MoveAnalysis {
            text: position.move_text(mv.mv),
            visits: 0,
            value: mv.score.map_or(0.5, |(score, _)| expected_score(score)),
            prior: None,
            score: mv.score,
            proven: mv.score.and_then(|(score, bound)| self.proven_by_score(score, bound, self.is_distance_verified(mv))),
            pv: move_texts(position, &mv.pv),
        };
        Analysis {
            moves: moves.iter().map(move_analysis).collect(),
            best: self.moves[0].index,
            value: self.score.map_or(0.5, expected_score),
            score: self.score,
            proven: self.proven(),
            stats: SearchStats {
                max_depth: self.search.max_depth as u32,
                depth: self.depth,
                cutoffs: self.search.cutoffs,
                table_used: self.search.shared.table.used(),
                ..SearchStats::default()
            },
            nodes: self.search.shared.nodes.load(Relaxed),
            bytes: self.search.shared.table.bytes(),
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }

    /// The proven value: a forced win or loss, or a draw if the score is exact.
    fn proven(&self) -> Option<ProvenValue> {
        let score = self.score?;
        let draw = ProvenValue { winner: None, distance: Some(self.moves[0].pv.len() as u32) };
        self.proven_by_score(score, Bound::Exact, self.is_verified).or((self.is_exact && score == 0).then_some(draw))
    }

    /// The value proven by a score, if any. Its distance is `None` unless it is exact.
    fn proven_by_score(&self, score: i32, bound: Bound, is_verified: bool) -> Option<ProvenValue> {
        let turn = self.line.position().turn();
        let winner = match score {
            score if score >= WIN - MAX_PLIES && bound != Bound::Upper => turn,
            score if score <= MAX_PLIES - WIN && bound != Bound::Lower => turn.other(),
            _ => return None,
        };
        let distance = (WIN - score.abs()) as u32;
        let is_complete = !self.search.config.is_selective() && distance <= self.depth;
        let is_known = bound == Bound::Exact && (is_verified || is_complete);
        Some(ProvenValue { winner: Some(winner), distance: is_known.then_some(distance) })
    }
}

/// The texts of consecutive moves.
fn move_texts<P: GameRules>(position: &P, moves: &[P::Move]) -> Vec<String> {
    let mut position = position.clone();
    let text = |&mv| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    };
    // A position that could not be computed in time has no move texts.
    moves.iter().map(text).take_while(|text| !text.is_empty()).collect()
}
