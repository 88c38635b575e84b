//! Finds dependency cycles between modules. Without cycles, the modules of a crate can be read,
//! tested and moved one by one.
//!
//! A module and its submodules are one unit: mutual use of a file and its folder's `mod.rs` is not
//! a cycle.

use super::{
    Files,
    modules::{Crate, Module},
};
use std::collections::{BTreeMap, BTreeSet};

type Graph<'c> = BTreeMap<&'c Module, BTreeSet<&'c Module>>;

/// Returns each cycle as `crate: a -> b -> a`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let roots: BTreeSet<&str> = files
        .keys()
        .filter_map(|file| Some(&file[..file.find("/src/")? + "/src/".len()]))
        .collect();
    let mut found = Vec::new();
    for root in roots {
        let read = Crate::read(files, root)?;
        let name = root.trim_end_matches("/src/");
        found.extend(cycles(&graph(&read)).into_iter().map(|cycle| format!("{name}: {cycle}")));
    }
    Ok(found)
}

fn graph(read: &Crate) -> Graph<'_> {
    let needs = |(module, source): (_, &super::modules::Source)| {
        let module: &Module = module;
        let needed = source.paths.iter().filter_map(|path| read.resolve(path));
        (
            module,
            needed
                .filter(|other| !module.starts_with(other) && !other.starts_with(module))
                .collect(),
        )
    };
    read.modules.iter().map(needs).collect()
}

/// Returns the shortest cycle through each module that is in one, each cycle once.
fn cycles(graph: &Graph<'_>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for start in graph.keys() {
        let Some(cycle) = shortest(graph, start) else { continue };
        let members: BTreeSet<&Module> = cycle.iter().copied().collect();
        if seen.insert(members) {
            let names: Vec<String> =
                cycle.iter().chain([start]).map(|module| module.join("::")).collect();
            found.push(names.join(" -> "));
        }
    }
    found
}

/// Finds the shortest path from a module back to itself by breadth-first search.
fn shortest<'c>(graph: &Graph<'c>, start: &'c Module) -> Option<Vec<&'c Module>> {
    let mut ways = std::collections::VecDeque::from([vec![start]]);
    let mut visited = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for next in way.last().and_then(|last| graph.get(last)).into_iter().flatten() {
            if *next == start {
                return Some(way);
            }
            if visited.insert(*next) {
                let mut longer = way.clone();
                longer.push(next);
                ways.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sources: &[(&str, &str)]) -> Vec<String> {
        let files =
            sources.iter().map(|(file, text)| (format!("crates/a/src/{file}"), (*text).to_owned()));
        find(&files.collect()).unwrap()
    }

    #[test]
    fn a_cycle_through_re_exported_names_is_found() {
        let root = ("lib.rs", "mod b; mod c; pub use c::C;");
        assert_eq!(
            found(&[root, ("b.rs", "use crate::C;"), ("c.rs", "fn c() { crate::b::b() }")]),
            ["crates/a: b -> c -> b"]
        );
        assert_eq!(
            found(&[root, ("b.rs", "use crate::C;"), ("c.rs", "pub struct C;")]),
            <[&str; 0]>::default()
        );
    }

    #[test]
    fn tests_and_submodules_are_no_cycle() {
        let root = ("lib.rs", "mod b; mod c;");
        let tests = ("c.rs", "pub struct C; #[cfg(test)] mod tests { use crate::b::B; }");
        assert_eq!(
            found(&[
                root,
                ("b/mod.rs", "mod d; pub use d::D; use crate::c::C;"),
                ("b/d.rs", "use super::B;"),
                tests
            ]),
            <[&str; 0]>::default()
        );
    }
}
