//! Finds functions that are too long to see at once.

use super::Files;
use anyhow::Context;
use syn::{spanned::Spanned, visit::Visit};

/// Maximum number of lines in a function, from its `fn` to its closing brace.
pub(super) const MOST_LINES: usize = 70;

/// Start of a comment directly above the `fn` of a longer function; the reason for its length
/// follows.
const REASON: &str = "// Long: ";

/// Functions that are too long.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Functions without a reason, as `file:line: name (lines)`.
    pub(super) refused: Vec<String>,
    /// Functions with a reason, as `file:line: name (lines): reason`.
    pub(super) listed: Vec<String>,
}

pub(super) fn find(files: &Files) -> anyhow::Result<Found> {
    let mut found = Found::default();
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".rs")) {
        let parsed = syn::parse_file(text).with_context(|| file.clone())?;
        let mut long = Long { file, lines: text.lines().collect(), found: &mut found };
        long.visit_file(&parsed);
    }
    Ok(found)
}

struct Long<'f> {
    file: &'f str,
    lines: Vec<&'f str>,
    found: &'f mut Found,
}

impl Long<'_> {
    fn measure(&mut self, name: &syn::Ident, block: &syn::Block) {
        let (first, last) = (name.span().start().line, block.span().end().line);
        let lines = last + 1 - first;
        // Line numbers start at one, so the index of the line above is two less than the number.
        let above = first.checked_sub(2).and_then(|above| self.lines.get(above));
        let reason = above
            .and_then(|above| above.trim().strip_prefix(REASON))
            .filter(|reason| !reason.trim().is_empty());
        let place = format!("{}:{first}: {name} ({lines})", self.file);
        match reason {
            Some(reason) if lines > MOST_LINES => {
                self.found.listed.push(format!("{place}: {reason}"))
            }
            Some(_) => {
                self.found.refused.push(format!("{place} has a reason to be long, but is short"))
            }
            None if lines > MOST_LINES => self.found.refused.push(place),
            None => {}
        }
    }
}

impl<'ast> Visit<'ast> for Long<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.measure(&function.sig.ident, &function.block);
        syn::visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.measure(&function.sig.ident, &function.block);
        syn::visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.measure(&function.sig.ident, block);
        }
        syn::visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(above: &str, lines: usize) -> Found {
        let body = "        a();\n".repeat(lines);
        let source = format!(
            "fn short() {{\n}}\nimpl A {{\n    {above}\n    fn long() {{\n{body}    }}\n}}\n"
        );
        find(&Files::from([("a.rs".to_owned(), source)])).unwrap()
    }

    #[test]
    fn a_long_function_is_rejected_without_a_reason() {
        let refused = |line: &str| Found { refused: vec![line.to_owned()], ..Found::default() };
        for above in ["", "// It is long.", "// Long:"] {
            assert_eq!(found(above, MOST_LINES), refused("a.rs:5: long (72)"), "{above}");
        }
        let listed =
            Found { listed: vec!["a.rs:5: long (72): a table.".to_owned()], ..Found::default() };
        assert_eq!(found("// Long: a table.", MOST_LINES), listed);
    }

    #[test]
    fn a_short_function_needs_no_reason() {
        assert_eq!(found("", 10), Found::default());
        assert_eq!(found("// Long: a table.", 10).refused.len(), 1);
    }
}
