//! How a tree is written to a file and read again.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use game::{Key, PackedStep as _, Position, Side};

use super::backup::{Branch, Standing};
use super::numbers::ProofNumbers;
use super::tables::Packed48;
use super::tree::{Flags, NONE, ROOT, Tree, Vertex, VertexId};
use crate::hash_table::read_u64;

// The format: the number of vertices, then each vertex with its children. Vertices are numbered in this
// order. Free memory of the tree is not written.

/// The flags that are written.
const KEPT: u8 = Flags::SECOND_SIDE.0
    | Flags::TURN_STARTS.0
    | Flags::EXPANDED.0
    | Flags::PATH_CUT.0
    | Flags::PATH_DEPENDENT.0;

impl Tree {
    /// Writes the tree out.
    pub(crate) fn save(&self, out: &mut impl Write) -> io::Result<()> {
        if self.size() == 0 {
            return out.write_all(&0u64.to_le_bytes());
        }
        let ids: Vec<VertexId> = self.all_ids().filter(|&id| self.has(id)).collect();
        let number = |id: VertexId| ids.binary_search(&id).map_or(NONE, |number| number as u32);
        out.write_all(&(ids.len() as u64).to_le_bytes())?;
        for &id in &ids {
            let vertex = self.vertex(id);
            out.write_all(&vertex.key.0.to_le_bytes())?;
            out.write_all(&vertex.numbers.bits().to_le_bytes())?;
            out.write_all(&number(vertex.turn).to_le_bytes())?;
            out.write_all(&vertex.visits.to_le_bytes())?;
            out.write_all(&vertex.turns.to_le_bytes())?;
            out.write_all(&vertex.level.to_le_bytes())?;
            let flags = vertex.flags.0 & KEPT;
            out.write_all(&[vertex.height, vertex.standing as u8, flags])?;
            out.write_all(&(self.children(id).count() as u16).to_le_bytes())?;
            for (child, step) in self.children(id) {
                out.write_all(&number(child).to_le_bytes())?;
                out.write_all(&step.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Reads what [`Tree::save`] has written. A tree that is too large for the memory is refused.
    pub(crate) fn load(&mut self, input: &mut impl Read) -> io::Result<()> {
        self.clear();
        let count = read_u64(input)?;
        if count > self.most_vertices() as u64 {
            return Err(self.too_large(count));
        }
        // Edges wait until there is a vertex at both ends.
        let mut edges: Vec<(VertexId, VertexId, u16)> = Vec::new();
        for id in 0..count {
            let (turn, vertex) = read_vertex(input)?;
            if turn != NONE && u64::from(turn) >= count || (turn == NONE) != (id == 0) {
                return Err(damaged("a turn"));
            }
            self.add(turn, vertex);
            for _ in 0..u16::from_le_bytes(read(input)?) {
                let (child, step) = (u32::from_le_bytes(read(input)?), read(input)?);
                if u64::from(child) >= count || child == ROOT {
                    return Err(damaged("a child"));
                }
                if !self.has_room_for_edges(edges.len() + 1) {
                    return Err(self.too_large(count));
                }
                edges.push((id as VertexId, child, u16::from_le_bytes(step)));
            }
        }
        if count > 0 {
            self.connect(&edges)?;
        }
        Ok(())
    }

    fn too_large(&self, count: u64) -> io::Error {
        let most = self.most_vertices();
        let fault = format!(
            "its tree has {count} vertices, and there is memory for {most}: give more memory, or set tree"
        );
        io::Error::new(io::ErrorKind::OutOfMemory, fault)
    }

    /// Adds the edges that were read, and checks that every vertex is below the root and none below
    /// itself.
    fn connect(&mut self, edges: &[(VertexId, VertexId, u16)]) -> io::Result<()> {
        let (mut last, mut last_parent) = (NONE, NONE);
        let mut parents = vec![0u32; self.size()];
        for &(parent, child, step) in edges {
            let is_expanded = self.vertex(parent).flags.has(Flags::EXPANDED);
            if self.vertex(child).turn != self.turn_of(parent) || !is_expanded {
                return Err(damaged("an edge"));
            }
            last = if parent == last_parent { last } else { NONE };
            last = self.add_edge(parent, child, step, last);
            last_parent = parent;
            parents[child as usize] += 1;
        }
        let (mut ready, mut seen) = (vec![ROOT], 0);
        while let Some(id) = ready.pop() {
            seen += 1;
            for (child, _) in self.children(id) {
                parents[child as usize] -= 1;
                if parents[child as usize] == 0 {
                    ready.push(child);
                }
            }
        }
        if seen == self.size() { Ok(()) } else { Err(damaged("a vertex")) }
    }

    /// Whether each edge is a step that is legal at its parent and leads to the position of its child, from that root.
    pub(crate) fn follows_rules<P: Position>(&self, root: &P) -> bool {
        if self.size() == 0 {
            return true;
        }
        let is_at = |id: VertexId, position: &P| {
            let vertex = self.vertex(id);
            let starts = vertex.flags.has(Flags::TURN_STARTS);
            (vertex.key, vertex.mover(), starts)
                == (position.key(), position.side(), position.turn_starts())
        };
        let mut seen = vec![false; self.all_ids().len()];
        let mut todo = vec![(ROOT, root.clone())];
        if !is_at(ROOT, root) {
            return false;
        }
        let mut legal = Vec::new();
        while let Some((id, position)) = todo.pop() {
            legal.clear();
            if self.vertex(id).children != NONE {
                let _ = position.for_each_step(|step| {
                    legal.push(step.pack());
                    ControlFlow::Continue(())
                });
            }
            for (child, step) in self.children(id) {
                let is_legal = legal.contains(&step);
                let Some(step) = P::Step::unpack(step).filter(|_| is_legal) else { return false };
                let mut after = position.clone();
                after.play(step);
                if !is_at(child, &after) {
                    return false;
                }
                if !std::mem::replace(&mut seen[child as usize], true) {
                    todo.push((child, after));
                }
            }
        }
        true
    }
}

fn read_vertex(input: &mut impl Read) -> io::Result<(VertexId, Vertex)> {
    let (key, bits) = (Key(read_u64(input)?), read_u64(input)?);
    let (turn, visits) = (u32::from_le_bytes(read(input)?), u32::from_le_bytes(read(input)?));
    let (turns, level) = (u16::from_le_bytes(read(input)?), u16::from_le_bytes(read(input)?));
    let [height, standing, flags] = read(input)?;
    let standing = match standing {
        0 => Standing::Worse,
        1 => Standing::Even,
        2 => Standing::Better,
        _ => return Err(damaged("an estimate")),
    };
    let decided = Side::ALL.map(ProofNumbers::decided).into_iter().find(|won| won.bits() == bits);
    let numbers = decided.or_else(|| ProofNumbers::from_bits(bits)).filter(|_| bits >> 48 == 0);
    let numbers = numbers.ok_or_else(|| damaged("a number"))?;
    if flags & !KEPT != 0 {
        return Err(damaged("a flag"));
    }
    let branch = Branch { numbers, turns, path_dependent: false, ends_turn: false };
    let vertex = Vertex::new(key, Side::First, false, branch);
    Ok((turn, Vertex { visits, level, height, standing, flags: Flags(flags), ..vertex }))
}

fn read<const LENGTH: usize>(input: &mut impl Read) -> io::Result<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} of the tree is damaged"))
}
