//! Finds names such as `Type::function` in the project's documents that do not exist in the source.

use super::{Files, citations::is_document};
use anyhow::Context;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;

/// Types of other crates that documents cite.
const FOREIGN: &[&str] = &["Vec"];

/// Returns each unknown name as `file:line: name`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let mut types = Types::default();
    for (file, text) in
        files.iter().filter(|(file, _)| file.contains("src/") && file.ends_with(".rs"))
    {
        types.visit_file(&syn::parse_file(text).with_context(|| file.clone())?);
    }
    let (code, name) = (Regex::new("`[^`]+`")?, Regex::new(r"\b([A-Z]\w*)::(\w+)")?);
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| is_document(file)) {
        for (number, line) in text.lines().enumerate() {
            for cited in code.find_iter(line).flat_map(|code| name.captures_iter(code.as_str())) {
                if !types.have(&cited[1], &cited[2]) {
                    found.push(format!("{file}:{}: {}", number + 1, &cited[0]));
                }
            }
        }
    }
    Ok(found)
}

/// Types and traits of the workspace. Types or traits with the same name are treated as one.
#[derive(Default)]
struct Types {
    /// Functions, constants, variants and fields.
    members: BTreeMap<String, BTreeSet<String>>,
    /// Traits that a type implements.
    traits: BTreeMap<String, BTreeSet<String>>,
}

impl Types {
    fn have(&self, of: &str, member: &str) -> bool {
        let has = |of: &str| self.members.get(of).is_some_and(|members| members.contains(member));
        FOREIGN.contains(&of)
            || has(of)
            || self.traits.get(of).is_some_and(|traits| traits.iter().any(|of| has(of)))
    }

    fn add<'a>(&mut self, of: &syn::Ident, members: impl Iterator<Item = &'a syn::Ident>) {
        self.members.entry(of.to_string()).or_default().extend(members.map(ToString::to_string));
    }
}

impl<'ast> Visit<'ast> for Types {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add(&item.ident, item.fields.iter().filter_map(|field| field.ident.as_ref()));
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add(&item.ident, item.variants.iter().map(|variant| &variant.ident));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let members = item.items.iter().filter_map(|item| match item {
            syn::TraitItem::Const(item) => Some(&item.ident),
            syn::TraitItem::Fn(item) => Some(&item.sig.ident),
            _ => None,
        });
        self.add(&item.ident, members);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let syn::Type::Path(of) = &*item.self_ty else { return };
        let Some(of) = of.path.segments.last() else { return };
        let members = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Const(item) => Some(&item.ident),
            syn::ImplItem::Fn(item) => Some(&item.sig.ident),
            _ => None,
        });
        self.add(&of.ident, members);
        if let Some(implemented) = item.trait_.as_ref().and_then(|(path, _)| path.segments.last()) {
            self.traits
                .entry(of.ident.to_string())
                .or_default()
                .insert(implemented.ident.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cited_members_must_exist() {
        let source = "mod a { pub struct S { pub field: u8 } }\nenum E { V }\ntrait T { const C: u8; fn provided() {} }\n\
                      impl<'a> a::S<'a> { const C: u8 = 1; fn own() {} }\nimpl T for E { const C: u8 = 1; }\n";
        let guide = "`S::field`, `a::S::own(x)`, `S::C`, `E::V`, `E::C`, `E::provided`, `T::C`, `|| Vec::new()`; S::gone\n\
                     `S::gone` and `x.S::provided()`\n`Gone::own`\n";
        let files = [
            ("crates/a/src/lib.rs", source),
            ("docs/guide.md", guide),
            ("elsewhere/guide.md", guide),
        ];
        let files = files.map(|(file, text)| (file.to_owned(), text.to_owned()));
        let expected = [
            "docs/guide.md:2: S::gone",
            "docs/guide.md:2: S::provided",
            "docs/guide.md:3: Gone::own",
        ];
        assert_eq!(find(&Files::from(files)).unwrap(), expected);
    }
}
