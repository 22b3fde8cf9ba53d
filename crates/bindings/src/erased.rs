//! Type erasure: lines, searches and solvers of any game behind trait objects. The engine itself is generic.

use std::any::Any;
use std::sync::Arc;

use plyground_engine::evaluate::network::{Network, NetworkEvaluator, Prediction};
use plyground_engine::evaluate::{BatchEvaluator, Evaluators, Weights};
use plyground_engine::games::StartVisitor;
use plyground_engine::learning::td;
use plyground_engine::position::{Feature, MAX_FEATURES, Symmetry};
use plyground_engine::search::alphabeta::{self, Limits, Observer};
use plyground_engine::search::analysis::Analysis;
use plyground_engine::search::config::Config;
use plyground_engine::search::flat::{PlayoutResults, playouts};
use plyground_engine::search::mcts::{Search, Threads};
use plyground_engine::search::quiescence::expected_score_after_captures;
use plyground_engine::{Error, Game, GameRules, Line, Outcome, PlaneLayout, ProvenValue, Rng, Side, perft};

use crate::evaluator::LeafEvaluator;
use crate::network::AnyEvaluation;

mod episodes;
mod fitting;
mod qlearning;
mod search;
mod solver;

pub(crate) use episodes::AnyEpisodes;
pub(crate) use fitting::AnyFitting;
pub(crate) use qlearning::AnyQLearning;
pub(crate) use search::AnySearch;
pub(crate) use solver::{AnySolver, solver};

/// A [`Line`] of any game, with moves as text.
pub(crate) trait AnyLine: AnyEpisodes + AnyFitting + AnyQLearning + Send + Sync {
    fn game(&self) -> Game;
    fn turn(&self) -> Side;
    /// The legal moves as text; empty if and only if the game is over.
    fn moves(&self) -> Vec<String>;
    /// The line after a move.
    fn play(&self, text: &str) -> Result<Box<dyn AnyLine>, Error>;
    /// The line after a random move.
    fn play_random(&self, rng: &mut Rng) -> Result<Box<dyn AnyLine>, Error>;
    /// The number of moves since the start.
    fn ply(&self) -> usize;
    /// The line after its first `plies` moves, or all moves if there are fewer.
    fn replay(&self, plies: usize) -> Box<dyn AnyLine>;
    /// A line that starts at the current position, with its move counters but without its history.
    fn without_history(&self) -> Box<dyn AnyLine>;
    /// A line that starts at another position of the same game.
    fn restart_at(&self, text: &str) -> Result<Box<dyn AnyLine>, Error>;
    fn outcome(&self) -> Option<Outcome>;
    /// The value from the active endgame tables, if any.
    fn proven_value(&self) -> Option<ProvenValue>;
    /// The position as text.
    fn text(&self) -> String;
    fn history(&self) -> Vec<String>;
    fn history_notation(&self) -> Vec<String>;
    /// The cell and letter of each piece.
    fn cells(&self) -> Vec<(usize, char)>;
    fn path(&self, text: &str) -> Result<Vec<usize>, Error>;
    fn highlighted(&self) -> Vec<usize>;
    fn action(&self, text: &str) -> Result<usize, Error>;
    /// The action of each legal move.
    fn actions(&self) -> Vec<usize>;
    fn plane_layout(&self) -> PlaneLayout;
    /// Writes the planes of the position, seen by `viewer` or by default the side to move, to a zeroed slice.
    fn write_planes(&self, viewer: Option<Side>, values: &mut [f32]);
    fn captures(&self, text: &str) -> Result<bool, Error>;
    fn ends_on_edge(&self, text: &str) -> Result<bool, Error>;
    /// A winning move and a move that blocks the opponent's immediate win, if the game can find them without trying moves.
    fn decisive_moves(&self) -> [Option<String>; 2];
    /// The line after a decisive move or, if there is none, a random move.
    fn play_decisive(&self, rng: &mut Rng) -> Result<Box<dyn AnyLine>, Error>;
    fn reversible_plies(&self) -> u32;
    /// The expected score of the side to move after pending captures, from 0 to 1, according to weights or the heuristic.
    fn expected_score(&self, weights: Option<&Weights>) -> f64;
    /// The material balance in centipawns for the side to move.
    fn material(&self) -> i32;
    fn notation(&self, text: &str) -> Result<String, Error>;
    /// The canonical text of a move given in any notation.
    fn parse_move(&self, text: &str) -> Result<String, Error>;
    /// The indices of the active input features in ascending order, from the point of view of the side to move or of its opponent.
    fn active_features(&self, of_opponent: bool) -> Vec<usize>;
    fn symmetries(&self) -> Vec<Symmetry>;
    fn key(&self) -> u64;
    /// Whether both lines are at the same position of the same game.
    fn same_position(&self, other: &dyn AnyLine) -> bool;
    fn divide(&self, index: usize, depth: u32) -> Option<(String, u64)>;
    fn playouts(&self, count: u64, rng: &mut Rng) -> PlayoutResults;
    fn tuning(&self) -> &'static [(&'static str, &'static str)];
    /// A tree search of the position.
    fn search(
        &self,
        config: Config,
        evaluator: Option<LeafEvaluator>,
        weights: Option<Arc<Weights>>,
        threads: Threads,
        bytes: usize,
    ) -> Result<Box<dyn AnySearch>, Error>;
    /// An alpha-beta search of the position.
    fn alphabeta(
        &self,
        engine: &mut alphabeta::Engine,
        evaluation: AnyEvaluation<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Analysis, Error>;
    fn features(&self) -> &'static [Feature];
    fn evaluate_features(&self) -> Vec<f32>;
    fn pattern_count(&self) -> usize;
    fn feature_weights(&self, values: &[f64]) -> Result<Weights, Error>;
    fn pattern_weights(&self, values: Vec<[i16; 2]>) -> Result<Weights, Error>;
    /// The evaluation with weights, in centipawns for the side to move.
    fn evaluate(&self, weights: &Weights) -> i32;
    /// The prediction of a network, with its floating-point weights if `exact`.
    fn predict(&self, network: &Network, exact: bool) -> Prediction;
    /// Plays a game and updates the weights by temporal-difference learning.
    fn play_and_learn(&self, settings: &td::Settings, state: &mut td::State) -> Result<td::GameResult, Error>;
    /// The indices of moves in the list of legal moves.
    fn move_indices(&self, moves: &[&str]) -> Result<Vec<usize>, Error>;
    fn as_any(&self) -> &dyn Any;
}

impl<P: GameRules> AnyLine for Line<P> {
    fn game(&self) -> Game {
        self.position().game()
    }

