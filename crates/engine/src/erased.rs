//! A line of any game behind one type: what the Python border holds. The search below it stays generic.

use std::any::Any;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::evaluate::selfplay::{Player, duel};
use crate::evaluate::{self, Term, Weights, fit, td};
use crate::search::alphabeta::{self, Limits, Outlook, Watch};
use crate::search::analysis::{Thought, TreeNode};
use crate::search::config::Config;
use crate::search::evaluator::Judges;
use crate::search::playout::{Tally, tally};
use crate::search::run::{Budget, Pause, Search, Threads};
use crate::{Error, Exact, Game, Line, Outcome, Position, Rng, Side, perft};

/// The questions of [`Line`] and [`Position`], with moves as texts.
pub trait AnyLine: Send + Sync {
    /// The facts of the game.
    fn game(&self) -> Game;
    /// Who moves.
    fn turn(&self) -> Side;
    /// Names of the legal moves; empty exactly when the game is over.
    fn moves(&self) -> Vec<String>;
    /// The line with one move more.
    fn play(&self, text: &str) -> Result<Box<dyn AnyLine>, Error>;
    /// The line with one move more, chosen by chance.
    fn play_random(&self, rng: &mut Rng) -> Result<Box<dyn AnyLine>, Error>;
    /// Moves since the start.
    fn ply(&self) -> usize;
    /// The line as it stood after the first `plies` moves (all of them where there are fewer).
    fn replay(&self, plies: usize) -> Box<dyn AnyLine>;
    /// The same position, clocks and all, as the beginning of a line: nothing before it can be repeated.
    fn without_history(&self) -> Box<dyn AnyLine>;
    /// The line beginning again at another position of the same game.
    fn at(&self, text: &str) -> Result<Box<dyn AnyLine>, Error>;
    /// The outcome, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Who wins under best play, where that is known without a search.
    fn exact(&self) -> Option<Exact>;
    /// The position as text.
    fn text(&self) -> String;
    /// Names of the moves since the start.
    fn history(&self) -> Vec<String>;
    /// Names of the moves since the start as books print them.
    fn history_notation(&self) -> Vec<String>;
    /// Cell and letter of each piece.
    fn cells(&self) -> Vec<(usize, char)>;
    /// Cells a move touches.
    fn path(&self, text: &str) -> Result<Vec<usize>, Error>;
    /// Cells the rules point at.
    fn urgent(&self) -> Vec<usize>;
    /// The move's index for learning.
    fn action(&self, text: &str) -> Result<usize, Error>;
    /// The move as books print it.
    fn notation(&self, text: &str) -> Result<String, Error>;
    /// The move's name, whatever notation it is given in.
    fn name(&self, text: &str) -> Result<String, Error>;
    /// Active features, ascending.
    fn features(&self) -> Vec<usize>;
    /// Hash of the position.
    fn key(&self) -> u64;
    /// Whether the same game stands at the same position.
    fn same_position(&self, other: &dyn AnyLine) -> bool;
    /// Leaves of the tree at a depth.
    fn perft(&self, depth: u32) -> u64;
    /// The `index`-th move and the leaves below it, `depth` plies from here; `None` when there are no more moves.
    fn divide(&self, index: usize, depth: u32) -> Option<(String, u64)>;
    /// Random games from here.
    fn playouts(&self, count: u64, rng: &mut Rng) -> Tally;
    /// Options of the tree search that suit the game.
    fn tuning(&self) -> &'static [(&'static str, &'static str)];
    /// A tree search of the position.
    fn search(&self, config: Config, judges: Judges, threads: Threads, bytes: usize) -> Result<Box<dyn AnySearch>, Error>;
    /// An alpha-beta search of the position.
    fn alphabeta(&self, config: &alphabeta::Config, limits: &Limits, watch: &mut dyn Watch) -> Result<Outlook, Error> {
        self.alphabeta_by(config, None, limits, watch)
    }
    /// The same with leaves judged by weights, where they are given.
    fn alphabeta_by(
        &self,
        config: &alphabeta::Config,
        weights: Option<&Weights>,
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Result<Outlook, Error>;
    /// The terms by which weights judge a position of this game.
    fn terms(&self) -> &'static [Term];
    /// The terms of this position, seen by the first side.
    fn measures(&self) -> Vec<f32>;
    /// The number of patterns of this game.
    fn patterns(&self) -> usize;
    /// Weights of this game's terms.
    fn weigh_terms(&self, values: &[f64]) -> Result<Weights, Error>;
    /// Weights of this game's patterns.
    fn weigh_patterns(&self, values: Vec<[i16; 2]>) -> Result<Weights, Error>;
    /// How much the side to move stands better by weights, in hundredths.
    fn judge(&self, weights: &Weights) -> i32;
    /// A game between two players from here: what the first side gets.
    fn duel(&self, players: [&Player<'_>; 2], opening: u32, seed: u64) -> i8;
    /// Plays a game from here and learns from it by temporal differences.
    fn play_and_learn(&self, settings: &td::Settings, state: &mut td::State) -> Result<td::Played, Error>;
    /// Plays a game from here to learn from later.
    fn play_itself(&self, settings: &fit::Settings, weights: Option<&Weights>, number: u64) -> fit::Played;
    /// Fits weights of patterns to games from here.
    fn fit(&self, settings: &fit::Settings, games: &[fit::Played]) -> Result<fit::Fitted, Error>;
    /// For comparing with another line of the same type.
    fn as_any(&self) -> &dyn Any;
}

impl<P: Position> AnyLine for Line<P> {
    fn game(&self) -> Game {
        self.position().game()
    }

    fn turn(&self) -> Side {
        self.position().turn()
    }

    fn moves(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|mv| self.position().move_text(mv)).collect()
    }

    fn play(&self, text: &str) -> Result<Box<dyn AnyLine>, Error> {
        let mv = self.parse_move(text)?;
        let mut line = self.clone();
        Line::play(&mut line, mv);
        Ok(Box::new(line))
    }

    fn play_random(&self, rng: &mut Rng) -> Result<Box<dyn AnyLine>, Error> {
        self.check_undecided()?;
        let moves = self.legal_moves();
        let mut line = self.clone();
        Line::play(&mut line, moves[rng.below(moves.len() as u32) as usize]);
        Ok(Box::new(line))
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

    fn at(&self, text: &str) -> Result<Box<dyn AnyLine>, Error> {
        Ok(Box::new(Line::new(self.position().parse(text)?)))
    }

    fn outcome(&self) -> Option<Outcome> {
        Line::outcome(self)
    }

    fn exact(&self) -> Option<Exact> {
        self.position().exact()
    }

    fn text(&self) -> String {
        self.position().to_string()
    }

    fn history(&self) -> Vec<String> {
        texts(self, P::move_text)
    }

    fn history_notation(&self) -> Vec<String> {
        texts(self, P::notation)
    }

    fn cells(&self) -> Vec<(usize, char)> {
        let mut cells = Vec::new();
        self.position().cells(|cell, letter| cells.push((cell, letter)));
        cells.sort_unstable();
        cells
    }

    fn path(&self, text: &str) -> Result<Vec<usize>, Error> {
        Ok(self.position().path(self.parse_move(text)?))
    }

    fn urgent(&self) -> Vec<usize> {
        self.position().urgent()
    }

    fn action(&self, text: &str) -> Result<usize, Error> {
        Ok(self.position().action(self.parse_move(text)?))
    }

    fn notation(&self, text: &str) -> Result<String, Error> {
        Ok(self.position().notation(self.parse_move(text)?))
    }

    fn name(&self, text: &str) -> Result<String, Error> {
        Ok(self.position().move_text(self.parse_move(text)?))
    }

    fn features(&self) -> Vec<usize> {
        let mut features = Vec::new();
        self.position().active_features(|index| features.push(index));
        features.sort_unstable();
        features
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn same_position(&self, other: &dyn AnyLine) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| self.position() == other.position())
    }

    fn perft(&self, depth: u32) -> u64 {
        perft::perft(self.position(), depth)
    }

    fn divide(&self, index: usize, depth: u32) -> Option<(String, u64)> {
        perft::divide(self.position(), index, depth)
    }

    fn playouts(&self, count: u64, rng: &mut Rng) -> Tally {
        tally(self.position(), count, rng)
    }

    fn tuning(&self) -> &'static [(&'static str, &'static str)] {
        P::TUNING
    }

    fn search(&self, config: Config, judges: Judges, threads: Threads, bytes: usize) -> Result<Box<dyn AnySearch>, Error> {
        Ok(Box::new(Search::new(self.clone(), config, judges, threads, bytes)?))
    }

    fn alphabeta_by(
        &self,
        config: &alphabeta::Config,
        weights: Option<&Weights>,
        limits: &Limits,
        watch: &mut dyn Watch,
    ) -> Result<Outlook, Error> {
        alphabeta::analyse_by(self, config, weights, limits, watch)
    }

    fn terms(&self) -> &'static [Term] {
        self.position().terms()
    }

