//! Comparison of the whole store with the whole model.

use crate::{
    audit_file,
    books::{Account, Counts, Money, code, last, netted},
    cash::same_methods,
    commands::{Made, Model},
    compare::{
        answer, ask, context, money, same_asset, same_invoice, same_project, same_vat_return,
    },
    oss::same_scheme,
    perform::Answer,
};
use jiff::{Timestamp, civil::date};
use ledger::{
    hours::{Hours, HoursCriterion},
    language::Language,
    summary::{AmountOf, AnnualSummary},
    vat_period::VatPeriod,
};
use service::{
    Context, access, accounts, actor::Credential, assets, entries, invoices, projects, summary,
    vat_filings, vat_payments, verify, years,
};
use std::collections::BTreeMap;
use store::{
    Store, SyncFilter, contacts,
    journal::{EntryFilter, Period},
    keys, payments, time,
};

/// Compares all data.
pub(crate) fn compare(store: &Store, model: &Model, now: Timestamp) {
    let all = ask(store, accounts::list);
    let reported: Vec<_> =
        all.iter().map(|of| (of.id, of.owner.email.clone(), of.country, of.plan)).collect();
    let own: Vec<_> =
        model.accounts.iter().map(|of| (of.id, of.email.clone(), of.country, of.plan)).collect();
    assert_eq!(reported, own);
    for account in &model.accounts {
        let cx = context(account);
        documents(store, account, &cx);
        journal(store, account, &cx);
        same_scheme(store, account, now);
        for year in 2024..=2027 {
            year_of(store, account, &cx, year);
            audit_file::agrees(store, &cx, year);
        }
        for period in account.periods(date(2024, 1, 1), date(2027, 12, 31)) {
            let its = cx.clone();
            same_vat_return(&ask(store, move |tx| vat_filings::read(tx, &its, period)), account);
        }
        let verification = ask(store, move |tx| verify::verify_books(tx, &cx, &|_| {}));
        assert_eq!(verification.discrepancies, Vec::<String>::new());
        assert_eq!(
            (verification.entries, verification.invoices),
            (last(&account.journal), last(&account.invoices))
        );
    }
}

// Long: compares every document.
fn documents(store: &Store, account: &Account, cx: &Context) {
    let (its, many) = (cx.clone(), last(&account.invoices));
    let views = ask(store, move |tx| {
        (1..=many).map(|id| invoices::read(tx, &its, id)).collect::<Result<Vec<_>, _>>()
    });
    for (id, (view, own)) in (1..).zip(views.iter().zip(&account.invoices)) {
        same_invoice(view, account, id);
        let paid = account
            .payments
            .iter()
            .filter(|payment| payment.command.invoice_id == id && payment.undone.is_none());
        assert_eq!(
            paid.map(|payment| money(payment.command.amount.unwrap())).sum::<Money>(),
            own.paid,
            "the model's own sums"
        );
    }
    let (id, many) = (account.id, last(&account.contacts));
    let reported = ask(store, move |tx| {
        Ok((1..=many).map(|of| contacts::by_id(tx, id, of)).collect::<Result<Vec<_>, _>>()?)
    });
    let reported: Vec<_> = reported.into_iter().map(|contact| contact.unwrap().party).collect();
    assert_eq!(reported, account.contacts);
    let its = cx.clone();
    let reported = ask(store, move |tx| {
        projects::list(tx, &its, &store::projects::ProjectFilter::default(), 0, i64::MAX)
    });
    assert_eq!(reported.len(), account.projects.len());
    reported.iter().for_each(|project| same_project(project, account));
    by_external_id(store, account);
    let its = cx.clone();
    let reported =
        ask(store, move |tx| assets::list(tx, &its, &store::SyncFilter::default(), 0, i64::MAX))
            .rows;
    assert_eq!(reported.len(), account.assets.len());
    reported.iter().for_each(|details| same_asset(details, account));
    let its = cx.clone();
    let reported =
        ask(store, move |tx| vat_payments::list(tx, &its, &SyncFilter::default(), 0, i64::MAX))
            .rows;
    let reported: Vec<_> = reported
        .iter()
        .map(|paid| (paid.id, money(paid.amount), paid.undone_at.is_some()))
        .collect();
    let own =
        account.vat_payments.iter().map(|paid| (paid.id, money(paid.command.amount), paid.undone));
    assert_eq!(reported, own.collect::<Vec<_>>());
    same_methods(store, account);
    for year in 2024..=2026 {
        let its = cx.clone();
        let closed = ask(store, move |tx| years::read(tx, &its, year)).is_closed;
        assert_eq!(closed, account.closed.is_some_and(|last| year <= last), "{year}");
    }
    let its = cx.clone();
    let reported = ask(store, move |tx| access::list_keys(tx, &its));
    assert_eq!(reported.len(), account.keys.len());
    for (reported, own) in reported.iter().zip(&account.keys) {
        assert_eq!(
            (&reported.name, reported.scopes, reported.revoked_at.is_some()),
            (&own.name, own.scopes, own.revoked)
        );
        let hash = own.hash;
        let holder = ask(store, move |tx| access::authenticate(tx, &hash));
        let holder =
            holder.map(|holder| (holder.account, holder.credential, holder.scopes, holder.plan));
        assert_eq!(
            holder,
            (!own.revoked).then_some((
                account.id,
                Credential::Key(reported.id),
                own.scopes,
                account.plan
            ))
        );
    }
}

