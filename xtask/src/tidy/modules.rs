//! Modules of a crate: their files, the names that they import, and the resolution of paths.

use super::Files;
use anyhow::Context;
use std::collections::{BTreeMap, BTreeSet};
use syn::{UseTree, visit::Visit};

/// Path from the crate's root, such as `["sales", "invoices"]`; empty for the root itself.
pub(super) type Module = Vec<String>;

/// A module in a file of its own.
#[derive(Default)]
pub(super) struct Source {
    /// Imported and re-exported names, with the paths that they stand for.
    aliases: BTreeMap<String, Vec<String>>,
    /// All paths into the crate that the file uses, from the root.
    pub(super) paths: BTreeSet<Vec<String>>,
}

/// The modules of a crate.
pub(super) struct Crate {
    pub(super) modules: BTreeMap<Module, Source>,
}

impl Crate {
    /// Reads the files under a crate's `src/`.
    pub(super) fn read(files: &Files, folder: &str) -> anyhow::Result<Self> {
        let mut modules = BTreeMap::new();
        let mut tests = BTreeSet::new();
        for (file, text) in
            files.iter().filter(|(file, _)| file.starts_with(folder) && file.ends_with(".rs"))
        {
            let module = module_of(&file[folder.len()..]);
            let parsed = syn::parse_file(text).with_context(|| file.clone())?;
            let mut reading =
                Reading { module: module.clone(), source: Source::default(), tests: &mut tests };
            reading.visit_file(&parsed);
            let source = reading.source;
            modules.insert(module, source);
        }
        modules.retain(|module, _| !tests.iter().any(|test: &Module| module.starts_with(test)));
        Ok(Self { modules })
    }

    /// Returns the module that a path from the root leads to, following re-exported names.
    pub(super) fn resolve(&self, path: &[String]) -> Option<&Module> {
        self.resolve_within(path, 0)
    }

    fn resolve_within(&self, path: &[String], depth: usize) -> Option<&Module> {
        let mut here: Module = Vec::new();
        for (place, name) in path.iter().enumerate() {
            let mut inner = here.clone();
            inner.push(name.clone());
            if self.modules.contains_key(&inner) {
                here = inner;
                continue;
            }
            let alias = self.modules.get(&here)?.aliases.get(name).filter(|_| depth < 8);
            return match alias {
                Some(target) => {
                    let whole: Vec<String> =
                        target.iter().chain(&path[place + 1..]).cloned().collect();
                    self.resolve_within(&whole, depth + 1)
                }
                None => self.modules.get_key_value(&here).map(|(module, _)| module),
            };
        }
        self.modules.get_key_value(&here).map(|(module, _)| module)
    }
}

/// `sales/invoices/mod.rs` and `sales/invoices.rs` are both the module `sales::invoices`.
fn module_of(file: &str) -> Module {
    let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
    if matches!(stem, "lib" | "main" | "mod") {
        Vec::new()
    } else {
        stem.split('/').map(str::to_owned).collect()
    }
}

struct Reading<'t> {
    module: Module,
    source: Source,
    tests: &'t mut BTreeSet<Module>,
}

impl Reading<'_> {
    /// Resolves a `use` path to a path from the crate root; `None` if it has more `super`s than the
    /// module has parents.
    fn path_from_root(&self, path: &[String]) -> Option<Vec<String>> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        match path.first().map(String::as_str) {
            Some("crate") => Some(path[1..].to_vec()),
            Some("self") => Some(self.module.iter().chain(&path[1..]).cloned().collect()),
            Some("super") => Some(
                self.module
                    .iter()
                    .take(self.module.len().checked_sub(ups)?)
                    .chain(&path[ups..])
                    .cloned()
                    .collect(),
            ),
            // A submodule, or an imported name.
            Some(_) => Some(self.module.iter().chain(path).cloned().collect()),
            None => None,
        }
    }

    fn take(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.take(&path.tree, before);
                before.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.take(tree, before)),
            UseTree::Name(name) => {
                self.name(&name.ident.to_string(), &name.ident.to_string(), before)
            }
            UseTree::Rename(name) => {
                self.name(&name.ident.to_string(), &name.rename.to_string(), before)
            }
            UseTree::Glob(_) => {
                if let Some(path) = self.path_from_root(before) {
                    self.source.paths.insert(path);
                }
            }
        }
    }

    fn name(&mut self, taken: &str, known_as: &str, before: &[String]) {
        let mut path = before.to_vec();
        let mut known_as = known_as.to_owned();
        if taken == "self" {
            known_as = if known_as == "self" {
                before.last().cloned().unwrap_or_default()
            } else {
                known_as
            };
        } else {
            path.push(taken.to_owned());
        }
        if let Some(path) = self.path_from_root(&path) {
            self.source.paths.insert(path.clone());
            self.source.aliases.insert(known_as, path);
        }
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

impl<'ast> Visit<'ast> for Reading<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        } else if module.content.is_none() {
            let mut test = self.module.clone();
            test.push(module.ident.to_string());
            self.tests.insert(test);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !is_test(&function.attrs) {
            syn::visit::visit_item_fn(self, function);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.take(&item.tree, &mut Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1
            && let Some(path) = self.path_from_root(&names)
        {
            self.source.paths.insert(path);
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        // The arguments of a macro are only tokens, in which paths from the crate's root can be
        // recognized.
        let tokens = invoked.tokens.to_string();
        for (place, _) in tokens.match_indices("crate :: ") {
            let names = tokens[place..].split(" :: ").map(|name| {
                name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
            });
            let names: Vec<String> =
                names.take_while(|name| !name.is_empty()).take(5).map(str::to_owned).collect();
            if let Some(path) = self.path_from_root(&names) {
                self.source.paths.insert(path);
            }
        }
        syn::visit::visit_macro(self, invoked);
    }
}
