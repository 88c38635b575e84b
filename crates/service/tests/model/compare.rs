//! Comparison of the store with the model: the touched items after each command, and everything
//! from time to time.

use crate::{
    books::{Account, Counts, Drafts, Far, Line, Money, Return, Sums, at, euros_down, last},
    cash::{Cause, Effect},
    commands::{Made, Model, Touched},
    oss,
    perform::Answer,
};
use jiff::{ToSpan, civil::Date};
use ledger::{
    calendar::{Quarter, amsterdam_today},
    cash_accounting::VatMethod,
    chain::Hash,
    entry::SourceType,
    money::Cents,
    vat::{SalesDefaults, VatCategory},
    vat_period::{VatPeriod, VatUnit},
    vat_return::VatReturn,
};
use service::{
    Context, Environment, Error,
    assets::AssetDetails,
    invoices::{self, InvoiceDetails},
    projects,
    vat_filings::{self, VatReturnDetails},
};
use std::collections::{BTreeMap, BTreeSet};
use store::{
    Store, Tx,
    accounts::Owner,
    books::{self, IdSequence},
    invoices::{InvoiceKind, Origin, Status},
    payments::{self, VatMove},
    people::PersonId,
    projects::Project,
    time,
    vat_units::UnitChange,
};

pub(crate) fn money(amount: Cents) -> Money {
    amount.get().into()
}

/// Runs a query on the store.
pub(crate) fn ask<T: Send + 'static>(
    store: &Store,
    question: impl FnMut(&mut Tx<'_>) -> Result<T, Error> + Send + 'static,
) -> T {
    store.read_blocking(question).unwrap()
}

fn change((from, unit): (&Date, &VatUnit)) -> UnitChange {
    UnitChange { from: *from, unit: *unit, recorded_at: jiff::Timestamp::UNIX_EPOCH }
}

pub(crate) fn context(account: &Account) -> Context {
    Context::of_owner(
        &store::accounts::Account {
            id: account.id,
            owner: Owner {
                id: PersonId(account.id),
                email: account.email.clone(),
                language: None,
                email_confirmed_at: None,
                second_factor: false,
            },
            name: String::new(),
            country: account.country,
            plan: account.plan,
            payment_term_days: 30,
            number_pattern: "{year}-{number:4}".to_owned(),
            created_at: jiff::Timestamp::UNIX_EPOCH,
            language: None,
            street: None,
            postal_code: None,
            city: None,
            kvk_number: None,
            vat_number: None,
            iban: None,
            bic: None,
            phone: None,
            website: None,
            sales: SalesDefaults::default(),
            majority_of_time: None,
            starter: false,
            vat_units: account.units.iter().map(change).collect(),
            own_accounts: ledger::own_account::OwnAccounts::default(),
            test: None,
        },
        Environment::at(jiff::Timestamp::UNIX_EPOCH),
    )
}

/// Heads of the hash chains after the previous command.
pub(crate) type Heads = Vec<(i64, Hash)>;

