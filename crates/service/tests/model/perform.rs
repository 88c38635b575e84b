//! Execution of the commands on the real store.

use crate::commands::{Command, Made};
use jiff::Timestamp;
use service::{
    Context, Created, Environment, Error, access,
    accounts::{self},
    assets::{self, AssetDetails, ReviseVat},
    environment::{NoRandomness, Random},
    events,
    expenses::{self, ExpenseDetails},
    hours_log,
    invoices::{self, InvoiceDetails},
    manual_entries, mileage, oss,
    payments::{self, UndoPayment},
    payouts::{self, UndoPayout},
    projects, scheme_changes, time_entries, vat_accounting,
    vat_filings::{self, VatReturnDetails},
    vat_moves, vat_payments, vat_units,
    write_offs::{self, UndoWriteOff},
    years,
};
use std::sync::Arc;
use store::{Store, payments::Payment, projects::Project};

/// Reproducible random numbers: a command may run twice, and a test run must be replayable.
struct Repeatable(u64);

impl Random for Repeatable {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoRandomness> {
        fastrand::Rng::with_seed(self.0).fill(bytes);
        Ok(())
    }
}

/// Result of the store in addition to the id.
#[derive(Debug)]
pub(crate) enum Answer {
    Invoice(Box<InvoiceDetails>),
    Payment(Payment),
    Expense(Box<ExpenseDetails>),
    Project(Project),
    Asset(Box<AssetDetails>),
    /// Hash under which a new key is stored.
    Key([u8; 32]),
    Filing(Box<VatReturnDetails>),
    /// Nothing but the id.
    Id,
}

fn created<T>(
    created: Created<T>,
    id: impl Fn(&T) -> i64,
    wrap: impl Fn(T) -> Answer,
) -> (Made, Answer) {
    match created {
        Created::New(it) => (Made::New(id(&it)), wrap(it)),
        Created::Existing(it) => (Made::Existing(id(&it)), wrap(it)),
    }
}