    fn turn(&self) -> Side {
        self.position().turn()
    }

    fn moves(&self) -> Vec<String> {
        self.legal_move_texts()
    }

    fn play(&self, text: &str) -> Result<Box<dyn AnyLine>, Error> {
        Ok(Box::new(self.after(text)?))
    }

    fn play_random(&self, rng: &mut Rng) -> Result<Box<dyn AnyLine>, Error> {
        Ok(Box::new(self.after_random(rng)?))
    }

    fn ply(&self) -> usize {
        Line::moves(self).len()
    }

    fn replay(&self, plies: usize) -> Box<dyn AnyLine> {
        Box::new(Line::replay(self, plies))
    }

    fn without_history(&self) -> Box<dyn AnyLine> {
        Box::new(Line::new(self.position().clone()))
    }

    fn restart_at(&self, text: &str) -> Result<Box<dyn AnyLine>, Error> {
        Ok(Box::new(Line::restart_at(self, text)?))
    }

    fn outcome(&self) -> Option<Outcome> {
        Line::outcome(self)
    }

    fn proven_value(&self) -> Option<ProvenValue> {
        self.position().proven_value()
    }

    fn text(&self) -> String {
        self.position().to_string()
    }

    fn history(&self) -> Vec<String> {
        Line::history(self)
    }

    fn history_notation(&self) -> Vec<String> {
        Line::history_notation(self)
    }

    fn cells(&self) -> Vec<(usize, char)> {
        let mut cells = Vec::new();
        self.position().cells(|cell, letter| cells.push((cell, letter)));
        cells.sort_unstable();
        cells
    }

    fn path(&self, text: &str) -> Result<Vec<usize>, Error> {
        Ok(self.position().path(Line::parse_move(self, text)?))
    }

    fn highlighted(&self) -> Vec<usize> {
        self.position().highlighted()
    }

    fn action(&self, text: &str) -> Result<usize, Error> {
        Ok(self.position().action(Line::parse_move(self, text)?))
    }

    fn actions(&self) -> Vec<usize> {
        self.legal_moves().into_iter().map(|mv| self.position().action(mv)).collect()
    }

    fn plane_layout(&self) -> PlaneLayout {
        self.position().plane_layout()
    }

    fn write_planes(&self, viewer: Option<Side>, values: &mut [f32]) {
        let position = self.position();
        position.write_planes(viewer.unwrap_or_else(|| position.turn()), values);
    }

    fn captures(&self, text: &str) -> Result<bool, Error> {
        Ok(self.position().captures(Line::parse_move(self, text)?))
    }

    fn ends_on_edge(&self, text: &str) -> Result<bool, Error> {
        Ok(self.position().ends_on_edge(Line::parse_move(self, text)?))
    }

    fn decisive_moves(&self) -> [Option<String>; 2] {
        let position = self.position();
        if self.outcome().is_some() {
            return [None, None];
        }
        [position.winning_move(), position.blocking_move()].map(|mv| mv.map(|mv| position.move_text(mv)))
    }

