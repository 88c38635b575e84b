//! The same deeds on the real store.

use crate::deeds::{Deed, Made};
use jiff::Timestamp;
use service::{
    Actor, Created, Error, access,
    accounts::{self},
    expenses, hours_log,
    invoices::{self, InvoiceView},
    manual,
    outside::{NoRandomness, Random},
    payments, projects, time_entries,
    vat_filings::{self, FilingView},
};
use store::{Store, expenses::Expense, payments::Payment, projects::Project};

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
    Invoice(Box<InvoiceView>),
    Payment(Payment),
    Expense(Expense),
    Project(Project),
    /// The hash that a new key is found by.
    Key([u8; 32]),
    Filing(Box<FilingView>),
    /// All that there is to tell is the id.
    Id,
}

fn created<T>(created: Created<T>, id: impl Fn(&T) -> i64, wrap: impl Fn(T) -> Answer) -> (Made, Answer) {
    match created {
        Created::New(it) => (Made::New(id(&it)), wrap(it)),
        Created::Known(it) => (Made::Known(id(&it)), wrap(it)),
    }
}

/// Does a deed in a transaction of its own, as every door does.
pub(crate) fn perform(
    store: &Store,
    actor: Option<Actor>,
    now: Timestamp,
    seed: u64,
    deed: &Deed,
) -> Result<(Made, Answer), Error> {
    let deed = deed.clone();
    let boxed = |view: InvoiceView| Answer::Invoice(Box::new(view));
    store.write_blocking(move |tx| {
        let random = Repeatable(seed);
        match &deed {
            Deed::Open(command) => return Ok((Made::New(accounts::open(tx, &random, now, command)?), Answer::Id)),
            Deed::Plan(email, plan) => {
                accounts::set_plan(tx, email, *plan)?;
                return Ok((Made::Nothing, Answer::Id));
            }
            _ => {}
        }
        let actor = actor.as_ref().unwrap();
        Ok(match &deed {
            Deed::Open(_) | Deed::Plan(..) => unreachable!("done above"),
            Deed::Key(name, scopes) => {
                let made = access::create_key(tx, actor, &random, now, name, *scopes, "")?;
                let hash = access::recognise(&made.secret).unwrap();
                assert!(made.secret.starts_with(&made.key.prefix));
                (Made::New(made.key.id), Answer::Key(hash))
            }
            Deed::Revoke(id) => {
                access::revoke_key(tx, actor, &random, now, *id, "")?;
                (Made::Nothing, Answer::Id)
            }
            Deed::Invoice(command) => created(invoices::create(tx, actor, now, command)?, |view| view.invoice.id, boxed),
            Deed::Edit(id, edit) => (Made::Nothing, boxed(invoices::edit(tx, actor, now, *id, edit, &|_| true)?)),
            Deed::Credit(command) => created(invoices::credit(tx, actor, now, command)?, |view| view.invoice.id, boxed),
            Deed::Pay(command) => created(payments::record(tx, actor, now, command)?, |payment| payment.id, Answer::Payment),
            Deed::Spend(command) => created(expenses::record(tx, actor, now, command)?, |expense| expense.id, Answer::Expense),
            Deed::Manual(date, booking) => (Made::New(manual::record(tx, actor, now, *date, booking)?), Answer::Id),
            Deed::Project(command) => {
                let project = projects::create(tx, actor, now, command)?;
                (Made::New(project.id), Answer::Project(project))
            }
            Deed::Archive(id, archived) => {
                projects::set_archived(tx, actor, *id, *archived)?;
                (Made::Nothing, Answer::Id)
            }
            Deed::Work(command) => created(time_entries::create(tx, actor, now, command)?, |entry| entry.id, |_| Answer::Id),
            Deed::Log(command) => created(hours_log::create(tx, actor, now, command)?, |entry| entry.id, |_| Answer::Id),
            Deed::File(quarter) => (Made::Nothing, Answer::Filing(Box::new(vat_filings::file(tx, actor, now, *quarter)?))),
            Deed::Reopen(quarter) => {
                vat_filings::reopen(tx, actor, now, *quarter)?;
                (Made::Nothing, Answer::Id)
            }
        })
    })
}
