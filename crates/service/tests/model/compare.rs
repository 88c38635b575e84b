//! The store against the model: after each deed what it touched, now and then everything.

use crate::{
    books::{Account, Counts, Invoice, Money, Return, Sums, at, euros_down, last, tidy},
    deeds::{Made, Model, Touched},
    perform::Answer,
};
use jiff::civil::date;
use ledger::{
    calendar::Quarter,
    chain::Hash,
    country::CountryCode,
    hours::{Hours, HoursCriterion},
    money::Cents,
    summary::AmountOf,
    vat_return::VatReturn,
};
use service::{
    Actor, Error, access, accounts, entries,
    invoices::{self, InvoiceView},
    projects, summary,
    vat_filings::{self, FilingView},
    verify,
};
use std::collections::BTreeMap;
use store::{
    Store, Tx, books, contacts, expenses, filings,
    invoices::{Door, Kind, Status},
    journal::EntryFilter,
    keys, payments,
    projects::Project,
    time,
};

fn money(amount: Cents) -> Money {
    amount.get().into()
}

/// Asks the store something.
fn ask<T: Send + 'static>(store: &Store, question: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static) -> T {
    store.read_blocking(question).unwrap()
}

pub(crate) fn actor(account: &Account) -> Actor {
    Actor::owner(&store::accounts::Account {
        id: account.id,
        email: account.email.clone(),
        name: String::new(),
        country: account.country,
        plan: account.plan,
        payment_term_days: 30,
        number_pattern: "{year}-{number:4}".to_owned(),
        created_at: jiff::Timestamp::UNIX_EPOCH,
    })
}

/// The heads of the hash chains after the deed before.
pub(crate) type Heads = Vec<(i64, Hash)>;

/// What a deed touched, and that it touched nothing else.
pub(crate) fn step(store: &Store, model: &Model, place: usize, touched: &Touched, heads: &mut Heads) {
    let account = &model.accounts[place];
    let (ids, asked, of) = (model.accounts.iter().map(|account| account.id).collect::<Vec<_>>(), touched.clone(), account.id);
    let (actor, beyond) = (actor(account), last(&account.invoices) + 1);
    let facts = ask(store, move |tx| {
        let mut chains = Vec::new();
        for id in &ids {
            chains.push(books::heads(tx, *id)?);
        }
        let mut views = Vec::new();
        for id in &asked.invoices {
            let paid: Vec<_> = payments::by_invoice(tx, of, *id)?.iter().map(|payment| payment.amount).collect();
            views.push((*id, invoices::read(tx, &actor, *id)?, paid));
        }
        let quarters =
            asked.quarters.iter().map(|quarter| vat_filings::read(tx, &actor, *quarter)).collect::<Result<Vec<_>, _>>()?;
        let mut days = Vec::new();
        for day in &asked.days {
            days.push((*day, time::on_day(tx, of, *day)?));
        }
        let projects: Vec<_> = asked.projects.iter().map(|id| (*id, projects::read(tx, &actor, *id))).collect();
        let none = invoices::read(tx, &actor, beyond);
        assert!(matches!(none, Err(Error::NotFound("invoice"))), "{none:?}");
        Ok((chains, store::invoices::series(tx, of)?, views, quarters, days, projects))
    });
    let (chains, series, views, quarters, days, projects) = facts;
    for (whose, (account, (last_ids, head))) in model.accounts.iter().zip(chains).enumerate() {
        assert_eq!(last_ids, account.last_ids(), "the last ids of account {whose}");
        let entries = last(&account.journal);
        match heads.get_mut(whose) {
            Some(before) => {
                assert_eq!(
                    *before == (entries, head),
                    before.0 == entries,
                    "the chain of account {whose} moves with its entries"
                );
                *before = (entries, head);
            }
            None => heads.push((entries, head)),
        }
    }
    assert_eq!(series.into_iter().collect::<BTreeMap<_, _>>(), account.series);
    for (id, view, paid) in views {
        let invoice = at(&account.invoices, id).unwrap();
        same_invoice(&view, invoice, id);
        assert_eq!(view.amount_due().get(), i64::try_from(account.due_on(id)).unwrap(), "due on {id}");
        assert_eq!(paid.into_iter().map(money).sum::<Money>(), invoice.paid, "payments on {id}");
    }
    for view in quarters {
        same_quarter(&view, account);
    }
    for (day, hours) in days {
        assert_eq!((hours.project, hours.logged), account.hours_on_day(day), "{day}");
    }
    for (id, project) in projects {
        match project {
            Ok(project) => same_project(&project, account),
            Err(error) => assert!(matches!(error, Error::NotFound("project")) && at(&account.projects, id).is_none(), "{error}"),
        }
    }
}

