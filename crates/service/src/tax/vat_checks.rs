//! Checks before a VAT return is filed, and the EC sales list ("opgaaf ICP") that accompanies it.
//! They are advisory: none prevents filing.

use super::{corrections, vat_filings::VatReturnDetails};
use crate::{
    Context, Error,
    duties::{self, YearOld},
};
pub use documents::icp;

use documents::icp::{Declaration, Item};
use ledger::{
    chart::codes,
    identifiers::VatNumber,
    money::Cents,
    vat::{Supply, VatBox},
    vat_period::VatPeriod,
};
use store::{
    Tx,
    checks::{self as rows, DueDraft, EuSupply},
    filings, journal, receipts,
};

/// Maximum number of drafts listed.
const NAMED: i64 = 20;

/// Results of the checks.
#[derive(Debug, Clone)]
pub struct Checks {
    /// First drafts on the return, at most [`NAMED`].
    pub drafts: Vec<DueDraft>,
    /// Number of receipts without an expense, from any period. Zero if the return has been filed:
    /// they can no longer be added to it.
    pub waiting_receipts: i64,
    /// Boxes with a negative amount.
    pub negative: Vec<&'static str>,
    /// EC sales list, compared with box 3b.
    pub icp: Declaration,
    /// Part of box 3b without a document that could show the customer's VAT number.
    pub without_document: Cents,
    /// Latest earlier period with entries whose return is still open.
    pub open_before: Option<VatPeriod>,
    /// Whether this is the last return of a year and has no amount for private use (box 1d).
    pub private_use_missing: bool,
    /// Invoices and bills that became a year old in this or an earlier period: their VAT belongs on
    /// this return. Empty if the return has been filed.
    pub year_old: YearOld,
    /// Corrections of this return: entry id, and change in the VAT due (negative if less is due).
    pub corrections: Vec<(i64, Cents)>,
}

impl Checks {
    /// Number of checks that need attention.
    #[must_use]
    pub fn open(&self) -> usize {
        usize::from(!self.drafts.is_empty())
            + usize::from(self.waiting_receipts > 0)
            + usize::from(!self.negative.is_empty())
            + usize::from(!self.icp.difference.is_zero())
            + usize::from(self.open_before.is_some())
            + usize::from(!self.year_old.debtors.is_empty())
            + usize::from(!self.year_old.bills.is_empty())
    }
}

/// Runs the checks for the return of a period.
///
/// # Errors
/// The storage failed.
pub fn read(tx: &mut Tx<'_>, cx: &Context, details: &VatReturnDetails) -> Result<Checks, Error> {
    let (account, period) = (cx.actor.account, details.period);
    let lines = &details.vat_return.lines;
    let below_nothing = |amount: Option<Cents>| amount.is_some_and(Cents::is_negative);
    let negative = lines.iter().filter(|line| {
        line.vat_box != "5g" && (below_nothing(line.turnover) || below_nothing(line.vat))
    });
    let supplies = eu_supplies(tx, account, period)?;
    let without_document = supplies
        .iter()
        .filter(|supply| supply.document.is_none())
        .map(|supply| supply.amount)
        .sum();
    let mut corrected = Vec::new();
    for (id, entry) in corrections::of_period(tx, account, period)? {
        corrected
            .push((id, ledger::correction::split(&entry, period, period.next().first_day()).vat()));
    }
    Ok(Checks {
        drafts: rows::due_drafts(tx, account, period, NAMED)?,
        waiting_receipts: if details.filed().is_some() {
            0
        } else {
            receipts::count_waiting(tx, account)?
        },
        negative: negative.map(|line| line.vat_box).collect(),
        icp: icp::declare(&items(tx, account, &supplies)?, box_3b(details)),
        without_document,
        open_before: open_before(tx, cx, period)?,
        year_old: year_old(tx, cx, details)?,
        private_use_missing: period.last_month().number() == 12
            && turnover(details, VatBox::B1d).is_zero(),
        corrections: corrected,
    })
}

fn year_old(tx: &mut Tx<'_>, cx: &Context, details: &VatReturnDetails) -> Result<YearOld, Error> {
    if details.filed().is_some() || details.period.first_day() > cx.today() {
        return Ok(YearOld::default());
    }
    duties::year_old(tx, cx, details.period.last_day().min(cx.today()))
}

