//! The same commands on the real store.

use crate::commands::{Command, Made};
use jiff::Timestamp;
use service::{
    Actor, Created, Error, access,
    accounts::{self},
    assets::{self, AssetDetails, ReviseVat},
    environment::{NoRandomness, Random},
    events,
    expenses::{self, ExpenseDetails},
    hours_log,
    invoices::{self, InvoiceDetails},
    manual_entries, mileage,
    payments::{self, UndoPayment},
    payouts::{self, UndoPayout},
    projects, time_entries,
    vat_filings::{self, VatReturnDetails},
    vat_payments, vat_schemes,
    write_offs::{self, UndoWriteOff},
    years,
};
use store::{Store, payments::Payment, projects::Project};

/// Randomness that can be repeated: a write may run twice, and a run must be replayable.
struct Repeatable(u64);

impl Random for Repeatable {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        fastrand::Rng::with_seed(self.0).fill(bytes);
        Ok(())
    }
}

/// What the store answered, beside the id.
#[derive(Debug)]
pub(crate) enum Answer {
    Invoice(Box<InvoiceDetails>),
    Payment(Payment),
    Expense(Box<ExpenseDetails>),
    Project(Project),
    Asset(Box<AssetDetails>),
    /// The hash that a new key is found by.
    Key([u8; 32]),
    Filing(Box<VatReturnDetails>),
    /// All that there is to tell is the id.
    Id,
}

fn created<T>(created: Created<T>, id: impl Fn(&T) -> i64, wrap: impl Fn(T) -> Answer) -> (Made, Answer) {
    match created {
        Created::New(it) => (Made::New(id(&it)), wrap(it)),
        Created::Existing(it) => (Made::Known(id(&it)), wrap(it)),
    }
}