/// The answer that the deed itself gave.
pub(crate) fn answer(answer: &Answer, made: Made, account: &Account) {
    match (answer, made) {
        (Answer::Invoice(view), _) => same_invoice(view, at(&account.invoices, view.invoice.id).unwrap(), view.invoice.id),
        (Answer::Payment(payment), Made::New(id) | Made::Known(id)) => {
            let own = at(&account.payments, id).unwrap();
            let command = &own.command;
            let (told, wanted) = (
                (
                    payment.invoice_id,
                    &payment.external_id,
                    payment.date,
                    Some(payment.amount),
                    payment.method,
                    &payment.reference,
                ),
                (command.invoice_id, &command.external_id, command.date, command.amount, command.method, &command.reference),
            );
            assert_eq!((told, payment.entry_id), (wanted, own.entry));
        }
        (Answer::Expense(expense), Made::New(id) | Made::Known(id)) => {
            let own = at(&account.expenses, id).unwrap();
            let (command, purchase) = (&own.command, &own.command.purchase);
            let (told, wanted) = (
                (&expense.external_id, expense.date, &expense.description, expense.cost_account, expense.net, expense.paid_from),
                (&command.external_id, command.date, &purchase.description, purchase.cost, purchase.net, purchase.paid_from),
            );
            assert_eq!((told, expense.entry_id), (wanted, own.entry));
        }
        (Answer::Project(project), _) => same_project(project, account),
        (Answer::Filing(view), _) => same_quarter(view, account),
        (Answer::Key(_) | Answer::Id, _) => {}
        other => panic!("an answer without an id: {other:?}"),
    }
}

fn same_project(project: &Project, account: &Account) {
    let own = at(&account.projects, project.id).unwrap();
    assert_eq!((&project.name, project.hourly_rate.map(money), project.archived), (&own.name, own.hourly_rate, own.archived));
    assert_eq!(project.hours_logged, account.hours_on_project(project.id), "hours on project {}", project.id);
}

fn same_invoice(view: &InvoiceView, own: &Invoice, id: i64) {
    let told = &view.invoice;
    let kind = if own.credits.is_some() { Kind::CreditNote } else { Kind::Invoice };
    assert_eq!((told.id, &told.external_id, told.kind, &told.number), (id, &own.external_id, kind, &own.number));
    assert_eq!((told.status == Status::Sent, told.invoice_date, told.due_date), (own.sent, own.date, own.due_date), "{id}");
    assert_eq!((told.contact_id, &told.customer), (own.contact, &own.customer), "{id}");
    assert_eq!((&told.reference, &told.notes, told.source), (&own.reference, &own.notes, Door::App), "{id}");
    assert_eq!(told.credited_invoice_id, own.credits, "{id}");
    let sums = Sums {
        groups: view
            .groups
            .iter()
            .map(|group| ((group.rate, group.category), (money(group.base), money(group.amount))))
            .collect(),
        subtotal: money(told.subtotal),
        vat: money(told.vat_total),
        total: money(told.total),
    };
    assert_eq!(sums, own.sums, "{id}");
    assert_eq!((money(told.amount_paid), money(told.amount_credited)), (own.paid, own.credited), "paid and credited on {id}");
    let due = if own.credits.is_some() { 0 } else { own.sums.total - own.paid - own.credited };
    assert_eq!((money(view.amount_due()), view.paid()), (due, own.sent && due <= 0), "due on {id}");
    assert_eq!(told.paid_at, own.paid_at, "the day on which {id} was paid");
    assert_eq!(view.entry_ids, own.entries, "the entries of {id}");
    assert_eq!(view.lines.len(), own.lines.len(), "{id}");
    for ((line, amount), own) in view.lines.iter().zip(&own.lines) {
        let given = &own.given;
        assert_eq!((&line.description, line.quantity, line.unit_price), (&given.description, given.quantity, given.unit_price));
        assert_eq!((line.vat_rate, line.vat_category, money(*amount)), (given.vat_rate, own.category, own.amount), "{id}");
    }
    let to_tell = own.customer.vat_number.is_none()
        && own.lines.iter().any(|line| ["intraCommunity", "reverseCharge"].contains(&line.category.as_str()));
    assert_eq!(!view.warnings().is_empty(), to_tell, "warnings of {id}");
}