/// Compares the resources that can only be found by their external id.
fn by_external_id(store: &Store, account: &Account) {
    let id = account.id;
    for (place, own) in (1..).zip(&account.expenses) {
        let Some(external_id) = own.command.external_id.clone() else { continue };
        let its = context(account);
        let reported = ask(store, move |tx| {
            service::expenses::find_by_external_id(tx, &its, Some(&external_id))
        })
        .unwrap();
        assert_eq!(reported.expense.id, place);
        answer(&Answer::Expense(Box::new(reported)), Made::Existing(place), account);
    }
    for (place, own) in (1..).zip(&account.payments) {
        let Some(external_id) = own.command.external_id.clone() else { continue };
        let reported =
            ask(store, move |tx| Ok(payments::by_external_id(tx, id, &external_id)?)).unwrap();
        assert_eq!(reported.id, place);
        answer(&Answer::Payment(reported), Made::Existing(place), account);
    }
    for (place, own) in (1..).zip(&account.time) {
        let Some(external_id) = own.external_id.clone() else { continue };
        let reported =
            ask(store, move |tx| Ok(time::entry_by_external_id(tx, id, &external_id)?)).unwrap();
        let reported =
            (reported.id, reported.project_id, reported.date, reported.hours, reported.description);
        assert_eq!(reported, (place, own.project_id, own.date, own.hours, own.description.clone()));
    }
    for (place, own) in (1..).zip(&account.logged) {
        let Some(external_id) = own.external_id.clone() else { continue };
        let reported =
            ask(store, move |tx| Ok(time::logged_by_external_id(tx, id, &external_id)?)).unwrap();
        let reported =
            (reported.id, reported.date, reported.hours, reported.description, reported.category);
        assert_eq!(
            reported,
            (place, own.date, own.hours, own.description.clone(), own.category.to_owned())
        );
    }
}