/// Compares the items that a command touched, and checks that it touched no other items.
// Long: one command, compared in every respect.
pub(crate) fn step(
    store: &Store,
    model: &Model,
    place: usize,
    touched: &Touched,
    heads: &mut Heads,
) {
    let account = &model.accounts[place];
    let (ids, asked, of) = (
        model.accounts.iter().map(|account| account.id).collect::<Vec<_>>(),
        touched.clone(),
        account.id,
    );
    let periods: BTreeSet<VatPeriod> =
        touched.vat_days.iter().map(|day| account.period_of(*day)).collect();
    let (cx, beyond) = (context(account), last(&account.invoices) + 1);
    let facts = ask(store, move |tx| {
        let mut chains = Vec::new();
        for id in &ids {
            chains.push(books::heads(tx, *id)?);
        }
        let mut views = Vec::new();
        for id in &asked.invoices {
            let all = payments::by_invoice(tx, of, *id)?;
            let paid: Vec<_> = all
                .iter()
                .filter(|it| it.undone_at.is_none())
                .map(|payment| payment.amount)
                .collect();
            views.push((*id, invoices::read(tx, &cx, *id)?, paid));
        }
        let returns = periods
            .iter()
            .map(|period| vat_filings::read(tx, &cx, *period))
            .collect::<Result<Vec<_>, _>>()?;
        let mut days = Vec::new();
        for day in &asked.days {
            days.push((*day, time::on_day(tx, of, *day)?));
        }
        let projects: Vec<_> =
            asked.projects.iter().map(|id| (*id, projects::read(tx, &cx, *id))).collect();
        let none = invoices::read(tx, &cx, beyond);
        assert!(matches!(none, Err(Error::NotFound("invoice"))), "{none:?}");
        Ok((chains, store::invoices::series(tx, of)?, views, returns, days, projects))
    });
    let (chains, series, views, returns, days, projects) = facts;
    for (whose, (account, (last_ids, head))) in model.accounts.iter().zip(chains).enumerate() {
        // The model has no change feed, so `IdSequence::Change` and the sequences after it are not
        // compared.
        assert_eq!(
            last_ids[..IdSequence::Change as usize],
            account.last_ids(),
            "the last ids of account {whose}"
        );
        let entries = last(&account.journal) + account.sent_documents();
        match heads.get_mut(whose) {
            Some(before) => {
                assert_eq!(
                    *before == (entries, head),
                    before.0 == entries,
                    "the chain of account {whose} moves with its entries and sent documents"
                );
                *before = (entries, head);
            }
            None => heads.push((entries, head)),
        }
    }
    assert_eq!(
        series.into_iter().map(|(year, _, last)| (year, last)).collect::<BTreeMap<_, _>>(),
        account.series
    );
    for (id, view, paid) in views {
        let invoice = at(&account.invoices, id).unwrap();
        same_invoice(&view, account, id);
        assert_eq!(
            view.amount_due().get(),
            i64::try_from(account.due_on(id)).unwrap(),
            "due on {id}"
        );
        assert_eq!(paid.into_iter().map(money).sum::<Money>(), invoice.paid, "payments on {id}");
    }
    for view in returns {
        same_vat_return(&view, account);
    }
    for (day, hours) in days {
        assert_eq!((hours.project, hours.logged), account.hours_on_day(day), "{day}");
    }
    for (id, project) in projects {
        match project {
            Ok(project) => same_project(&project, account),
            Err(error) => assert!(
                matches!(error, Error::NotFound("project")) && at(&account.projects, id).is_none(),
                "{error}"
            ),
        }
    }
}

/// Compares the result that the command itself returned.
pub(crate) fn answer(answer: &Answer, made: Made, account: &Account) {
    match (answer, made) {
        (Answer::Invoice(view), _) => same_invoice(view, account, view.invoice.id),
        (Answer::Payment(payment), Made::Nothing) => {
            let own = at(&account.payments, payment.id).unwrap();
            assert_eq!(
                (payment.undoing_entry_id, payment.undone_at.is_some()),
                (own.undone, own.undone.is_some())
            );
        }
        (Answer::Payment(payment), Made::New(id) | Made::Existing(id)) => {
            let own = at(&account.payments, id).unwrap();
            let command = &own.command;
            let (reported, expected) = (
                (
                    payment.invoice_id,
                    &payment.external_id,
                    payment.date,
                    Some(payment.amount),
                    payment.method,
                    &payment.reference,
                ),
                (
                    command.invoice_id,
                    &command.external_id,
                    command.date,
                    command.amount,
                    command.method,
                    &command.reference,
                ),
            );
            assert_eq!((reported, payment.entry_id), (expected, own.entry));
        }
        (Answer::Expense(expense), Made::New(id) | Made::Existing(id)) => {
            let own = at(&account.expenses, id).unwrap();
            let (command, expense) = (&own.command, &expense.expense);
            let (reported, expected) = (
                (
                    &expense.external_id,
                    expense.date,
                    &expense.description,
                    expense.business_share,
                    expense.paid_from,
                ),
                (
                    &command.external_id,
                    command.date,
                    &command.description,
                    command.business_share,
                    command.paid_from,
                ),
            );
            assert_eq!((reported, expense.entry_id), (expected, own.entry));
        }
        (Answer::Project(project), _) => same_project(project, account),
        (Answer::Asset(details), _) => same_asset(details, account),
        (Answer::Filing(view), _) => same_vat_return(view, account),
        (Answer::Key(_) | Answer::Id, _) => {}
        other => panic!("an answer without an id: {other:?}"),
    }
}

pub(crate) fn same_asset(details: &AssetDetails, account: &Account) {
    let (asset, own) = (&details.asset, at(&account.assets, details.asset.id).unwrap());
    assert_eq!(
        (money(asset.cost), money(asset.depreciated), asset.depreciated_until),
        (own.cost, own.depreciated, own.until)
    );
    let sold = asset.disposed_on.map(|on| (on, asset.proceeds.map_or(0, money)));
    assert_eq!(
        (sold, asset.undone_at.is_some(), asset.expense_id),
        (own.sold, own.undone, Some(own.expense))
    );
    let mut entries = account.entries_of((SourceType::Expense, own.expense));
    entries.extend(account.entries_of((SourceType::Asset, asset.id)));
    entries.extend(account.revision_entries(asset.id));
    entries.sort_unstable();
    assert_eq!(details.entry_ids, entries, "the entries of asset {}", asset.id);
    let revised = own.sold.and_then(|_| account.sale_revision(asset.id));
    assert_eq!(details.vat_revision.map(|(amount, id)| (money(amount), id)), revised);
    let in_use = own.sold.is_none() && !own.undone;
    assert_eq!(money(details.book_value()), if in_use { own.cost - own.depreciated } else { 0 });
}

