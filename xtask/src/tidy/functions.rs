//! Functions that are longer than one can see at once.

use super::Files;
use anyhow::Context;
use syn::{spanned::Spanned, visit::Visit};

/// The most lines of a function, from its `fn` to its closing brace.
pub(super) const MOST_LINES: usize = 70;

/// Each as `file:line: name (lines)`.
pub(super) fn find(files: &Files) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| file.ends_with(".rs")) {
        let parsed = syn::parse_file(text).with_context(|| file.clone())?;
        let mut long = Long { file, found: &mut found };
        long.visit_file(&parsed);
    }
    Ok(found)
}

struct Long<'f> {
    file: &'f str,
    found: &'f mut Vec<String>,
}

impl Long<'_> {
    fn measure(&mut self, name: &syn::Ident, block: &syn::Block) {
        let (first, last) = (name.span().start().line, block.span().end().line);
        let lines = last + 1 - first;
        if lines > MOST_LINES {
            self.found.push(format!("{}:{first}: {name} ({lines})", self.file));
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_function_are_counted() {
        let source =
            format!("fn short() {{\n}}\nimpl A {{\n    fn long() {{\n{}    }}\n}}\n", "        a();\n".repeat(MOST_LINES));
        let files = Files::from([("a.rs".to_owned(), source)]);
        assert_eq!(find(&files).unwrap(), ["a.rs:4: long (72)"]);
    }
}
