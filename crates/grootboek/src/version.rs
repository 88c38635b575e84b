//! Version of the program.

use std::sync::LazyLock;

/// Commit from which the program was built; `development` unless it is a release build, `unknown`
/// for a release built outside a checkout.
pub(crate) const COMMIT: &str = env!("GROOTBOEK_COMMIT");

/// Version of the program, commit, and version of the tables: `0.1.0 (1a2b3c4d5e6f, schema 1)`.
pub(crate) fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        format!("{} ({COMMIT}, schema {})", env!("CARGO_PKG_VERSION"), store::known_schema())
    });
    &TEXT
}