/// Compares all entries with their postings, by date and id.
fn journal(store: &Store, account: &Account, cx: &Context) {
    let its = cx.clone();
    let filter = EntryFilter {
        newest_first: false,
        period: Period::Days(date(2000, 1, 1), date(2099, 12, 31)),
        account_code: None,
        source_type: None,
        booked_since: None,
        after: None,
        limit: i64::MAX,
    };
    let page = ask(store, move |tx| entries::list(tx, &its, &filter));
    assert!(!page.more);
    let reported = page.rows;
    let mut own: Vec<_> = (1..).zip(&account.journal).collect();
    own.sort_by_key(|(id, entry): &(i64, _)| (entry.date, *id));
    assert_eq!(reported.len(), own.len());
    for (reported, (id, own)) in reported.iter().zip(own) {
        let entry = &reported.entry;
        assert_eq!(
            (
                reported.id,
                entry.date(),
                entry.vat_date(),
                &*entry.words(Language::English),
                entry.reverses()
            ),
            (id, own.date, own.vat_date, &*own.description, own.reverses)
        );
        assert_eq!((entry.source().kind, entry.source().id), own.source);
        let side = |posting: &ledger::entry::Posting| {
            let vat_box = posting.vat_box().map_or("", |vat_box| vat_box.as_str());
            (posting.account().get(), vat_box, money(posting.debited()) - money(posting.credited()))
        };
        let postings: Vec<_> = entry.postings().iter().map(side).collect();
        assert_eq!(netted(&postings), netted(&own.postings), "entry {id}");
    }
}

// Long: compares every figure of a year.
fn year_of(store: &Store, account: &Account, cx: &Context, year: i16) {
    let its = cx.clone();
    let reported =
        ask(store, move |tx| summary::read(tx, &its, year, jiff::civil::date(year, 12, 31), None));
    let (until, within) = account.balances(year);
    let of = |from: &BTreeMap<u16, Money>,
              codes: std::ops::Range<u16>,
              sign: Money|
     -> Vec<(u16, Money)> {
        from.range(codes).map(|(account, debited)| (*account, sign * debited)).collect()
    };
    let sum = |amounts: &[(u16, Money)]| amounts.iter().map(|(_, amount)| amount).sum::<Money>();
    let listed = |amounts: &[AmountOf]| -> Vec<(u16, Money)> {
        amounts.iter().map(|of| (of.account.get(), money(of.amount))).collect()
    };
    let (revenue, costs) = (of(&within, 8000..9000, -1), of(&within, 4000..8000, 1));
    let (result, profit) = (&reported.summary, sum(&revenue) - sum(&costs));
    assert_eq!(
        (listed(&result.revenue_by_account), listed(&result.costs_by_account)),
        (revenue.clone(), costs.clone()),
        "{year}"
    );
    assert_eq!(
        (money(result.revenue), money(result.costs), money(result.profit)),
        (sum(&revenue), sum(&costs), profit),
        "{year}"
    );
    // Figures of the year's four returns.
    let returns: Vec<_> = (1..=4)
        .map(|number| account.vat_return(VatPeriod::quarter(year, number).unwrap()))
        .collect();
    let in_box = |name: &str| -> Money {
        let lines = returns.iter().flat_map(|of| &of.lines).filter(|(its, ..)| *its == name);
        lines.filter_map(|(_, _, vat)| *vat).sum()
    };
    let vat = (money(result.vat_charged), money(result.vat_deductible), money(result.vat_payable));
    assert_eq!(vat, (in_box("5a"), in_box("5b"), in_box("5g")), "{year}");
    for (quarter, own) in result.quarters.iter().zip(&returns) {
        let booked = |codes: std::ops::Range<u16>| -> Money {
            let its = account.booked_in(VatPeriod::quarter(year, quarter.quarter).unwrap());
            its.filter(|(account, ..)| codes.contains(account)).map(|(_, _, debited)| debited).sum()
        };
        let (revenue, costs) = (-booked(8000..9000), booked(4000..8000));
        assert_eq!(
            (money(quarter.revenue), money(quarter.costs)),
            (revenue, costs),
            "{year} {quarter:?}"
        );
        assert_eq!(
            (money(quarter.profit), money(quarter.vat_payable)),
            (revenue - costs, own.payable),
            "{year} {quarter:?}"
        );
    }
    balance_sheet(reported.summary, (&until, &within), profit, year);
    let mut counts = Counts::default();
    for number in 1..=4 {
        let quarter = account.counts(VatPeriod::quarter(year, number).unwrap());
        counts.invoices += quarter.invoices;
        let (of, its) = (&mut counts.drafts, quarter.drafts);
        *of = (of.0 + its.0, of.1 + its.1, of.2 + its.2, of.3 + its.3);
        counts.paid += quarter.paid;
        counts.outstanding += quarter.outstanding;
    }
    let invoices = reported.invoices;
    let drafts = &invoices.drafts;
    let drafts = (drafts.count, money(drafts.revenue), money(drafts.vat), money(drafts.amount));
    let reported_counts = (invoices.count, drafts, invoices.paid, money(invoices.outstanding));
    assert_eq!(
        reported_counts,
        (counts.invoices, counts.drafts, counts.paid, counts.outstanding),
        "{year}"
    );
    let (project, logged) = account.hours_in_year(year);
    let (total, required) = (Hours::new(project.get() + logged.get()), Hours::new(122_500));
    // The owner's answer about the majority of the working time is not part of the model, so the
    // criterion is not met.
    let (reached, future) = (total >= required, Hours::default());
    let hours = HoursCriterion {
        required,
        project,
        logged,
        total,
        future,
        reached,
        majority_of_time: None,
        met: false,
    };
    assert_eq!(reported.hours, hours, "{year}");
}