/// Runs a command in a transaction of its own, as every interface does.
pub(crate) fn perform(
    store: &Store,
    actor: Option<Actor>,
    now: Timestamp,
    seed: u64,
    command: &Command,
) -> Result<(Made, Answer), Error> {
    let command = command.clone();
    let boxed = |view: InvoiceDetails| Answer::Invoice(Box::new(view));
    let asset = |details: AssetDetails| Answer::Asset(Box::new(details));
    store.write_blocking(move |tx| {
        let random = Repeatable(seed);
        match &command {
            Command::Open(command) => return Ok((Made::New(accounts::open(tx, &random, now, command)?), Answer::Id)),
            Command::Plan(email, plan) => {
                accounts::set_plan(tx, email, *plan)?;
                return Ok((Made::Nothing, Answer::Id));
            }
            _ => {}
        }
        let actor = actor.as_ref().unwrap();
        Ok(match &command {
            Command::Open(_) | Command::Plan(..) => unreachable!("done above"),
            Command::Key(name, scopes) => {
                let made = access::create_key(tx, actor, &random, now, name, *scopes, "")?;
                let hash = access::recognise(&made.secret).unwrap();
                assert!(made.secret.starts_with(&made.key.prefix));
                (Made::New(made.key.id), Answer::Key(hash))
            }
            Command::Revoke(id) => {
                access::revoke_key(tx, actor, &random, now, *id, "")?;
                (Made::Nothing, Answer::Id)
            }
            Command::Invoice(command) => created(invoices::create(tx, actor, now, command)?, |view| view.invoice.id, boxed),
            Command::Edit(id, edit) => (Made::Nothing, boxed(invoices::edit(tx, actor, now, *id, edit, &|_| true)?)),
            Command::Credit(command) => created(invoices::credit(tx, actor, now, command)?, |view| view.invoice.id, boxed),
            Command::Pay(command) => created(payments::record(tx, actor, now, command)?, |payment| payment.id, Answer::Payment),
            Command::Undo(ids, on) => (
                Made::Nothing,
                Answer::Payment(payments::undo(tx, actor, now, *ids, UndoPayment { date: on.0, if_filed: on.1 })?),
            ),
            Command::WriteOff(command) => created(write_offs::record(tx, actor, now, command)?, |made| made.id, |_| Answer::Id),
            Command::UndoWriteOff(ids, on) => {
                write_offs::undo(tx, actor, now, *ids, UndoWriteOff { date: on.0, if_filed: on.1 })?;
                (Made::Nothing, Answer::Id)
            }
            Command::Cancel(id, how) => (Made::Nothing, boxed(invoices::cancel(tx, actor, now, *id, *how)?)),
            Command::Spend(command) => created(
                expenses::record(tx, actor, now, command)?,
                |made| made.expense.id,
                |made| Answer::Expense(Box::new(made)),
            ),
            Command::PayBill(command) => {
                expenses::pay(tx, actor, now, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::RepayVat(id, on, how) => {
                expenses::repay_vat(tx, actor, now, *id, *on, *how)?;
                (Made::Nothing, Answer::Id)
            }
            Command::UndoExpense(id, how) => {
                expenses::undo(tx, actor, now, *id, *how)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Buy(command) => created(assets::buy(tx, actor, now, command)?, |made| made.asset.id, asset),
            Command::Depreciate(id, until) => (Made::Nothing, asset(assets::depreciate(tx, actor, now, *id, *until)?)),
            Command::Dispose(id, command) => (Made::Nothing, asset(assets::dispose(tx, actor, now, *id, command)?)),
            Command::ReviseVat(id, (date, if_filed)) => {
                let how = ReviseVat { date: *date, if_filed: *if_filed };
                (Made::Nothing, asset(assets::revise_vat(tx, actor, now, *id, how)?))
            }
            Command::UndoAsset(id, how) => (Made::Nothing, asset(assets::undo(tx, actor, now, *id, *how)?)),
            Command::PayVat(command) => created(vat_payments::record(tx, actor, now, command)?, |made| made.id, |_| Answer::Id),
            Command::UndoVatPayment(id) => {
                vat_payments::undo(tx, actor, now, *id)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Manual(date, booking) => (Made::New(manual_entries::record(tx, actor, now, *date, booking)?), Answer::Id),
            Command::Payout(command) => created(payouts::record(tx, actor, now, command)?, |made| made.id, |_| Answer::Id),
            Command::UndoPayout(id, on) => {
                payouts::undo(tx, actor, now, *id, UndoPayout { date: on.0, if_filed: on.1 })?;
                (Made::Nothing, Answer::Id)
            }
            Command::Trip(command) => created(mileage::record(tx, actor, now, command)?, |made| made.id, |_| Answer::Id),
            Command::UndoTrip(id) => {
                mileage::undo(tx, actor, now, *id)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Event(command) => created(events::record(tx, actor, now, command)?, |made| made.stored.id, |_| Answer::Id),
            Command::UndoEvent(kind, id, how) => {
                events::undo(tx, actor, now, (*kind, *id), *how)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Project(command) => {
                created(projects::create(tx, actor, now, command)?, |project| project.id, Answer::Project)
            }
            Command::Archive(id, archived) => {
                projects::set_archived(tx, actor, now, *id, *archived)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Work(command) => created(time_entries::create(tx, actor, now, command)?, |entry| entry.id, |_| Answer::Id),
            Command::Rework(id, edit) => {
                time_entries::edit(tx, actor, now, *id, edit, &|_| true)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Unwork(id) => {
                time_entries::delete(tx, actor, now, *id, &|_| true)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Log(command) => created(hours_log::create(tx, actor, now, command)?, |entry| entry.id, |_| Answer::Id),
            Command::File(quarter) => (Made::Nothing, Answer::Filing(Box::new(vat_filings::file(tx, actor, now, *quarter)?))),
            Command::Reopen(quarter) => {
                vat_filings::reopen(tx, actor, now, *quarter)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Scheme(command) => {
                vat_schemes::change(tx, actor, now, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::CloseYear(year) => {
                years::close(tx, actor, now, *year)?;
                (Made::Nothing, Answer::Id)
            }
            Command::ReopenYear(year) => {
                years::reopen(tx, actor, now, *year)?;
                (Made::Nothing, Answer::Id)
            }
        })
    })
}
