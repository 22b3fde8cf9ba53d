//! What is certain: proven wins, losses and draws on their way up the tree.

use super::mcts::Walker;
use super::node::{Node, Proof};
use crate::{Exact, Position, Side};

impl<P: Position> Walker<'_, P> {
    /// From the last node up: a node is proven when one child wins for the side to move there, or all children are proven.
    pub(super) fn back_up_proof(&self) {
        for pair in self.path.windows(2).rev() {
            let (parent, turn) = (pair[0].node, pair[1].mover);
            if parent.proof().is_some() {
                return;
            }
            match prove(self.tree.children(parent).iter().map(|child| child.proof()), turn) {
                Some(proof) => parent.prove(proof),
                None => return,
            }
        }
    }

    /// A proven draw is the best child: that is what the last node is worth in this simulation, and nothing is left to be learnt
    /// there. So the way goes on through the most visited child that is still open, if there is one, and only nodes beyond this one
    /// take what is found.
    #[cold]
    pub(super) fn pass_over_draw<'a>(&mut self, draw: &'a Node, children: &'a [Node]) -> &'a Node {
        let open = children.iter().filter(|node| node.proof().is_none());
        match open.max_by_key(|node| node.visits()) {
            Some(node) => {
                self.drawn = self.path.len();
                node
            }
            None => draw,
        }
    }

    /// Proves the moves of the root that win at once and those that let the opponent win at once: however short the search, it does
    /// not overlook these.
    pub(super) fn look_two_plies_ahead(&self) {
        let (root, turn) = (self.tree.root(), self.position.turn());
        let children = self.tree.children(root);
        for child in children {
            let mut next = self.position.clone();
            next.play(self.position.decode(child.code()));
            if let Some(outcome) = next.outcome() {
                child.prove(outcome.into());
            } else if next.turn() != turn && wins_at_once(&next) {
                child.prove(Proof { winner: Some(turn.other()), distance: 1 });
            }
        }
        if let Some(proof) = prove(children.iter().map(Node::proof), turn) {
            root.prove(proof);
        }
    }
}

/// Whether the side to move has a move that ends the game in its favour.
fn wins_at_once<P: Position>(position: &P) -> bool {
    let mut wins = false;
    position.legal_moves(|mv| {
        if !wins {
            let mut next = position.clone();
            next.play(mv);
            wins = next.outcome().is_some_and(|outcome| outcome.winner == Some(position.turn()));
        }
    });
    wins
}

/// What the children prove of their parent, in which `turn` moves: the quickest win, else a draw, else the slowest loss.
fn prove(children: impl Iterator<Item = Option<Proof>>, turn: Side) -> Option<Proof> {
    let (mut win, mut draw, mut loss, mut all) = (None, None, None, true);
    for child in children {
        match child {
            None => all = false,
            Some(Proof { winner: None, distance }) => draw = Some(draw.map_or(distance, |least: u8| least.min(distance))),
            Some(Proof { winner: Some(side), distance }) if side == turn => {
                win = Some(win.map_or(distance, |least: u8| least.min(distance)));
            }
            Some(Proof { distance, .. }) => loss = Some(loss.map_or(distance, |most: u8| most.max(distance))),
        }
    }
    let (winner, distance) = match (win, draw, loss) {
        (Some(distance), ..) => (Some(turn), distance),
        _ if !all => return None,
        (_, Some(distance), _) => (None, distance),
        (.., distance) => (Some(turn.other()), distance?),
    };
    Some(Proof { winner, distance: distance.saturating_add(1) })
}

/// What tables know of a position, where it is to be trusted: they know nothing of move limits, so that a win must be near or the
/// clock young.
#[inline(always)]
pub(super) fn trusted<P: Position>(position: &P) -> Option<Exact> {
    const HALF: u32 = 40;
    let exact = position.exact()?;
    let near = |distance: Option<u32>| distance.is_some_and(|distance| distance <= HALF);
    (exact.winner.is_none() || position.quiet_plies() < HALF || near(exact.distance)).then_some(exact)
}
