//! Expenses, payments of bills, and business assets.

use super::{date, euros, money, number, rate, sales::prices};
use crate::{
    books::{self, Asset, Bill, Books, SOURCE},
    reader::{Document, Fields, Read},
    table::Table,
};
use ledger::{
    asset::{self, AssetAccounts},
    booking::{self, Disposal, MoneyAccount, Purchase},
    description::{Description, DescriptionKind},
    invoice::Prices,
    money::Cents,
    purchase::{self, BusinessShare, Deduction, PricedPurchase, PurchaseLine, VatTreatment},
    vat::VatRate,
    vat_revision::{AssetVat, Share},
};

fn line(row: &mut Fields, prices: Prices) -> Read<PurchaseLine> {
    let vat = row.optional("VAT", rate)?;
    let usual = if vat.is_some() { VatTreatment::Normal } else { VatTreatment::None };
    Ok(PurchaseLine {
        category: row.required("account", books::account)?,
        amount: row.required("amount", euros)?,
        treatment: row.optional("treatment", VatTreatment::parse)?.unwrap_or(usual),
        rate: vat.unwrap_or(VatRate::ZERO),
        includes_vat: prices == Prices::Gross,
        printed_vat: row.optional("printed VAT", euros)?,
    })
}

fn show_amounts(books: &mut Books, what: &str, priced: &PricedPurchase) {
    let mut table = Table::new(&[what, "excl. VAT", "VAT", "deductible", "charged"]);
    for (line, of) in &priced.lines {
        let amounts = [of.net, of.vat, of.deductible, of.charged].map(|amount| amount.to_string());
        table.row([books::name_of(line.category)].into_iter().chain(amounts));
    }
    let amounts =
        [priced.net, priced.vat, priced.deductible, priced.total].map(|amount| amount.to_string());
    table.row(["Total".to_owned()].into_iter().chain(amounts));
    books.show(&table);
}

/// Books an expense. With a `number` it is a bill that is paid later.
pub(super) fn expense(books: &mut Books, document: &mut Document) -> Read<()> {
    let bill = document.fields.text("number");
    let prices = document.fields.optional("prices", prices)?.unwrap_or(Prices::Net);
    let share = |text: &str| BusinessShare::from_percent(&number(text.trim_end_matches('%'))?);
    let share = document.fields.optional("business share", share)?.unwrap_or(BusinessShare::WHOLE);
    let paid_from = match bill {
        Some(_) => None,
        None => Some(money(document, "paid from")?),
    };
    let lines: Vec<PurchaseLine> =
        document.rows.iter_mut().map(|row| line(row, prices)).collect::<Read<_>>()?;
    let deduction =
        if books.defaults.is_small_business { Deduction::Never } else { Deduction::Usual };
    let priced = purchase::price(&lines, share, deduction)
        .map_err(|error| document.fields.fault(&error.to_string()))?;
    let what = bill.as_ref().map_or("expense".to_owned(), |number| format!("bill {number}"));
    show_amounts(books, &what, &priced);
    let on = document.on;
    let purchase = Purchase {
        party: None,
        description: None,
        priced: priced.clone(),
        paid_from,
        receipts: Vec::new(),
    };
    books.append(&what, booking::expense(SOURCE, on, &purchase));
    if let Some(number) = bill {
        books.bills.push(Bill { number, on, due: priced.total, priced, repaid: Vec::new() });
    }
    Ok(())
}

fn bill_of<'b>(books: &'b mut Books, document: &mut Document) -> Read<&'b mut Bill> {
    let number = document.fields.required("bill", |text| Some(text.to_owned()))?;
    let bill = books.bills.iter_mut().find(|bill| bill.number == number);
    bill.ok_or_else(|| document.fields.fault(&format!("no bill `{number}`")))
}

/// Books the payment of the full amount due on a bill.
pub(super) fn payment(books: &mut Books, document: &mut Document) -> Read<()> {
    let from = money(document, "paid from")?;
    let on = document.on;
    let bill = bill_of(books, document)?;
    let about = Description::of(DescriptionKind::ExpensePayment);
    let entry = booking::expense_payment(SOURCE, about, on, bill.due, from, &bill.repaid);
    (bill.due, bill.repaid) = (Cents::ZERO, Vec::new());
    let what = format!("payment of bill {}", bill.number);
    books.append(&what, entry);
    Ok(())
}