/// Runs a command in a transaction of its own, as every interface does.
// Long: one match over all commands.
pub(crate) fn perform(
    store: &Store,
    cx: Option<Context>,
    now: Timestamp,
    seed: u64,
    command: &Command,
) -> Result<(Made, Answer), Error> {
    let command = command.clone();
    let boxed = |view: InvoiceDetails| Answer::Invoice(Box::new(view));
    let asset = |details: AssetDetails| Answer::Asset(Box::new(details));
    store.write_blocking(move |tx| {
        let env = Environment { random: Arc::new(Repeatable(seed)), ..Environment::at(now) };
        match &command {
            Command::Open(command) => {
                return Ok((Made::New(accounts::open(tx, &env, command)?), Answer::Id));
            }
            Command::Plan(email, plan) => {
                accounts::set_plan(tx, email, *plan)?;
                return Ok((Made::Nothing, Answer::Id));
            }
            _ => {}
        }
        let cx = &Context::new(cx.as_ref().unwrap().actor.clone(), env);
        Ok(match &command {
            Command::Open(_) | Command::Plan(..) => unreachable!("done above"),
            Command::Key(name, scopes) => {
                let made = access::create_key(
                    tx,
                    cx,
                    &access::CreateKey::new(name, *scopes).map_err(Error::Invalid)?,
                )?;
                let hash = access::recognise(&made.secret).unwrap();
                assert!(made.secret.starts_with(&made.key.prefix));
                (Made::New(made.key.id), Answer::Key(hash))
            }
            Command::Revoke(id) => {
                access::revoke_key(tx, cx, *id)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Invoice(command) => {
                created(invoices::create(tx, cx, command)?, |view| view.invoice.id, boxed)
            }
            Command::Edit(id, edit) => {
                (Made::Nothing, boxed(invoices::edit(tx, cx, *id, edit, &|_| true)?))
            }
            Command::Credit(command) => {
                created(invoices::credit(tx, cx, command)?, |view| view.invoice.id, boxed)
            }
            Command::Pay(command) => {
                created(payments::record(tx, cx, command)?, |payment| payment.id, Answer::Payment)
            }
            Command::Undo(ids, on) => (
                Made::Nothing,
                Answer::Payment(payments::undo(
                    tx,
                    cx,
                    *ids,
                    UndoPayment { date: on.0, if_filed: on.1 },
                    &|_| true,
                )?),
            ),
            Command::WriteOff(command) => {
                created(write_offs::record(tx, cx, command)?, |made| made.id, |_| Answer::Id)
            }
            Command::MoveVat(id, how) => {
                (Made::Nothing, boxed(vat_moves::move_vat(tx, cx, *id, *how)?))
            }
            Command::UndoWriteOff(ids, on) => {
                write_offs::undo(tx, cx, *ids, UndoWriteOff { date: on.0, if_filed: on.1 })?;
                (Made::Nothing, Answer::Id)
            }
            Command::Cancel(id, how) => {
                (Made::Nothing, boxed(invoices::cancel(tx, cx, *id, *how, &|_| true)?))
            }
            Command::Spend(command) => created(
                expenses::record(tx, cx, command)?,
                |made| made.expense.id,
                |made| Answer::Expense(Box::new(made)),
            ),
            Command::PayBill(command) => {
                expenses::pay(tx, cx, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::RepayVat(id, on, how) => {
                expenses::repay_vat(tx, cx, *id, *on, *how)?;
                (Made::Nothing, Answer::Id)
            }
            Command::UndoExpense(id, how) => {
                expenses::undo(tx, cx, *id, *how)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Buy(command) => {
                created(assets::buy(tx, cx, command)?, |made| made.asset.id, asset)
            }
            Command::Depreciate(id, until) => {
                (Made::Nothing, asset(assets::depreciate(tx, cx, *id, *until)?))
            }
            Command::Dispose(id, command) => {
                (Made::Nothing, asset(assets::dispose(tx, cx, *id, command)?))
            }
            Command::ReviseVat(id, (date, if_filed)) => {
                let how = ReviseVat { date: *date, if_filed: *if_filed };
                (Made::Nothing, asset(assets::revise_vat(tx, cx, *id, how)?))
            }
            Command::UndoAsset(id, how) => (Made::Nothing, asset(assets::undo(tx, cx, *id, *how)?)),
            Command::PayVat(command) => {
                created(vat_payments::record(tx, cx, command)?, |made| made.id, |_| Answer::Id)
            }
            Command::UndoVatPayment(id) => {
                vat_payments::undo(tx, cx, *id)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Manual(date, booking) => {
                (Made::New(manual_entries::record(tx, cx, *date, booking)?), Answer::Id)
            }
            Command::Payout(command) => {
                created(payouts::record(tx, cx, command)?, |made| made.id, |_| Answer::Id)
            }
            Command::UndoPayout(id, on) => {
                payouts::undo(tx, cx, *id, UndoPayout { date: on.0, if_filed: on.1 })?;
                (Made::Nothing, Answer::Id)
            }
            Command::Trip(command) => {
                created(mileage::record(tx, cx, command)?, |made| made.id, |_| Answer::Id)
            }
            Command::UndoTrip(id) => {
                mileage::undo(tx, cx, *id)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Event(command) => {
                created(events::record(tx, cx, command)?, |made| made.stored.id, |_| Answer::Id)
            }
            Command::UndoEvent(kind, id, how) => {
                events::undo(tx, cx, (*kind, *id), *how)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Project(command) => {
                created(projects::create(tx, cx, command)?, |project| project.id, Answer::Project)
            }
            Command::Archive(id, archived) => {
                projects::set_archived(tx, cx, *id, *archived)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Work(command) => {
                created(time_entries::create(tx, cx, command)?, |entry| entry.id, |_| Answer::Id)
            }
            Command::Rework(id, edit) => {
                time_entries::edit(tx, cx, *id, edit, &|_| true)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Unwork(id) => {
                time_entries::delete(tx, cx, *id, &|_| true)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Log(command) => {
                created(hours_log::create(tx, cx, command)?, |entry| entry.id, |_| Answer::Id)
            }
            Command::File(period) => {
                (Made::Nothing, Answer::Filing(Box::new(vat_filings::file(tx, cx, *period)?)))
            }
            Command::Reopen(period) => {
                vat_filings::reopen(tx, cx, *period)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Unit(command) => {
                vat_units::change(tx, cx, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Scheme(command) => {
                scheme_changes::change(tx, cx, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Method(command) => {
                vat_accounting::change(tx, cx, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::Register(command) => {
                oss::register(tx, cx, command)?;
                (Made::Nothing, Answer::Id)
            }
            Command::FileOss(period) => {
                oss::file(tx, cx, *period)?;
                (Made::Nothing, Answer::Id)
            }
            Command::ReopenOss(period) => {
                oss::reopen(tx, cx, *period)?;
                (Made::Nothing, Answer::Id)
            }
            Command::CloseYear(year) => {
                years::close(tx, cx, *year)?;
                (Made::Nothing, Answer::Id)
            }
            Command::ReopenYear(year) => {
                years::reopen(tx, cx, *year)?;
                (Made::Nothing, Answer::Id)
            }
        })
    })
}
