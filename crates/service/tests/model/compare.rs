//! The store against the model: after each deed what it touched, now and then everything.

use crate::{
    books::{Account, Counts, Invoice, Money, Return, Sums, at, euros_down, last},
    deeds::{Made, Model, Touched},
    perform::Answer,
};
use ledger::{chain::Hash, money::Cents, vat_return::VatReturn};
use service::{
    Actor, Error,
    invoices::{self, InvoiceView},
    projects,
    vat_filings::{self, FilingView},
};
use std::collections::BTreeMap;
use store::{
    Store, Tx, books,
    invoices::{Door, Kind, Status},
    payments,
    projects::Project,
    time,
};

pub(crate) fn money(amount: Cents) -> Money {
    amount.get().into()
}

/// Asks the store something.
pub(crate) fn ask<T: Send + 'static>(store: &Store, question: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static) -> T {
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
        language: None,
        email_confirmed_at: None,
        street: None,
        postal_code: None,
        city: None,
        kvk_number: None,
        vat_number: None,
        iban: None,
        second_factor: false,
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

pub(crate) fn same_project(project: &Project, account: &Account) {
    let own = at(&account.projects, project.id).unwrap();
    assert_eq!((&project.name, project.hourly_rate.map(money), project.archived), (&own.name, own.hourly_rate, own.archived));
    assert_eq!(project.hours_logged, account.hours_on_project(project.id), "hours on project {}", project.id);
}

pub(crate) fn same_invoice(view: &InvoiceView, own: &Invoice, id: i64) {
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

pub(crate) fn same_quarter(view: &FilingView, account: &Account) {
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
