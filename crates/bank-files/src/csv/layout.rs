//! Layouts of the CSV files of known banks.

use super::mapping::normalized;
use crate::{amount::DecimalSeparator, upload::Dialect};

/// Meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Account,
    Amount,
    Balance,
    Code,
    Credit,
    Creditor,
    Currency,
    Date,
    Debit,
    EndToEnd,
    Iban,
    /// Date that takes the place of [`Role::Date`] where it is present.
    LaterDate,
    Mandate,
    Name,
    OriginalAmount,
    OriginalCurrency,
    PaymentReference,
    Rate,
    Reference,
    ReturnReason,
    Sign,
    State,
    Text,
    Time,
    /// Amount with the fee of Revolut.
    Total,
    /// Kind of transaction in words.
    Type,
    ValueDate,
}

/// Number of roles.
const ROLES: usize = Role::ValueDate as usize + 1;

/// Position of each column by its meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Places {
    single: [Option<u16>; ROLES],
    /// Columns of the description.
    pub(super) texts: Vec<u16>,
}

impl Places {
    /// Sets the position of a column; texts are added.
    pub(super) fn set(&mut self, role: Role, index: u16) {
        if role == Role::Text {
            self.texts.push(index);
        } else {
            self.single[role as usize].get_or_insert(index);
        }
    }

    /// Returns the number of columns up to the last one.
    pub(super) fn width(&self) -> usize {
        let places = self.single.iter().flatten().chain(&self.texts);
        places.map(|place| usize::from(*place) + 1).max().unwrap_or_default()
    }

    /// Returns the position of a column.
    pub(super) fn get(&self, role: Role) -> Option<usize> {
        self.single[role as usize].map(usize::from)
    }
}

/// Notation of the text column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextNotation {
    /// Text alone.
    Plain,
    /// Words such as `Naam:` (ING).
    Words,
    /// Fields or columns (ABN AMRO).
    AbnAmro,
}

/// Moment of the stated balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BalanceMoment {
    /// After the line.
    After,
    /// Before the line.
    Before,
}

/// Layout of a bank.
pub(super) struct Layout {
    /// Dialect.
    pub(super) dialect: Dialect,
    /// Name.
    pub(super) name: &'static str,
    /// Columns by name, or in order for files without a head. A name that ends with `(` is the
    /// beginning of one with a currency in brackets. A question mark before it: may be absent.
    pub(super) columns: &'static [(&'static str, Role)],
    /// Forms of dates.
    pub(super) dates: &'static [&'static str],
    /// Decimal separator.
    pub(super) decimal: DecimalSeparator,
    /// Values of the sign that mean that money goes out, in lower case.
    pub(super) out_words: &'static [&'static str],
    /// Moment of the balance.
    pub(super) balance: BalanceMoment,
    /// Notation of the text.
    pub(super) text: TextNotation,
}

const DEFAULT: Layout = Layout {
    dialect: Dialect::Generic,
    name: "csv",
    columns: &[],
    dates: &["DD-MM-YYYY"],
    decimal: DecimalSeparator::Comma,
    out_words: &[],
    balance: BalanceMoment::After,
    text: TextNotation::Plain,
};

