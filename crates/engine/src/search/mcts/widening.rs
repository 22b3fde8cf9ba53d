//! Progressive widening (Coulom 2007, "Computing Elo ratings of move patterns in the game of Go"; Chaslot et al. 2008, "Progressive
//! strategies for Monte-Carlo tree search").

use super::node::Node;
use super::simulator::Simulator;
use crate::{GameRules, Side};

impl<P: GameRules> Simulator<'_, P> {
    /// The number of children of a node that may be tried: all or, with progressive widening, at most `widening * sqrt(visits + 1)`
    /// (rounded up), or more if those are all proven losses for `turn`.
    #[inline(always)]
    pub(super) fn candidates(&self, node: &Node, turn: Side) -> u32 {
        let children = self.tree.children(node);
        let count = children.len() as u32;
        if self.config.widening == 0.0 {
            return count;
        }
        let width = (self.config.widening * f64::from(node.visits() + 1).sqrt()).ceil() as u32;
        let width = width.clamp(1, count.max(1)).min(count);
        let lost = |child: &&Node| self.config.solver && child.is_won_by(turn.other());
        width.max(children.iter().take_while(lost).count() as u32 + 1).min(count)
    }
}