/// Compares the balance sheet: at the end of the year the private accounts become capital,
/// depreciation is deducted, all VAT is one line, and each account is on the side of its balance.
fn balance_sheet(
    reported: AnnualSummary,
    (until, within): (&BTreeMap<u16, Money>, &BTreeMap<u16, Money>),
    profit: Money,
    year: i16,
) {
    let listed = |amounts: &[AmountOf]| -> BTreeMap<u16, Money> {
        amounts.iter().map(|of| (of.account.get(), money(of.amount))).collect()
    };
    let (mut others, mut equity): (BTreeMap<u16, Money>, BTreeMap<u16, Money>) = Default::default();
    let mut owned = 0;
    for (account, debited) in until {
        match *account {
            110 | 210 | 310 => *others.entry(account - 10).or_default() += debited,
            1325 => *others.entry(1320).or_default() += debited,
            code::OPEN_VAT | code::OTHER_EU_VAT => *others.entry(*account).or_default() += debited,
            1500..1530 | 1700..1800 => *others.entry(1780).or_default() += debited,
            500..600 | 4000.. => owned -= debited,
            other => *others.entry(other).or_default() += debited,
        }
    }
    let mut of_year = profit;
    for (account, debited) in within.range(510..590) {
        equity.insert(*account, -debited);
        of_year -= debited;
    }
    equity.extend([(500, owned - of_year), (590, profit)]);
    equity.retain(|_, amount| *amount != 0);
    let side = |sign: Money| -> BTreeMap<u16, Money> {
        others
            .iter()
            .filter(|(_, debited)| **debited * sign > 0)
            .map(|(account, debited)| (*account, debited.abs()))
            .collect()
    };
    let (assets, liabilities) = (side(1), side(-1));
    let sheet = &reported.balance_sheet;
    assert_eq!(
        (listed(&sheet.assets), listed(&sheet.equity), listed(&sheet.liabilities)),
        (assets.clone(), equity.clone(), liabilities.clone()),
        "{year}"
    );
    assert_eq!(money(sheet.total), assets.values().sum::<Money>(), "{year}");
    assert_eq!(
        money(sheet.total),
        equity.values().chain(liabilities.values()).sum::<Money>(),
        "{year}"
    );
    assert_eq!(
        money(reported.receivables),
        until.get(&1300).copied().unwrap_or_default(),
        "{year}"
    );
}

/// Checks that an unknown key gives no access.
pub(crate) fn stranger(store: &Store) {
    assert!(ask(store, |tx| Ok(keys::holder(tx, &[7; 32])?)).is_none());
}