/// Layouts with a head.
pub(super) const WITH_HEAD: &[Layout] = &[
    Layout {
        dialect: Dialect::Ing,
        name: "csv/ing",
        columns: &[
            ("datum", Role::Date),
            ("naam / omschrijving", Role::Name),
            ("rekening", Role::Account),
            ("tegenrekening", Role::Iban),
            ("code", Role::Code),
            ("af bij", Role::Sign),
            ("bedrag (", Role::Amount),
            ("?mutatiesoort", Role::Type),
            ("mededelingen", Role::Text),
            ("?saldo na mutatie", Role::Balance),
        ],
        dates: &["YYYYMMDD", "YYYY-MM-DD", "DD-MM-YYYY"],
        out_words: &["af"],
        text: TextNotation::Words,
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Ing,
        name: "csv/ing-en",
        columns: &[
            ("date", Role::Date),
            ("name / description", Role::Name),
            ("account", Role::Account),
            ("counterparty", Role::Iban),
            ("code", Role::Code),
            ("debit/credit", Role::Sign),
            ("amount (", Role::Amount),
            ("?transaction type", Role::Type),
            ("notifications", Role::Text),
            ("?resulting balance", Role::Balance),
        ],
        dates: &["YYYYMMDD", "YYYY-MM-DD", "DD-MM-YYYY"],
        out_words: &["debit"],
        text: TextNotation::Words,
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Ing,
        name: "csv/ing-savings",
        columns: &[
            ("datum", Role::Date),
            ("omschrijving", Role::Text),
            ("rekening", Role::Account),
            ("tegenrekening", Role::Iban),
            ("af bij", Role::Sign),
            ("bedrag", Role::Amount),
            ("valuta", Role::Currency),
            ("mutatiesoort", Role::Type),
            ("mededelingen", Role::Text),
            ("?saldo na mutatie", Role::Balance),
        ],
        dates: &["YYYY-MM-DD", "YYYYMMDD", "DD-MM-YYYY"],
        out_words: &["af"],
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Ing,
        name: "csv/ing-savings-en",
        columns: &[
            ("date", Role::Date),
            ("description", Role::Text),
            ("account", Role::Account),
            ("counterparty", Role::Iban),
            ("debit/credit", Role::Sign),
            ("amount", Role::Amount),
            ("currency", Role::Currency),
            ("transaction type", Role::Type),
            ("notifications", Role::Text),
            ("?resulting balance", Role::Balance),
        ],
        dates: &["YYYY-MM-DD", "YYYYMMDD", "DD-MM-YYYY"],
        out_words: &["debit"],
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Rabobank,
        name: "csv/rabobank",
        columns: &[
            ("iban/bban", Role::Account),
            ("munt", Role::Currency),
            ("volgnr", Role::Reference),
            ("datum", Role::Date),
            ("rentedatum", Role::ValueDate),
            ("bedrag", Role::Amount),
            ("saldo na trn", Role::Balance),
            ("tegenrekening iban/bban", Role::Iban),
            ("naam tegenpartij", Role::Name),
            ("?code", Role::Code),
            ("?transactiereferentie", Role::EndToEnd),
            ("?machtigingskenmerk", Role::Mandate),
            ("?incassant id", Role::Creditor),
            ("?betalingskenmerk", Role::PaymentReference),
            ("omschrijving-1", Role::Text),
            ("?omschrijving-2", Role::Text),
            ("?omschrijving-3", Role::Text),
            ("?reden retour", Role::ReturnReason),
            ("?oorspr bedrag", Role::OriginalAmount),
            ("?oorspr munt", Role::OriginalCurrency),
            ("?koers", Role::Rate),
        ],
        dates: &["YYYY-MM-DD", "YYYYMMDD", "DD-MM-YYYY"],
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Knab,
        name: "csv/knab",
        columns: &[
            ("rekeningnummer", Role::Account),
            ("transactiedatum", Role::Date),
            ("valutacode", Role::Currency),
            ("creditdebet", Role::Sign),
            ("bedrag", Role::Amount),
            ("tegenrekeningnummer", Role::Iban),
            ("tegenrekeninghouder", Role::Name),
            ("?valutadatum", Role::ValueDate),
            ("?betaalwijze", Role::Type),
            ("omschrijving", Role::Text),
            ("?machtigingsnummer", Role::Mandate),
            ("?incassant id", Role::Creditor),
            ("?referentie", Role::Reference),
            ("?boekdatum", Role::LaterDate),
        ],
        dates: &["DD-MM-YYYY", "YYYY-MM-DD"],
        out_words: &["d", "debet"],
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Bunq,
        name: "csv/bunq",
        columns: &[
            ("datum", Role::Date),
            ("rentedatum", Role::ValueDate),
            ("bedrag", Role::Amount),
            ("rekening", Role::Account),
            ("tegenrekening", Role::Iban),
            ("naam", Role::Name),
            ("omschrijving", Role::Text),
        ],
        dates: &["YYYY-MM-DD", "DD/MM/YYYY", "DD-MM-YYYY"],
        decimal: DecimalSeparator::Either,
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Bunq,
        name: "csv/bunq",
        columns: &[
            ("date", Role::Date),
            ("interest date", Role::ValueDate),
            ("amount", Role::Amount),
            ("account", Role::Account),
            ("counterparty", Role::Iban),
            ("name", Role::Name),
            ("description", Role::Text),
        ],
        dates: &["YYYY-MM-DD", "DD/MM/YYYY", "DD-MM-YYYY"],
        decimal: DecimalSeparator::Either,
        ..DEFAULT
    },
    Layout {
        dialect: Dialect::Revolut,
        name: "csv/revolut",
        columns: &[
            ("date completed (utc)", Role::Date),
            ("?time completed (utc)", Role::Time),
            ("id", Role::Reference),
            ("?type", Role::Type),
            ("state", Role::State),
            ("description", Role::Name),
            ("reference", Role::Text),
            ("?orig currency", Role::OriginalCurrency),
            ("?orig amount", Role::OriginalAmount),
            ("payment currency", Role::Currency),
            ("amount", Role::Amount),
            ("?total amount", Role::Total),
            ("?exchange rate", Role::Rate),
            ("balance", Role::Balance),
            ("?account", Role::Account),
            ("?beneficiary iban", Role::Iban),
        ],
        dates: &["YYYY-MM-DD"],
        decimal: DecimalSeparator::Point,
        ..DEFAULT
    },
];

