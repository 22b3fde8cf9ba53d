//! The functions `play_episode` and `episode_transitions`.

use plyground_documented::documented;
use plyground_engine::learning::episodes::{Episode, Settings};
use plyground_engine::learning::self_play::Player;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{ParseError, raise};
use crate::fit::samples_dict;
use crate::network::Network;
use crate::position::Position;

/// Serialises an episode: result, plies, moves, choices.
fn write(episode: &Episode) -> Vec<u8> {
    let mut bytes = vec![episode.result as u8];
    bytes.extend((episode.moves.len() as u16).to_le_bytes());
    episode.moves.iter().for_each(|code| bytes.extend(code.to_le_bytes()));
    bytes.extend(&episode.choices);
    bytes
}

/// Deserialises the next episode and returns it with the remaining bytes.
fn read(bytes: &[u8]) -> Option<(Episode, &[u8])> {
    let (head, rest) = bytes.split_at_checked(3)?;
    let plies = usize::from(u16::from_le_bytes([head[1], head[2]]));
    let (moves, rest) = rest.split_at_checked(2 * plies)?;
    let (choices, rest) = rest.split_at_checked(plies)?;
    let moves = moves.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    Some((Episode { moves, choices: choices.to_vec(), result: head[0] as i8 }, rest))
}

fn player<'a>(network: &'a Option<Py<Network>>, position: &Position) -> PyResult<Player<'a>> {
    network.as_ref().map_or(Ok(Player::Random), |network| Ok(Player::Policy(network.get().of(position)?)))
}

#[documented]
#[pyfunction]
#[pyo3(signature = (position, first, second, *, epsilon=0.0, opening_plies=0, teacher_depth=1, teacher_fraction=0.0, seed=0))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn play_episode<'py>(
    py: Python<'py>,
    position: &Position,
    first: Option<Py<Network>>,
    second: Option<Py<Network>>,
    epsilon: f64,
    opening_plies: u32,
    teacher_depth: u32,
    teacher_fraction: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    py.check_signals()?;
    let settings = Settings { epsilon, opening_plies, teacher_depth, teacher_fraction, seed };
    let players = [player(&first, position)?, player(&second, position)?];
    let episode = position.shared.ask(|| py.detach(|| position.line.play_episode(players.each_ref(), &settings)))?;
    Ok(PyBytes::new(py, &write(&episode)))
}

#[documented]
#[pyfunction]
pub(crate) fn episode_transitions<'py>(py: Python<'py>, position: &Position, episodes: &[u8]) -> PyResult<Bound<'py, PyDict>> {
    let (mut rest, mut found) = (episodes, Vec::new());
    while !rest.is_empty() {
        let (episode, after) = read(rest).ok_or_else(|| ParseError::new_err("truncated episodes"))?;
        found.push(episode);
        rest = after;
    }
    let transitions = position.shared.ask(|| py.detach(|| position.line.transitions(&found)))?.map_err(raise)?;
    let dict = samples_dict(py, transitions.samples)?;
    dict.set_item("turns", PyBytes::new(py, &transitions.turns))?;
    dict.set_item("choices", PyBytes::new(py, &transitions.choices))?;
    let ends: Vec<u8> = transitions.ends.iter().flat_map(|end| end.to_le_bytes()).collect();
    dict.set_item("ends", PyBytes::new(py, &ends))?;
    Ok(dict)
}