/// Returns the EC sales list of a period, compared with box 3b of its return.
///
/// # Errors
/// The storage failed.
pub fn ec_sales_list(
    tx: &mut Tx<'_>,
    cx: &Context,
    details: &VatReturnDetails,
) -> Result<Declaration, Error> {
    let supplies = eu_supplies(tx, cx.actor.account, details.period)?;
    Ok(icp::declare(&items(tx, cx.actor.account, &supplies)?, box_3b(details)))
}

/// Supplies in box 3b. The entries are read only if the box has any postings.
fn eu_supplies(tx: &mut Tx<'_>, account: i64, period: VatPeriod) -> Result<Vec<EuSupply>, Error> {
    let posted = journal::vat_totals_of(tx, account, period)?
        .iter()
        .any(|total| total.vat_box == VatBox::B3b);
    Ok(if posted { rows::eu_supplies(tx, account, period)? } else { Vec::new() })
}

fn turnover(details: &VatReturnDetails, vat_box: VatBox) -> Cents {
    let line = details.vat_return.lines.iter().find(|line| line.vat_box == vat_box.as_str());
    line.and_then(|line| line.turnover).unwrap_or_default()
}

fn box_3b(details: &VatReturnDetails) -> Cents {
    turnover(details, VatBox::B3b)
}

/// Latest earlier period with entries whose return is still open.
fn open_before(
    tx: &mut Tx<'_>,
    cx: &Context,
    period: VatPeriod,
) -> Result<Option<VatPeriod>, Error> {
    let account = cx.actor.account;
    let months = filings::months(tx, account)?.into_iter().rev().map(|month| month.first_day());
    for day in months.filter(|day| *day < period.first_day()) {
        if filings::filed_on(tx, account, day)?.is_none() {
            return Ok(Some(cx.actor.vat_units.period_of(day)));
        }
    }
    Ok(None)
}

/// Items of the EC sales list for the supplies in box 3b, one per document and kind of supply.
fn items(tx: &mut Tx<'_>, account: i64, supplies: &[EuSupply]) -> Result<Vec<Item>, Error> {
    let mut items = Vec::new();
    for supply in supplies {
        let Some(document) = &supply.document else {
            items.push(item(String::new(), None, icp::Supply::Services, supply.amount));
            continue;
        };
        let vat_number =
            document.vat_number.as_deref().and_then(|number| VatNumber::parse(number).ok());
        for (kind, amount) in by_supply(supply, &rows::eu_lines(tx, account, document.id)?) {
            items.push(item(document.number.clone(), vat_number.clone(), kind, amount));
        }
    }
    Ok(items)
}

fn item(
    document: String,
    vat_number: Option<VatNumber>,
    supply: icp::Supply,
    amount: Cents,
) -> Item {
    Item { document, vat_number, supply, amount }
}

/// Splits an amount by the kind of supply of the document's lines. Services have an account of
/// their own; goods and triangular transactions share one.
fn by_supply(supply: &EuSupply, lines: &[(Supply, Cents)]) -> Vec<(icp::Supply, Cents)> {
    if supply.account == codes::REVENUE_EU {
        return vec![(icp::Supply::Services, supply.amount)];
    }
    let of = |supply: Supply| {
        lines.iter().filter(|(kind, _)| *kind == supply).map(|(_, amount)| *amount).sum::<Cents>()
    };
    let (services, triangular) = (of(Supply::Services), of(Supply::Triangular));
    let has_goods = lines.iter().any(|(kind, _)| *kind == Supply::Goods);
    if supply.account != codes::REVENUE_EU_GOODS
        && !has_goods
        && triangular.is_zero()
        && !services.is_zero()
    {
        return vec![(icp::Supply::Services, supply.amount)];
    }
    let triangular = if has_goods { triangular } else { supply.amount };
    let of_lines = !of(Supply::Triangular).is_zero();
    let parts =
        [(icp::Supply::Goods, supply.amount - triangular), (icp::Supply::Triangular, triangular)];
    let parts = parts.into_iter().filter(|(_, amount)| !amount.is_zero());
    if of_lines { parts.collect() } else { vec![(icp::Supply::Goods, supply.amount)] }
}