    fn play_decisive(&self, rng: &mut Rng) -> Result<Box<dyn AnyLine>, Error> {
        self.check_unfinished()?;
        let mut line = self.clone();
        if let Some(mv) = self.position().clone().play_decisive(rng) {
            Line::play(&mut line, mv);
        }
        Ok(Box::new(line))
    }

    fn reversible_plies(&self) -> u32 {
        self.position().reversible_plies()
    }

    fn expected_score(&self, weights: Option<&Weights>) -> f64 {
        expected_score_after_captures(self.position(), weights)
    }

    fn material(&self) -> i32 {
        self.position().material()
    }

    fn notation(&self, text: &str) -> Result<String, Error> {
        Ok(self.position().notation(Line::parse_move(self, text)?))
    }

    fn parse_move(&self, text: &str) -> Result<String, Error> {
        Ok(self.position().move_text(Line::parse_move(self, text)?))
    }

    fn active_features(&self, of_opponent: bool) -> Vec<usize> {
        let turn = self.position().turn();
        let viewer = if of_opponent { turn.other() } else { turn };
        let mut features = Vec::new();
        self.position().active_features(viewer, |index| features.push(index));
        features.sort_unstable();
        features
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.position().symmetries()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn same_position(&self, other: &dyn AnyLine) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self.position() == other.position())
    }

    fn divide(&self, index: usize, depth: u32) -> Option<(String, u64)> {
        perft::divide(self.position(), index, depth)
    }

    fn playouts(&self, count: u64, rng: &mut Rng) -> PlayoutResults {
        playouts(self.position(), count, rng)
    }

    fn tuning(&self) -> &'static [(&'static str, &'static str)] {
        P::TUNING
    }

    fn search(
        &self,
        config: Config,
        evaluator: Option<LeafEvaluator>,
        weights: Option<Arc<Weights>>,
        threads: Threads,
        bytes: usize,
    ) -> Result<Box<dyn AnySearch>, Error> {
        let batch = evaluator.map(|evaluator| match evaluator {
            LeafEvaluator::Python(evaluator) => Arc::new(evaluator) as Arc<dyn BatchEvaluator<P>>,
            LeafEvaluator::Network(network) => Arc::new(network),
            LeafEvaluator::QValues(table) => Arc::new(table),
        });
        let evaluators = Evaluators { batch, weights };
        Ok(Box::new(Search::new(self.clone(), config, evaluators, threads, bytes)?))
    }

    fn alphabeta(
        &self,
        engine: &mut alphabeta::Engine,
        evaluation: AnyEvaluation<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Result<Analysis, Error> {
        match evaluation {
            AnyEvaluation::Heuristic => engine.analyse(self, None, limits, observer),
            AnyEvaluation::Weights(weights) => engine.analyse(self, Some(weights), limits, observer),
            AnyEvaluation::Network(network) => engine.analyse_with(self, &NetworkEvaluator::new(network), limits, observer),
        }
    }

    fn features(&self) -> &'static [Feature] {
        self.position().features()
    }

    fn evaluate_features(&self) -> Vec<f32> {
        let mut values = [0.0; MAX_FEATURES];
        self.position().evaluate_features(&mut values);
        values[..self.position().features().len()].to_vec()
    }

    fn pattern_count(&self) -> usize {
        self.position().pattern_count()
    }

    fn feature_weights(&self, values: &[f64]) -> Result<Weights, Error> {
        Weights::from_features(self.position(), values)
    }

    fn pattern_weights(&self, values: Vec<[i16; 2]>) -> Result<Weights, Error> {
        Weights::from_patterns(self.position(), values)
    }

    fn evaluate(&self, weights: &Weights) -> i32 {
        weights.evaluate(self.position())
    }

    fn predict(&self, network: &Network, exact: bool) -> Prediction {
        if exact { network.predict_with_floats(self.position()) } else { network.predict(self.position()) }
    }

    fn play_and_learn(&self, settings: &td::Settings, state: &mut td::State) -> Result<td::GameResult, Error> {
        td::play_and_learn(self.position(), settings, state)
    }

    fn move_indices(&self, moves: &[&str]) -> Result<Vec<usize>, Error> {
        let parsed = moves.iter().map(|text| self.parse_move(text)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.legal_moves().iter().enumerate().filter(|one| parsed.contains(one.1)).map(|one| one.0).collect())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Wraps the start position of a game in a type-erased line.
pub(crate) struct StartLine;

impl StartVisitor for StartLine {
    type Output = Box<dyn AnyLine>;

    fn visit<P: GameRules>(self, start: P) -> Box<dyn AnyLine> {
        Box::new(Line::new(start))
    }
}