pub(crate) fn same_project(project: &Project, account: &Account) {
    let own = at(&account.projects, project.id).unwrap();
    assert_eq!(
        (&project.name, project.hourly_rate.map(money), project.archived),
        (&own.name, own.hourly_rate, own.archived)
    );
    assert_eq!(
        project.hours_logged,
        account.hours_on_project(project.id),
        "hours on project {}",
        project.id
    );
}

// Long: compares every field of an invoice.
pub(crate) fn same_invoice(view: &InvoiceDetails, account: &Account, id: i64) {
    let own = at(&account.invoices, id).unwrap();
    let reported = &view.invoice;
    let kind = if own.credits.is_some() { InvoiceKind::CreditNote } else { InvoiceKind::Invoice };
    assert_eq!(
        (reported.id, &reported.external_id, reported.kind, &reported.number),
        (id, &own.external_id, kind, &own.number)
    );
    assert_eq!(
        (
            reported.status == Status::Sent,
            reported.status == Status::Cancelled,
            reported.invoice_date,
            reported.due_date
        ),
        (own.sent, own.cancelled, own.date, own.due_date),
        "{id}"
    );
    let days = ((reported.supply_date, reported.supply_until), reported.vat_date);
    assert_eq!(days, (own.supplied, own.vat_date), "the days of {id}");
    assert_eq!((reported.contact_id, &reported.customer), (own.contact, &own.customer), "{id}");
    let source = if own.opening { Origin::Opening } else { Origin::App };
    assert_eq!(
        (&reported.reference, &reported.notes, reported.source),
        (&own.reference, &own.notes, source),
        "{id}"
    );
    assert_eq!(reported.credited_invoice_id, own.credits, "{id}");
    let sums = Sums {
        groups: view
            .groups
            .iter()
            .map(|group| {
                (
                    (group.rate, group.category, group.supply, group.tax_country),
                    (money(group.base), money(group.amount)),
                )
            })
            .collect(),
        subtotal: money(reported.subtotal),
        vat: money(reported.vat_total),
        total: money(reported.total),
    };
    assert_eq!(sums, own.sums, "{id}");
    assert_eq!(
        (
            money(reported.amount_paid),
            money(reported.amount_credited),
            money(reported.amount_written_off)
        ),
        (own.paid, own.credited, own.written_off),
        "paid and credited on {id}"
    );
    let is_nothing = own.credits.is_some() || own.cancelled;
    let balance =
        if is_nothing { 0 } else { own.sums.total - own.paid - own.credited - own.written_off };
    assert_eq!(
        (money(view.amount_due()), money(view.amount_to_refund())),
        (balance.max(0), (-balance).max(0)),
        "open on {id}"
    );
    assert_eq!(view.paid(), own.sent && balance <= 0 && own.written_off == 0, "{id}");
    assert_eq!(reported.paid_at, own.paid_at, "the day on which {id} was paid");
    let (changes, vat_deferred) = account.vat_when_paid(own);
    let mut vat_due: BTreeMap<(Date, Option<i64>), (Money, Money)> = BTreeMap::new();
    for ((day, cause, effect, _), (base, vat)) in changes {
        let Effect::Due = effect else { continue };
        let payment = if let Cause::Payment(id) = cause { Some(id) } else { None };
        let sum = vat_due.entry((day, payment)).or_default();
        *sum = (sum.0 + base, sum.1 + vat);
    }
    vat_due.retain(|_, sums| *sums != (0, 0));
    let due = view.vat_due.iter();
    let due = due.map(|of| ((of.date, of.payment_id), (money(of.base), money(of.vat))));
    assert_eq!(
        (reported.vat_method, money(reported.vat_deferred), due.collect::<BTreeMap<_, _>>()),
        (own.method, vat_deferred, vat_due),
        "VAT of {id} that is due when it is paid"
    );
    let entries = account.entries_of((
        if own.credits.is_some() { SourceType::CreditNote } else { SourceType::Invoice },
        id,
    ));
    assert_eq!(view.entry_ids, entries, "the entries of {id}");
    assert_eq!(view.lines.len(), own.lines.len(), "{id}");
    for ((line, amount), own) in view.lines.iter().zip(&own.lines) {
        let given = &own.given;
        assert_eq!(
            (&line.description, line.quantity, line.unit_price),
            (&given.description, given.quantity, given.unit_price)
        );
        assert_eq!(
            (line.vat_rate, line.vat_category, line.supply, line.tax_country),
            (given.vat_rate, own.category, own.supply, given.place.country),
            "{id}"
        );
        assert_eq!(money(*amount), own.amount, "{id}");
    }
    let country = own.customer.country.as_str();
    let of = |categories: &[&str]| {
        own.lines.iter().any(|line| categories.contains(&line.category.public().as_str()))
    };
    let (dutch, eu) = (country == "NL", country == "NL" || oss::MEMBER_STATES.contains(&country));
    let party = &own.customer;
    let (is_business, is_consumer) =
        (oss::is_business(party), party.kind.as_deref() == Some("consumer"));
    // A service to a consumer outside the EU is taxed in the Netherlands.
    let at_dutch_rate = |line: &&Line| line.category == VatCategory::Standard;
    let is_due_elsewhere = |line: &Line| oss::is_goods(line.supply) || !is_consumer;
    let at_dutch_rate_outside = own.lines.iter().filter(at_dutch_rate).any(is_due_elsewhere);
    let contradicts = ((dutch || !eu) && of(&["intraCommunity"]))
        || (eu && of(&["export", "serviceOutsideEu"]))
        || (!dutch && of(&["reverseCharge"]))
        || (!eu && at_dutch_rate_outside);
    let mut not_here =
        own.lines.iter().filter(at_dutch_rate).filter(|line| line.given.place.country.is_none());
    let at_dutch_rate_not_here = not_here.clone().next().is_some();
    let lacks_address = party.street.is_none() || party.city.is_none();
    let is_of_other_country =
        party.vat_number.as_deref().is_some_and(|number| !number.starts_with(country));
    let deadline = |supplied: Date| supplied.last_of_month() + 15.days();
    let supplied = own.supplied.1.or(own.supplied.0).filter(|_| own.credits.is_none());
    let late = supplied.is_some_and(|supplied| own.date > deadline(supplied));
    let has = |vat_move| account.paid_on(id).any(|payment| payment.vat_move == vat_move);
    // Warnings last until the filing deadline of the quarter that contains the VAT date or, if
    // later, the last change.
    let changed = amsterdam_today(reported.updated_at);
    let due = Quarter::of(own.vat_date.max(changed)).next().first_day().last_of_month();
    let is_credited = own.credited != 0 && own.credited == own.sums.total;
    let lasts = !own.cancelled && (!own.sent || (!is_credited && view.today <= due));
    let is_far = match own.far {
        Some(Far::Future) => own.date > view.today + 31.days(),
        far => far.is_some(),
    };
    let prepaid = own
        .set_off
        .iter()
        .filter_map(|(id, ..)| at(&account.invoices, *id))
        .map(|prepayment| prepayment.date)
        .max();
    let early_final = own.credits.is_none() && prepaid.is_some_and(|day| day > own.date);
    if own.opening {
        let expected =
            if own.written_off == 0 || !lasts { Vec::new() } else { vec!["vat_not_known"] };
        assert_eq!(
            view.warnings().iter().map(|warning| warning.code()).collect::<Vec<_>>(),
            expected,
            "warnings of {id}"
        );
        return;
    }
    let is_under_kor = own.credits.is_none()
        && own.lines.iter().any(|line| line.category == VatCategory::SmallBusiness);
    let is_abroad = own.credits.is_none() && own.lines.iter().any(|line| oss::counts(own, line));
    let (near_oss, passed_oss) =
        if is_abroad { account.near_the_threshold(id) } else { (false, false) };
    let day = own.supplied.1.or(own.supplied.0).unwrap_or(own.date);
    let is_registered = is_abroad && account.is_registered(day) && !passed_oss;
    let (near, makes_pass) = if is_under_kor { account.near_the_limit(id) } else { (false, false) };
    let has_ended = is_under_kor && account.kor_of(day, Some(id)).is_none();
    let is_after_oss_return = own.credits.is_none() && account.is_after_oss_return(id);
    let expected: Vec<&str> = [
        (
            own.customer.vat_number.is_none() && of(&["intraCommunity", "reverseCharge"]),
            "customer_vat_number_missing",
        ),
        (contradicts, "category_contradicts_country"),
        (
            eu && !dutch
                && !is_business
                && own.lines.iter().any(|line| {
                    line.category == VatCategory::Standard
                        && line.given.place.country.is_none()
                        && (is_registered || !oss::counts(own, line))
                }),
            "consumer_abroad",
        ),
        (eu && !dutch && is_business && at_dutch_rate_not_here, "eu_business_at_dutch_rate"),
        (!eu && not_here.any(is_due_elsewhere), "non_eu_at_dutch_rate"),
        (!dutch && !is_business && !is_consumer, "customer_kind_unknown"),
        (
            own.credits.is_none() && own.sums.total > 10_000 && is_business && lacks_address,
            "customer_address_missing",
        ),
        (is_of_other_country, "vat_number_contradicts_country"),
        (party.peppol_id.is_some() && own.reference.is_none(), "buyer_reference_missing"),
        (true, "supplier_address_missing"),
        (true, "supplier_kvk_missing"),
        (true, "supplier_vat_number_missing"),
        // An e-invoice is never possible, because the seller's details are missing.
        (true, "ubl_not_possible"),
        (!own.sent && own.method == VatMethod::Invoice, "draft_on_return"),
        (late, "invoiced_late"),
        (is_far, "date_unusual"),
        (has(VatMove::Waiting), "paid_before_invoice"),
        (has(VatMove::Moved), "vat_moved"),
        (early_final, "final_before_prepayment"),
        (near && !has_ended, "kor_limit_near"),
        (makes_pass, "kor_limit_passed_by"),
        (has_ended, "kor_ended"),
        (near_oss, "oss_limit_near"),
        (passed_oss, "oss_limit_passed"),
        (is_after_oss_return, "oss_return_filed"),
    ]
    .into_iter()
    .filter_map(|(there, code)| (there && lasts).then_some(code))
    .collect();
    assert_eq!(
        view.warnings().iter().map(|warning| warning.code()).collect::<Vec<_>>(),
        expected,
        "warnings of {id}"
    );
}