fn same_return(told: &VatReturn, own: &Return) {
    let lines: Vec<_> = told.lines.iter().map(|line| (line.vat_box, line.turnover.map(money), line.vat.map(money))).collect();
    assert_eq!(Return { lines, payable: money(told.payable), declared: told.declared_payable.into() }, *own);
    for line in told.lines.iter().filter(|line| !["5a", "5b", "5g"].contains(&line.vat_box)) {
        let declared = (line.declared_turnover.map(Money::from), line.declared_vat.map(Money::from));
        assert_eq!(declared, (line.turnover.map(money).map(euros_down), line.vat.map(money).map(euros_down)), "{line:?}");
    }
}

fn same_quarter(view: &FilingView, account: &Account) {
    same_return(&view.vat_return, &account.vat_return(view.quarter));
    let totals = &view.totals;
    let counts = Counts {
        entries: totals.entries,
        invoices: totals.invoices,
        drafts: totals.drafts,
        draft_vat: money(totals.draft_vat),
        paid: totals.paid,
        outstanding: money(totals.outstanding),
    };
    assert_eq!(counts, account.counts(view.quarter), "{:?}", view.quarter);
    let told = view.filing.as_ref().map(|filing| {
        (filing.filed, filing.filed_at, filing.entry_id, money(filing.payable), Money::from(filing.declared_payable))
    });
    let own = account.filings.get(&view.quarter);
    assert_eq!(told, own.map(|own| (own.filed, own.at, own.entry, own.as_filed.payable, own.as_filed.declared)));
    if let Some(own) = own.filter(|own| own.filed) {
        assert_eq!(own.as_filed, account.vat_return(view.quarter), "what is filed does not move");
    }
}

/// Everything that there is.
pub(crate) fn everything(store: &Store, model: &Model) {
    let all = ask(store, accounts::list);
    let told: Vec<_> = all.iter().map(|of| (of.id, of.email.clone(), of.country, of.plan)).collect();
    let own: Vec<_> = model.accounts.iter().map(|of| (of.id, of.email.clone(), of.country, of.plan)).collect();
    assert_eq!(told, own);
    for account in &model.accounts {
        let actor = actor(account);
        documents(store, account, &actor);
        journal(store, account, &actor);
        for year in 2024..=2027 {
            year_of(store, account, &actor, year);
        }
        for quarter in (2024..=2027).flat_map(|year| (1..=4).map(move |number| Quarter::new(year, number).unwrap())) {
            let (its, id) = (actor.clone(), account.id);
            let (view, boxes) =
                ask(store, move |tx| Ok((vat_filings::read(tx, &its, quarter)?, filings::boxes(tx, id, quarter)?)));
            same_quarter(&view, account);
            let boxes: Vec<_> =
                boxes.iter().map(|filed| (filed.vat_box.as_str(), filed.turnover.map(money), filed.vat.map(money))).collect();
            let as_filed = account.filings.get(&quarter).map(|filing| filing.as_filed.lines.clone());
            assert_eq!(boxes, as_filed.unwrap_or_default(), "{quarter:?} as it was filed");
        }
        let proof = ask(store, move |tx| verify::prove(tx, &actor, &|_| {}));
        assert_eq!(proof.discrepancies, Vec::<String>::new());
        assert_eq!((proof.entries, proof.invoices), (last(&account.journal), last(&account.invoices)));
    }
}

fn documents(store: &Store, account: &Account, actor: &Actor) {
    let (its, many) = (actor.clone(), last(&account.invoices));
    let views = ask(store, move |tx| (1..=many).map(|id| invoices::read(tx, &its, id)).collect::<Result<Vec<_>, _>>());
    for (id, (view, own)) in (1..).zip(views.iter().zip(&account.invoices)) {
        same_invoice(view, own, id);
        let paid = account.payments.iter().filter(|payment| payment.command.invoice_id == id);
        assert_eq!(paid.map(|payment| money(payment.command.amount.unwrap())).sum::<Money>(), own.paid, "the model's own sums");
    }
    let (id, many) = (account.id, last(&account.contacts));
    let told = ask(store, move |tx| Ok((1..=many).map(|of| contacts::by_id(tx, id, of)).collect::<Result<Vec<_>, _>>()?));
    let told: Vec<_> = told.into_iter().map(|contact| contact.unwrap().party).collect();
    assert_eq!(told, account.contacts);
    let its = actor.clone();
    let told = ask(store, move |tx| projects::list(tx, &its, 0, i64::MAX));
    assert_eq!(told.len(), account.projects.len());
    told.iter().for_each(|project| same_project(project, account));
    by_external_id(store, account);
    let its = actor.clone();
    let told = ask(store, move |tx| access::list_keys(tx, &its));
    assert_eq!(told.len(), account.keys.len());
    for (told, own) in told.iter().zip(&account.keys) {
        assert_eq!((&told.name, told.scopes, told.revoked_at.is_some()), (&own.name, own.scopes, own.revoked));
        let hash = own.hash;
        let holder = ask(store, move |tx| access::authenticate(tx, &hash));
        let holder = holder.map(|holder| (holder.account, holder.key, holder.scopes, holder.plan));
        assert_eq!(holder, (!own.revoked).then_some((account.id, Some(told.id), own.scopes, account.plan)));
    }
}

