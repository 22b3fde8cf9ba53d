//! Propagation of proven values (MCTS-Solver, Winands, Björnsson and Saito 2008).

use super::node::{Node, PackedValue};
use super::simulator::Simulator;
use super::tree::Tree;
use crate::{GameRules, Line, Outcome, Position, Reason, Side};

impl<P: GameRules> Simulator<'_, P> {
    /// Proves the nodes on the path, from the last one up: a node is proven if a child wins for the side to move or all children are
    /// proven. If there is a root policy, only its allowed moves count at the root.
    pub(super) fn back_up_proven_value(&self) {
        for (depth, pair) in self.path.windows(2).enumerate().rev() {
            let (parent, turn) = (pair[0].node, pair[1].mover);
            if parent.is_proven() {
                return;
            }
            let value = match self.root_policy.filter(|_| depth == 0) {
                Some(policy) => value_from_children(policy.allowed(self.tree), turn),
                None => value_from_children(self.tree.children(parent).iter(), turn),
            };
            match value {
                Some(value) => parent.prove(value),
                None => return,
            }
        }
    }

    /// Handles a proven child that scores best. A simulation that reaches a proven draw counts as a draw for all nodes on the path so
    /// far, but continues with the most visited unproven candidate, if there is one, because nothing more can be learned from
    /// the draw.
    #[cold]
    pub(super) fn skip_draw<'a>(&mut self, best: &'a Node, candidates: impl Iterator<Item = &'a Node>) -> &'a Node {
        if best.proven().is_none_or(|value| value.winner.is_some()) {
            return best;
        }
        let unproven = candidates.filter(|node| !node.is_proven());
        match unproven.max_by_key(|node| node.visits()) {
            Some(node) => {
                self.drawn_nodes = self.path.len();
                node
            }
            None => best,
        }
    }
}

/// Proves the root moves that win immediately and, if the game has cheap lookahead, those that let the opponent win immediately, so
/// that even a short search does not overlook them. A move that repeats a position ends the game, so the opponent cannot reply to it.
/// In a graph, such a draw belongs to the path and not to the node, so nothing is proven.
pub(super) fn prove_root_moves<P: GameRules>(tree: &Tree, line: &Line<P>, is_graph: bool) {
    let position = line.position();
    let turn = position.turn();
    for slot in tree.root().children() {
        let child = tree.node(slot);
        if child.is_proven() {
            continue;
        }
        let mut next = position.clone();
        next.play(position.decode(child.move_code()));
        let value = match next.outcome() {
            Some(outcome) => Some(outcome.into()),
            None if line.is_repetition(&next) => (!is_graph).then(|| Outcome::draw(Reason::Repetition).into()),
            None if next.has_cheap_lookahead() && next.turn() != turn && has_winning_move(&next) => {
                Some(PackedValue { winner: Some(turn.other()), distance: 1 })
            }
            None => None,
        };
        if next.is_interrupted() {
            return;
        }
        if let Some(value) = value {
            child.prove(value);
        }
        if let (Some(value), Some(minimax)) = (value, &tree.enhancements.minimax) {
            minimax.set_proven(slot, value, turn);
        }
    }
}

/// Whether the side to move can win immediately.
fn has_winning_move<P: Position>(position: &P) -> bool {
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

/// The proven value of a node from those of its children, where `turn` is the side to move: the quickest win, otherwise, if all
/// children are proven, a draw or the slowest loss.
pub(super) fn value_from_children<'a>(children: impl Iterator<Item = &'a Node>, turn: Side) -> Option<PackedValue> {
    let (mut win, mut draw, mut loss, mut all_proven) = (None, None, None, true);
    for child in children {
        match child.proven() {
            None => all_proven = false,
            Some(PackedValue { winner: None, distance }) => {
                draw = Some(draw.map_or(distance, |shortest: u8| shortest.min(distance)));
            }
            Some(PackedValue { winner: Some(side), distance }) if side == turn => {
                win = Some(win.map_or(distance, |shortest: u8| shortest.min(distance)));
            }
            Some(PackedValue { distance, .. }) => loss = Some(loss.map_or(distance, |longest: u8| longest.max(distance))),
        }
    }
    let (winner, distance) = match (win, draw, loss) {
        (Some(distance), ..) => (Some(turn), distance),
        _ if !all_proven => return None,
        (_, Some(distance), _) => (None, distance),
        (.., distance) => (Some(turn.other()), distance?),
    };
    Some(PackedValue { winner, distance: distance.saturating_add(1) })
}
