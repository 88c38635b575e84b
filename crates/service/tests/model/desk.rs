//! Books of one owner, with a clock that the models of quotes and recurring invoices set.

use crate::compare::ask;
use fastrand::Rng;
use jiff::{
    civil::{Date, date},
    tz::TimeZone,
};
use ledger::{
    country::CountryCode, decimal::Decimal, discount::Discount, invoice::Prices, vat::VatRate,
};
use service::{
    Context, Environment, Error,
    accounts::{self, OpenAccount},
    contacts::CustomerInput,
    invoices::{LineInput, TaxPlace},
    ledger_cards, verify,
};
use std::collections::BTreeMap;
use store::{Store, Tx, accounts::Plan, contacts::PartialParty, invoices::Invoice};
use testing::{Database, Engine};

const EMAIL: &str = "anna@example.com";

pub(crate) struct Desk {
    _database: Database,
    store: Store,
    owner: Context,
    pub(crate) rng: Rng,
    pub(crate) today: Date,
}

/// Contents of a document: lines of one unit with a price in cents and a rate in hundredths of a
/// per cent, highest rate first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub(crate) lines: &'static [(i64, i64)],
    pub(crate) prices: Prices,
}

/// Contents of which several round their VAT.
pub(crate) const CONTENTS: [Content; 5] = [
    Content { lines: &[(100_000, 2_100)], prices: Prices::Net },
    Content { lines: &[(33_335, 2_100), (12_345, 2_100), (4_999, 900)], prices: Prices::Net },
    Content { lines: &[(12_101, 2_100), (7_777, 900)], prices: Prices::Gross },
    Content { lines: &[(50_003, 900)], prices: Prices::Net },
    Content { lines: &[(60_001, 2_100)], prices: Prices::Gross },
];

/// Base and VAT in cents by rate.
pub(crate) type Groups = BTreeMap<i64, (i64, i64)>;

/// Quotient rounded to the nearest integer, half away from zero.
pub(crate) fn rounded(numerator: i64, denominator: i64) -> i64 {
    let half = denominator / 2;
    if numerator < 0 { (numerator - half) / denominator } else { (numerator + half) / denominator }
}

/// VAT groups of sums by rate, which include VAT if prices are gross.
pub(crate) fn groups(sums: &BTreeMap<i64, i64>, prices: Prices) -> Groups {
    let group = |(rate, sum): (&i64, &i64)| {
        let group = match prices {
            Prices::Net => (*sum, rounded(sum * rate, 10_000)),
            Prices::Gross => {
                let vat = rounded(sum * rate, 10_000 + rate);
                (sum - vat, vat)
            }
        };
        (*rate, group)
    };
    sums.iter().map(group).collect()
}

pub(crate) fn total(groups: &Groups) -> i64 {
    groups.values().map(|(base, vat)| base + vat).sum()
}

impl Content {
    pub(crate) fn sums(self) -> BTreeMap<i64, i64> {
        let mut sums = BTreeMap::new();
        for (price, rate) in self.lines {
            *sums.entry(*rate).or_default() += price;
        }
        sums
    }

    pub(crate) fn groups(self) -> Groups {
        groups(&self.sums(), self.prices)
    }

    pub(crate) fn inputs(self) -> Vec<LineInput> {
        let line = |(price, rate): &(i64, i64)| LineInput {
            description: "work".into(),
            quantity: Decimal::ONE,
            unit_price: Decimal::new(*price, 2),
            vat_rate: VatRate::from_basis_points(u16::try_from(*rate).unwrap()),
            vat_category: None,
            exemption: None,
            supply: None,
            place: TaxPlace::default(),
            account: None,
            unit: None,
            discount: Discount::None,
            credits: None,
            article: None,
        };
        self.lines.iter().map(line).collect()
    }
}

/// One of two customers, of whom one has an email address.
pub(crate) fn customer(has_email: bool) -> CustomerInput {
    let name = if has_email { "Museum De Pier" } else { "Bakker" };
    let party = PartialParty {
        external_id: Some(Some(name.to_owned())),
        name: Some(name.to_owned()),
        email: has_email.then(|| Some("customer@example.com".to_owned())),
        ..PartialParty::default()
    };
    CustomerInput { contact_id: None, party }
}

impl Desk {
    pub(crate) fn open(engine: Engine, seed: u64) -> Self {
        let database = Database::begun(engine);
        let store = database.open();
        let today = date(2026, 1, 5);
        let env = Environment::at(noon(today));
        let owner = store
            .write_blocking(move |tx| {
                let command = OpenAccount {
                    email: EMAIL.to_owned(),
                    name: "Anna".to_owned(),
                    country: CountryCode::NL,
                    plan: Plan::Pro,
                    password: None,
                };
                accounts::open(tx, &env, &command)?;
                Ok::<_, Error>(Context::of_owner(&accounts::by_email(tx, EMAIL)?, env.clone()))
            })
            .unwrap();
        Self { _database: database, store, owner, rng: Rng::with_seed(seed), today }
    }

    /// Runs a command at noon, and returns the short name of its error.
    pub(crate) fn write<T: Send + 'static>(
        &self,
        command: impl Fn(&mut Tx<'_>, &Context) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, String> {
        let cx = self.owner.at(noon(self.today));
        self.store.write_blocking(move |tx| command(tx, &cx)).map_err(|error| match &error {
            Error::Invalid(_) => super::name(&error),
            other => other.to_string(),
        })
    }

    /// Runs a query at noon.
    pub(crate) fn read<T: Send + 'static>(
        &self,
        query: impl Fn(&mut Tx<'_>, &Context) -> Result<T, Error> + Send + 'static,
    ) -> T {
        let cx = self.owner.at(noon(self.today));
        ask(&self.store, move |tx| query(tx, &cx))
    }

    /// Invoices and credit notes, oldest first.
    pub(crate) fn invoices(&self) -> Vec<Invoice> {
        let mut rows = self.read(|tx, cx| {
            let filter = store::invoices::InvoiceFilter::default();
            Ok(store::invoices::list(tx, cx.actor.account, &filter, i64::MAX, 100_000)?)
        });
        rows.reverse();
        rows
    }

    /// Sums of the journal of all years up to a last one, debit less credit, by ledger account.
    /// Revenue counts for all years.
    pub(crate) fn balances(&self, last_year: i16) -> BTreeMap<u16, i64> {
        let mut balances: BTreeMap<u16, i64> = BTreeMap::new();
        for year in 2026..=last_year {
            let accounts = self.read(move |tx, cx| ledger_cards::trial_balance(tx, cx, year));
            for of in accounts {
                *balances.entry(of.code.get()).or_default() += (of.debit - of.credit).get();
            }
        }
        balances
    }

    /// Asserts that the verification of the books finds nothing.
    pub(crate) fn verify(&self) {
        let verified = self.read(|tx, cx| verify::verify_books(tx, cx, &|_| {}));
        assert_eq!(verified.discrepancies, Vec::<String>::new());
    }

    pub(crate) fn choose<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.rng.usize(0..all.len())]
    }
}

fn noon(day: Date) -> jiff::Timestamp {
    day.at(11, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp()
}