/// What can be looked up by its external id only.
fn by_external_id(store: &Store, account: &Account) {
    let id = account.id;
    for (place, own) in (1..).zip(&account.expenses) {
        let Some(external_id) = own.command.external_id.clone() else { continue };
        let told = ask(store, move |tx| Ok(expenses::by_external_id(tx, id, &external_id)?)).unwrap();
        assert_eq!(told.id, place);
        answer(&Answer::Expense(told), Made::Known(place), account);
    }
    for (place, own) in (1..).zip(&account.payments) {
        let Some(external_id) = own.command.external_id.clone() else { continue };
        let told = ask(store, move |tx| Ok(payments::by_external_id(tx, id, &external_id)?)).unwrap();
        assert_eq!(told.id, place);
        answer(&Answer::Payment(told), Made::Known(place), account);
    }
    for (place, own) in (1..).zip(&account.time) {
        let Some(external_id) = own.external_id.clone() else { continue };
        let told = ask(store, move |tx| Ok(time::entry_by_external_id(tx, id, &external_id)?)).unwrap();
        let told = (told.id, told.project_id, told.date, told.hours, told.description);
        assert_eq!(told, (place, own.project_id, own.date, own.hours, own.description.clone()));
    }
    for (place, own) in (1..).zip(&account.logged) {
        let Some(external_id) = own.external_id.clone() else { continue };
        let told = ask(store, move |tx| Ok(time::logged_by_external_id(tx, id, &external_id)?)).unwrap();
        let told = (told.id, told.date, told.hours, told.description, told.category);
        assert_eq!(told, (place, own.date, own.hours, own.description.clone(), own.category.to_owned()));
    }
}

/// Every entry with its postings, in the order of date and id.
fn journal(store: &Store, account: &Account, actor: &Actor) {
    let its = actor.clone();
    let filter = EntryFilter {
        from: date(2000, 1, 1),
        to: date(2099, 12, 31),
        account_code: None,
        source_type: None,
        after: None,
        limit: i64::MAX,
    };
    let told = ask(store, move |tx| entries::list(tx, &its, &filter));
    let mut own: Vec<_> = (1..).zip(&account.journal).collect();
    own.sort_by_key(|(id, entry): &(i64, _)| (entry.date, *id));
    assert_eq!(told.len(), own.len());
    for (told, (id, own)) in told.iter().zip(own) {
        let entry = &told.entry;
        assert_eq!(
            (told.id, entry.date(), entry.description(), entry.reverses()),
            (id, own.date, &*own.description, own.reverses)
        );
        assert_eq!((entry.source().kind, entry.source().id), own.source);
        let side = |posting: &ledger::entry::Posting| {
            let vat_box = posting.vat_box().map_or("", |vat_box| vat_box.as_str());
            (posting.account().get(), vat_box, money(posting.debited()) - money(posting.credited()))
        };
        let mut postings: Vec<_> = entry.postings().iter().map(side).collect();
        tidy(&mut postings);
        assert_eq!(postings, own.postings, "entry {id}");
    }
}

