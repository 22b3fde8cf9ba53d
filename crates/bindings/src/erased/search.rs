//! Type-erased searches.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use plyground_engine::search::analysis::{Analysis, TreeNode};
use plyground_engine::search::mcts::{Budget, RunStatus, Search};
use plyground_engine::{Error, Line};

use crate::erased::{AnyLine, GameRules};

/// A [`Search`] of any game.
pub(crate) trait AnySearch: Send {
    /// Restricts later runs to moves given as text; an empty list allows all.
    fn set_root_moves(&mut self, moves: &[&str]) -> Result<(), Error>;
    fn start(&mut self, budget: Budget, seed: u64);
    fn run_until(&mut self, until: Instant, stop: &AtomicBool) -> RunStatus;
    fn analysis(&self) -> Analysis;
    fn top_nodes(&self, count: usize) -> Vec<TreeNode>;
    /// Moves to another position of the same game.
    fn move_to(&mut self, line: &dyn AnyLine) -> Result<(), Error>;
    fn clear(&mut self);
    fn dump(&mut self) -> Vec<u8>;
    fn restore(&mut self, bytes: &[u8]) -> Result<(), Error>;
}

impl<P: GameRules> AnySearch for Search<P> {
    fn set_root_moves(&mut self, moves: &[&str]) -> Result<(), Error> {
        let moves: Vec<P::Move> = moves.iter().map(|text| self.root().parse_move(text)).collect::<Result<_, _>>()?;
        Search::set_root_moves(self, &moves);
        Ok(())
    }

    fn start(&mut self, budget: Budget, seed: u64) {
        Search::start(self, budget, seed);
    }

    fn run_until(&mut self, until: Instant, stop: &AtomicBool) -> RunStatus {
        Search::run_until(self, until, stop)
    }

    fn analysis(&self) -> Analysis {
        Search::analysis(self)
    }

    fn top_nodes(&self, count: usize) -> Vec<TreeNode> {
        Search::top_nodes(self, count)
    }

    fn move_to(&mut self, line: &dyn AnyLine) -> Result<(), Error> {
        match line.as_any().downcast_ref::<Line<P>>() {
            Some(line) => Search::move_to(self, line.clone()),
            None => Err(Error::Parse("the position and the search belong to different games".into())),
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
