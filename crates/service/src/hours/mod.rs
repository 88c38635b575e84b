//! Hours: projects, time entries, the hours log, weeks, the timer, and invoicing.

pub mod hours_log;
pub mod invoicing;
pub mod projects;
pub mod time_entries;
pub mod timer;
pub mod week;

use ledger::language::Language;

/// Default description of hours in the log, by category.
pub(crate) fn description_of(category: &str, language: Language) -> &'static str {
    match (category, language) {
        ("administration", Language::Dutch) => "Administratie",
        ("administration", Language::English) => "Administration",
        ("acquisition", Language::Dutch) => "Acquisitie",
        ("acquisition", Language::English) => "Acquisition",
        ("travel", Language::Dutch) => "Reistijd",
        ("travel", Language::English) => "Travel",
        ("training", Language::Dutch) => "Opleiding",
        ("training", Language::English) => "Training",
        (_, Language::Dutch) => "Overig werk",
        (_, Language::English) => "Other work",
    }
}
