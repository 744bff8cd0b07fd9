//! The features of bot_drake's evaluation, for programs and for people.

use arimaa::{Bitboard, Board, Position, Square};
use arimaa_ai::{Matrix, PieceDistances};
use game::Steps;
use serde_json::{Value, json};

use crate::{DISTANCE_MAPS, FEATURES, FeatureInstance, Features};

/// Features for programs and for people.
pub struct FeatureReport {
    /// As an object.
    pub json: Value,
    /// As lines.
    pub text: String,
}

/// The features of a position, and the distances of the piece on a square if one is named.
pub fn report(position: &Position, piece: Option<Square>) -> FeatureReport {
    let board = position.board();
    let features = Features::new(board, position.side());
    FeatureReport { json: to_json(board, &features), text: to_text(board, &features, piece) }
}

/// The names of the features and of their parameters, in the order of [`details`].
pub fn legend() -> Value {
    let kinds = FEATURES.iter().map(|kind| {
        let parameters = kind.parameters.iter().map(|parameter| parameter.name);
        json!([kind.name, parameters.collect::<Vec<&str>>()])
    });
    kinds.collect()
}

/// For each piece, by its square: its name; its distances, from 0 to 15, as 64 digits from a8 to h1, of which those up to 4
/// are its mobility; the squares to which the other side can move it, each with the steps; the steps with which it can be captured;
/// and its features, each as the number of its kind and its values.
pub fn details(position: &Position) -> Value {
    let board = position.board();
    let features = Features::new(board, position.side());
    let detail = |one: &PieceDistances| {
        let square = one.square;
        let digits = one.matrix.0.chunks(8).rev().flatten();
        let digits = digits.filter_map(|&distance| char::from_digit(distance.into(), 16));
        let within = |squares: &dyn Fn(u8) -> Bitboard, to: Square| {
            (2..=4u8).find(|&steps| squares(steps).has(to))
        };
        let displaced = |steps: u8| features.mobility.displaced(square, Steps(steps));
        let moved = displaced(4)
            .into_iter()
            .filter_map(|to| Some(format!("{to} {}", within(&displaced, to)?)));
        let found =
            features.iter().filter(|feature| feature.square == square && is_of_piece(feature));
        let found = found.map(|feature| json!([feature.kind, feature.values()]));
        let detail = json!({
            "name": place(board, square),
            "distances": digits.collect::<String>(),
            "moved": moved.collect::<Vec<String>>().join(", "),
            "captured": within(&|steps| features.mobility.captured(Steps(steps)), square),
            "features": found.collect::<Vec<Value>>(),
        });
        (square.to_string(), detail)
    };
    Value::Object(features.distances.iter().map(detail).collect())
}

/// Whether a feature is that of a piece, not of a trap or of a side.
fn is_of_piece(feature: &FeatureInstance) -> bool {
    let name = FEATURES[feature.kind].name;
    !["trap", "trap owner", "losses", "material", "race"].contains(&name)
}

/// A piece with its square, as in `Hg4`; of a trap without one, the square alone.
fn place(board: &Board, square: Square) -> String {
    board.piece_at(square).map_or(square.to_string(), |piece| format!("{}{square}", piece.letter()))
}

fn to_json(board: &Board, features: &Features) -> Value {
    let rows = features.iter().map(|feature| {
        let parameters = FEATURES[feature.kind].parameters.iter();
        let values = parameters.zip(feature.values());
        let values =
            values.map(|(parameter, value)| (parameter.name.replace(' ', "_"), json!(value)));
        json!({
            "feature": FEATURES[feature.kind].name.replace(' ', "_"),
            "side": side_letter(feature),
            "square": feature.square.to_string(),
            "values": Value::Object(values.collect()),
        })
    });
    let distances = features.distances.iter().map(|one| {
        let rows: Vec<&[u8]> = one.matrix.0.chunks(8).rev().collect();
        (place(board, one.square), json!(rows))
    });
    json!({
        "instances": rows.collect::<Vec<Value>>(),
        "distances": Value::Object(distances.collect()),
    })
}

fn side_letter(feature: &FeatureInstance) -> &'static str {
    if feature.side == arimaa::GOLD { "g" } else { "s" }
}

fn to_text(board: &Board, features: &Features, piece: Option<Square>) -> String {
    let mut text = String::from("Features of bot_drake's evaluation:\n");
    for number in 0..FEATURES.len() {
        let found: Vec<_> = features.iter().filter(|feature| feature.kind == number).collect();
        if !found.is_empty() {
            text += &table(board, number, &found);
        }
    }
    text += "\nTheir parameters:\n";
    for kind in &FEATURES {
        text += &format!("  {}: {}\n", kind.name, kind.about);
        for parameter in kind.parameters {
            let range = format!("0 to {}", parameter.most);
            let quality = if parameter.is_quantitative { "" } else { " (a function for each)" };
            let (name, about) = (parameter.name, parameter.about);
            text += &format!("    {name:<18} {range:<10} {about}{quality}\n");
        }
    }
    text += "\nWhat distances count for:\n  distance   ";
    text += &(0..16).map(|distance| format!("{distance:>4}")).collect::<String>();
    for map in DISTANCE_MAPS {
        let values: String = map.values.iter().map(|value| format!("{value:>4}")).collect();
        text += &format!("\n  {:<11}{values}", map.name);
    }
    text += "\n";
    if let Some(square) = piece {
        let PieceDistances { matrix, .. } = features.distances.at(square);
        text += &format!("\nDistances of {}, a guess from 5 on:\n", place(board, square));
        text += &grid(matrix);
    }
    text
}

/// The features of one kind, a row each.
fn table(board: &Board, number: usize, found: &[&FeatureInstance]) -> String {
    let kind = &FEATURES[number];
    let header: String =
        kind.parameters.iter().map(|parameter| format!("  {}", parameter.name)).collect();
    let mut text = format!("  {:<10}{header}\n", kind.name);
    for feature in found {
        let cells = kind.parameters.iter().zip(feature.values());
        let cells: String = cells
            .map(|(parameter, value)| format!("  {value:>width$}", width = parameter.name.len()))
            .collect();
        // Whose a trap is counted for is told by the side, a piece by its letter.
        let name = match board.piece_at(feature.square).filter(|_| is_of_piece(feature)) {
            Some(_) => place(board, feature.square),
            None => format!("{} {}", side_letter(feature), feature.square),
        };
        text += &format!("    {name:<8}{cells}\n");
    }
    text
}

/// A matrix as a board of numbers.
fn grid(matrix: &Matrix) -> String {
    let mut text = String::new();
    for (row, values) in matrix.0.chunks(8).enumerate().rev() {
        let cells: String = values.iter().map(|value| format!("{value:>3}")).collect();
        text += &format!("  {} {cells}\n", row + 1);
    }
    text + "      a  b  c  d  e  f  g  h\n"
}