fn same_return(reported: &VatReturn, own: &Return) {
    let lines: Vec<_> = reported
        .lines
        .iter()
        .map(|line| (line.vat_box, line.turnover.map(money), line.vat.map(money)))
        .collect();
    assert_eq!(
        Return {
            lines,
            payable: money(reported.payable),
            declared: reported.declared_payable.into()
        },
        *own
    );
    for line in reported.lines.iter().filter(|line| !["5a", "5b", "5g"].contains(&line.vat_box)) {
        let declared =
            (line.declared_turnover.map(Money::from), line.declared_vat.map(Money::from));
        assert_eq!(
            declared,
            (line.turnover.map(money).map(euros_down), line.vat.map(money).map(euros_down)),
            "{line:?}"
        );
    }
}

fn drafts(of: &store::books::Drafts) -> Drafts {
    (of.count, money(of.revenue), money(of.vat), money(of.amount))
}

pub(crate) fn same_vat_return(view: &VatReturnDetails, account: &Account) {
    same_return(&view.vat_return, &account.vat_return(view.period));
    let totals = &view.totals;
    let counts = Counts {
        entries: totals.entries,
        invoices: totals.invoices,
        drafts: drafts(&totals.drafts),
        due_drafts: drafts(&totals.due_drafts),
        paid: totals.paid,
        outstanding: money(totals.outstanding),
    };
    assert_eq!(counts, account.counts(view.period), "{:?}", view.period);
    let reported: Vec<_> = view
        .versions
        .iter()
        .map(|(filing, boxes)| {
            let boxes: Vec<_> = boxes
                .iter()
                .map(|filed| {
                    (filed.vat_box.clone(), filed.turnover.map(money), filed.vat.map(money))
                })
                .collect();
            let amounts = (money(filing.payable), Money::from(filing.declared_payable));
            (filing.version, filing.filed_at, filing.reopened_at, filing.entry_id, amounts, boxes)
        })
        .collect();
    let own: Vec<_> = (1..)
        .zip(account.filings.get(&view.period).into_iter().flatten())
        .map(|(version, own): (i64, _)| {
            let lines = own
                .as_filed
                .lines
                .iter()
                .map(|(name, turnover, vat)| ((*name).to_owned(), *turnover, *vat))
                .collect();
            (
                version,
                own.at,
                own.reopened,
                own.entry,
                (own.as_filed.payable, own.as_filed.declared),
                lines,
            )
        })
        .collect();
    assert_eq!(reported, own, "{:?} as it was filed", view.period);
    if let Some(own) = account.filed(view.period) {
        assert_eq!(own.as_filed, account.vat_return(view.period), "a filed return does not change");
    }
}