/// Layout of ABN AMRO, eight fields separated by tabs.
pub(super) const ABN_AMRO: Layout = Layout {
    dialect: Dialect::AbnAmro,
    name: "csv/abn-amro",
    columns: &[
        ("0", Role::Account),
        ("1", Role::Currency),
        ("2", Role::Date),
        ("4", Role::Balance),
        ("5", Role::ValueDate),
        ("6", Role::Amount),
        ("7", Role::Text),
    ],
    dates: &["YYYYMMDD"],
    text: TextNotation::AbnAmro,
    ..DEFAULT
};

/// Layout of ASN, SNS and RegioBank, 18 or 19 fields.
pub(super) const ASN: Layout = Layout {
    dialect: Dialect::AsnSnsRegio,
    name: "csv/asn-sns-regio",
    columns: &[
        ("0", Role::Date),
        ("1", Role::Account),
        ("2", Role::Iban),
        ("3", Role::Name),
        ("7", Role::Currency),
        ("8", Role::Balance),
        ("10", Role::Amount),
        ("12", Role::ValueDate),
        ("14", Role::Code),
        ("15", Role::Reference),
        ("16", Role::PaymentReference),
        ("17", Role::Text),
    ],
    decimal: DecimalSeparator::Either,
    balance: BalanceMoment::Before,
    ..DEFAULT
};

/// Layout of Triodos, eight or nine fields.
pub(super) const TRIODOS: Layout = Layout {
    dialect: Dialect::Triodos,
    name: "csv/triodos",
    columns: &[
        ("0", Role::Date),
        ("1", Role::Account),
        ("2", Role::Amount),
        ("3", Role::Sign),
        ("4", Role::Name),
        ("5", Role::Iban),
        ("6", Role::Code),
        ("7", Role::Text),
        ("8", Role::Balance),
    ],
    out_words: &["debet", "debit"],
    ..DEFAULT
};

impl Layout {
    /// Returns the places of the columns in a head; `None` if one that must be present is absent.
    pub(super) fn places_in(&self, head: &[impl AsRef<str>]) -> Option<Places> {
        let head: Vec<String> = head.iter().map(|name| normalized(name.as_ref())).collect();
        let mut places = Places::default();
        for (name, role) in self.columns {
            let wanted = name.trim_start_matches('?');
            let index = head.iter().position(|name| {
                if wanted.ends_with('(') { name.starts_with(wanted) } else { name == wanted }
            });
            match index.and_then(|index| u16::try_from(index).ok()) {
                Some(index) => places.set(*role, index),
                None if name.starts_with('?') => {}
                None => return None,
            }
        }
        Some(places)
    }

    /// Returns the places of the columns of a layout without a head.
    pub(super) fn places(&self) -> Places {
        let mut places = Places::default();
        for (index, role) in self.columns {
            places.set(*role, index.parse().expect("layouts without head number their columns"));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_without_head_number_their_columns() {
        for layout in [ABN_AMRO, ASN, TRIODOS] {
            assert!(layout.places().get(Role::Amount).is_some());
        }
    }

    #[test]
    fn order_and_case_of_names_make_no_difference() {
        let head = [
            "OMSCHRIJVING",
            "Naam",
            "\"Datum\"",
            "rentedatum ",
            "Tegenrekening",
            "Rekening",
            "Bedrag",
            "x",
        ];
        let matching: Vec<_> = WITH_HEAD
            .iter()
            .filter(|layout| layout.places_in(&head).is_some())
            .map(|layout| layout.name)
            .collect();
        assert_eq!(matching, ["csv/bunq"]);
    }
}