fn year_of(store: &Store, account: &Account, actor: &Actor, year: i16) {
    let its = actor.clone();
    let told = ask(store, move |tx| summary::read(tx, &its, year));
    let (until, within) = account.balances(year);
    let of = |from: &BTreeMap<u16, Money>, codes: std::ops::Range<u16>, sign: Money| -> Vec<(u16, Money)> {
        from.range(codes).map(|(account, debited)| (*account, sign * debited)).collect()
    };
    let sum = |amounts: &[(u16, Money)]| amounts.iter().map(|(_, amount)| amount).sum::<Money>();
    let listed =
        |amounts: &[AmountOf]| -> Vec<(u16, Money)> { amounts.iter().map(|of| (of.account.get(), money(of.amount))).collect() };
    let (revenue, costs) = (of(&within, 8000..9000, -1), of(&within, 4000..8000, 1));
    let (result, profit) = (&told.summary, sum(&revenue) - sum(&costs));
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
    // What the year's four returns say.
    let returns: Vec<_> = (1..=4).map(|number| account.vat_return(Quarter::new(year, number).unwrap())).collect();
    let in_box = |name: &str| -> Money {
        let lines = returns.iter().flat_map(|of| &of.lines).filter(|(its, ..)| *its == name);
        lines.filter_map(|(_, _, vat)| *vat).sum()
    };
    let vat = (money(result.vat_charged), money(result.vat_deductible), money(result.vat_payable));
    assert_eq!(vat, (in_box("5a"), in_box("5b"), in_box("5g")), "{year}");
    for (quarter, own) in result.quarters.iter().zip(&returns) {
        let booked = |codes: std::ops::Range<u16>| -> Money {
            let its = account.booked_in(Quarter::new(year, quarter.quarter).unwrap());
            its.filter(|(account, ..)| codes.contains(account)).map(|(_, _, debited)| debited).sum()
        };
        let (revenue, costs) = (-booked(8000..9000), booked(4000..8000));
        assert_eq!((money(quarter.revenue), money(quarter.costs)), (revenue, costs), "{year} {quarter:?}");
        assert_eq!((money(quarter.profit), money(quarter.vat_payable)), (revenue - costs, own.payable), "{year} {quarter:?}");
    }
    balance_sheet(told.summary, &until, profit, year);
    let mut counts = Counts::default();
    for number in 1..=4 {
        let quarter = account.counts(Quarter::new(year, number).unwrap());
        counts.invoices += quarter.invoices;
        counts.drafts += quarter.drafts;
        counts.paid += quarter.paid;
        counts.outstanding += quarter.outstanding;
    }
    let invoices = told.invoices;
    let told_counts = (invoices.count, invoices.drafts, invoices.paid, money(invoices.outstanding));
    assert_eq!(told_counts, (counts.invoices, counts.drafts, counts.paid, counts.outstanding), "{year}");
    let (project, logged) = account.hours_in_year(year);
    let (total, required) = (Hours::new(project.get() + logged.get()), Hours::new(1225_00));
    assert_eq!(told.hours, HoursCriterion { required, project, logged, total, met: total >= required }, "{year}");
}

fn balance_sheet(told: ledger::summary::AnnualSummary, until: &BTreeMap<u16, Money>, profit: Money, year: i16) {
    let listed = |amounts: &[AmountOf]| -> BTreeMap<u16, Money> {
        amounts.iter().map(|of| (of.account.get(), money(of.amount))).collect()
    };
    let (mut assets, mut equity, mut liabilities) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut earned = 0;
    for (account, debited) in until {
        match *account {
            0..500 | 1000..1500 => drop(assets.insert(*account, *debited)),
            500..1000 => drop(equity.insert(*account, -debited)),
            1500..4000 => drop(liabilities.insert(*account, -debited)),
            _ => earned -= debited,
        }
    }
    // Results of earlier years are the owner's capital; this year's stands by itself.
    equity.extend([(500, earned - profit), (590, profit)]);
    equity.retain(|_, amount| *amount != 0);
    let sheet = &told.balance_sheet;
    assert_eq!(
        (listed(&sheet.assets), listed(&sheet.equity), listed(&sheet.liabilities)),
        (assets.clone(), equity.clone(), liabilities.clone()),
        "{year}"
    );
    assert_eq!(money(sheet.total), assets.values().sum::<Money>(), "{year}");
    assert_eq!(money(sheet.total), equity.values().chain(liabilities.values()).sum::<Money>(), "{year}");
    assert_eq!(money(told.receivables), until.get(&1300).copied().unwrap_or_default(), "{year}");
}

/// A country by its two letters.
pub(crate) fn country(code: &str) -> CountryCode {
    CountryCode::parse(code).unwrap()
}

/// Keys that nobody has do not open anything.
pub(crate) fn stranger(store: &Store) {
    assert!(ask(store, |tx| Ok(keys::holder(tx, &[7; 32])?)).is_none());
}