/// Books the repayment of the VAT deducted on a bill that is entirely unpaid.
pub(super) fn vat_repayment(books: &mut Books, document: &mut Document) -> Read<()> {
    let on = document.on;
    let bill = bill_of(books, document)?;
    if bill.due != bill.priced.total {
        return Err(document.fields.fault("the bill is partly paid"));
    }
    bill.repaid = bill.priced.repayable(bill.on);
    let entry = booking::vat_repayment(
        SOURCE,
        Description::of(DescriptionKind::VatRepayment),
        on,
        &bill.repaid,
    );
    let what = format!("VAT repayment on bill {}", bill.number);
    books.append(&what, entry);
    Ok(())
}

/// Registers an asset that was bought on the document's date. The purchase itself is a separate
/// expense or entry.
pub(super) fn asset(books: &mut Books, document: &mut Document) -> Read<()> {
    let asset = Asset {
        name: document.fields.required("name", |text| Some(text.to_owned()))?,
        account: document.fields.required("account", books::account)?,
        bought: document.on,
        cost: document.fields.required("cost", euros)?,
        residual: document.fields.optional("residual value", euros)?.unwrap_or_default(),
        years: document.fields.required("years", |text| text.parse().ok())?,
        depreciated: Cents::ZERO,
    };
    books.assets.push(asset);
    Ok(())
}

fn asset_of<'b>(books: &'b mut Books, document: &mut Document) -> Read<&'b mut Asset> {
    let name = document.fields.required("asset", |text| Some(text.to_owned()))?;
    let asset = books.assets.iter_mut().find(|asset| asset.name == name);
    asset.ok_or_else(|| document.fields.fault(&format!("no asset `{name}`")))
}

/// Books the depreciation of an asset up to the document's date, less what was booked before.
pub(super) fn depreciation(books: &mut Books, document: &mut Document) -> Read<()> {
    let on = document.on;
    let asset = asset_of(books, document)?;
    let until = asset::depreciated(asset.cost, asset.residual, asset.years, asset.bought, on);
    let entry = booking::asset_depreciation(
        SOURCE,
        &asset.name,
        on,
        AssetAccounts::of(asset.account),
        until - asset.depreciated,
    );
    asset.depreciated = until;
    let what = format!("depreciation of {}", asset.name);
    books.append(&what, entry);
    Ok(())
}

pub(super) fn disposal(books: &mut Books, document: &mut Document) -> Read<()> {
    let on = document.on;
    let proceeds = document.fields.required("proceeds", euros)?;
    let rate = document.fields.required("VAT", rate)?;
    let into = document.fields.optional("into", MoneyAccount::parse)?.unwrap_or(MoneyAccount::Bank);
    let asset = asset_of(books, document)?;
    let of = Disposal {
        accounts: AssetAccounts::of(asset.account),
        cost: asset.cost,
        depreciated: asset.depreciated,
        proceeds,
        rate,
        into,
    };
    let what = format!("disposal of {}", asset.name);
    books.append(&what, booking::disposal(SOURCE, "asset", on, &of));
    Ok(())
}

/// Books the VAT adjustment on an asset for one year. `sales` is `exempt` or `taxed`: the kind of
/// sales for which the asset is now used.
pub(super) fn vat_revision(books: &mut Books, document: &mut Document) -> Read<()> {
    let vat = document.fields.required("VAT", euros)?;
    let bought = document.fields.required("bought", date)?;
    let sales = |text: &str| ["exempt", "taxed"].iter().position(|word| *word == text);
    let is_taxed = document.fields.required("sales", sales)? == 1;
    let (deducted, share) =
        if is_taxed { (Cents::ZERO, Share::WHOLE) } else { (vat, Share::NOTHING) };
    let years = document.on.year() - bought.year();
    let vat = AssetVat { vat, deducted }.of_year(years, share);
    let entry = booking::vat_revision(SOURCE, "asset", document.on, &[vat]);
    books.append("VAT revision", entry);
    Ok(())
}
