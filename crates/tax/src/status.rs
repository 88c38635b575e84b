//! Reliability of a figure or rule.

use crate::words::Words;

/// Reliability of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// Checked against the text of the law or decree.
    Law,
    /// Checked against a publication of the government or the tax office (Belastingdienst).
    Official,
    /// Taken from a third party that cites an official text; the text itself was not checked.
    Secondary,
    /// Proposed or announced, not yet law.
    Proposal,
}

impl Status {
    /// All values, the most reliable first.
    pub const ALL: [Self; 4] = [Self::Law, Self::Official, Self::Secondary, Self::Proposal];

    /// Code in JSON and CSV.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Law => "law",
            Self::Official => "official",
            Self::Secondary => "secondary",
            Self::Proposal => "proposal",
        }
    }

    /// Whether the figure was checked against the text of the law.
    #[must_use]
    pub const fn is_law(self) -> bool {
        matches!(self, Self::Law)
    }

    /// Explanation for readers.
    #[must_use]
    pub const fn meaning(self) -> Words {
        match self {
            Self::Law => Words::new(
                "Vergeleken met de tekst van de wet.",
                "Compared with the text of the law.",
            ),
            Self::Official => Words::new(
                "Vergeleken met wat de overheid of de Belastingdienst bekendmaakt.",
                "Compared with what the government or the tax office (Belastingdienst) publishes.",
            ),
            Self::Secondary => Words::new(
                "Van anderen die een officiële tekst noemen; die tekst zelf is niet gezien.",
                "From others who name an official text; that text itself was not seen.",
            ),
            Self::Proposal => Words::new("Voorstel: nog geen wet.", "Proposed: not law yet."),
        }
    }
}