    fn measures(&self) -> Vec<f32> {
        let mut terms = [0.0; evaluate::MOST_TERMS];
        self.position().measure(&mut terms);
        terms[..self.position().terms().len()].to_vec()
    }

    fn patterns(&self) -> usize {
        self.position().patterns()
    }

    fn weigh_terms(&self, values: &[f64]) -> Result<Weights, Error> {
        Weights::of_terms(self.position(), values)
    }

    fn weigh_patterns(&self, values: Vec<[i16; 2]>) -> Result<Weights, Error> {
        Weights::of_patterns(self.position(), values)
    }

    fn judge(&self, weights: &Weights) -> i32 {
        weights.judge(self.position())
    }

    fn duel(&self, players: [&Player<'_>; 2], opening: u32, seed: u64) -> i8 {
        duel(self.position(), players, opening, seed)
    }

    fn play_and_learn(&self, settings: &td::Settings, state: &mut td::State) -> Result<td::Played, Error> {
        td::play_and_learn(self.position(), settings, state)
    }

    fn play_itself(&self, settings: &fit::Settings, weights: Option<&Weights>, number: u64) -> fit::Played {
        fit::play(self.position(), settings, weights, number)
    }

    fn fit(&self, settings: &fit::Settings, games: &[fit::Played]) -> Result<fit::Fitted, Error> {
        fit::fit(self.position(), settings, games)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The questions of [`Search`], whatever the game.
pub trait AnySearch: Send {
    /// Starts a run.
    fn begin(&mut self, budget: Budget, seed: u64);
    /// Searches on until a moment, the end of the budget, or a wish to stop.
    fn work(&mut self, until: Instant, stop: &AtomicBool) -> Pause;
    /// What the search thinks now.
    fn thought(&self) -> Thought;
    /// The most visited nodes.
    fn top(&self, count: usize) -> Vec<TreeNode>;
    /// Turns to another position of the same game.
    fn move_to(&mut self, line: &dyn AnyLine) -> Result<(), Error>;
    /// Forgets everything.
    fn clear(&mut self);
    /// Everything it knows, as bytes.
    fn dump(&mut self) -> Vec<u8>;
    /// What [`AnySearch::dump`] wrote at the same position, in place of what it knows.
    fn restore(&mut self, bytes: &[u8]) -> Result<(), Error>;
}

impl<P: Position> AnySearch for Search<P> {
    fn begin(&mut self, budget: Budget, seed: u64) {
        Search::begin(self, budget, seed);
    }

    fn work(&mut self, until: Instant, stop: &AtomicBool) -> Pause {
        Search::work(self, until, stop)
    }

    fn thought(&self) -> Thought {
        Search::thought(self)
    }

    fn top(&self, count: usize) -> Vec<TreeNode> {
        Search::top(self, count)
    }

    fn move_to(&mut self, line: &dyn AnyLine) -> Result<(), Error> {
        match line.as_any().downcast_ref::<Line<P>>() {
            Some(line) => Search::move_to(self, line.clone()),
            None => Err(Error::Parse("the position is of another game than the search".into())),
        }
    }

    fn clear(&mut self) {
        Search::clear(self);
    }

    fn dump(&mut self) -> Vec<u8> {
        Search::dump(self)
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), Error> {
        Search::restore(self, bytes)
    }
}

/// The moves of a line in the words of `name`, each asked of the position it was played in.
fn texts<P: Position>(line: &Line<P>, name: fn(&P, P::Move) -> String) -> Vec<String> {
    let mut position = line.start().clone();
    Line::moves(line)
        .iter()
        .map(|&mv| {
            let text = name(&position, mv);
            position.play(mv);
            text
        })
        .collect()
}
