//! Events without an invoice or receipt: `/manual-entries`, `/opening-balance`, `/transfers`,
//! `/private-bookings`, `/accruals`, `/loans` with their repayments, `/private-use`. All share one
//! implementation.

use super::bodies::{
    AccrualBody, EventBody, LoanBody, ManualEntryBody, OpeningBalanceBody, PrivateBookingBody,
    PrivateUseBody, RepaymentBody, TransferBody,
};
use crate::{
    operation::Operation,
    resource::{Creatable, Ids, Key, Listed, Parent, Resource, Undoable},
    undoing::{Takes, Undoing},
};
use ledger::entry::SourceType;
use serde_json::{Value, json};
use service::{
    Context, Created, Error, Fault,
    events::{self, EventDetails, NewEvent},
};
use store::{Page, SyncFilter, Tx};
use web_core::{
    catalogue::{
        ALREADY_UNDONE, BOOKED_FROM_BANK_LINE, CORRECTION_TOO_LARGE, HAS_OPENING_BALANCE,
        HAS_PARTS, NOT_FOUND, PERIOD_FILED,
    },
    input::{self, Fields, Parsed, new_event},
};

/// Description of the undo operation for every kind of event.
const UNDO: &str =
    "Reverses its journal entries, each on its own date. It stays listed with `undoneAt`.";

pub(crate) fn operations() -> Vec<Operation> {
    let mut operations = Vec::new();
    operations.extend(kind::<ManualEntryBody>(
        "/manual-entries/{id}/reverse",
        ["listManualEntries", "createManualEntry", "readManualEntry", "reverseManualEntry"],
        ["List manual entries", "Create a manual entry", "Read a manual entry", "Reverse a manual entry"],
        json!({ "externalId": "memo-7", "date": "2026-11-20", "description": "Bank costs of October",
                "lines": [{ "account": "4610", "debit": 12.50 }, { "account": "1100", "credit": 12.50 }] }),
    ));
    operations.push(undo_operation::<ManualEntryBody>(
        "/manual-entries/{id}/undo",
        "undoManualEntry",
        "Undo a manual entry",
    ));
    operations.extend(kind::<OpeningBalanceBody>(
        "/opening-balance/{id}/undo",
        ["listOpeningBalances", "createOpeningBalance", "readOpeningBalance", "undoOpeningBalance"],
        ["List opening balances", "Create the opening balance", "Read an opening balance", "Undo the opening balance"],
        json!({ "externalId": "start", "date": "2026-01-01",
                "balances": [{ "account": "1100", "amount": 8000.00 }, { "account": "0200", "amount": 1899.00 },
                             { "account": "0210", "amount": -341.82 }, { "account": "1780", "amount": -1150.00 }],
                "openItems": [{ "kind": "receivable", "contact": "Bakkerij De Korenaar", "number": "2025-0041", "date": "2025-12-02",
                                "dueDate": "2026-01-01", "amount": 605.00, "total": 1210.00, "supplyDate": "2025-11-28",
                                "vat": [{ "rate": 21, "base": 1000.00, "amount": 210.00 }] },
                              { "kind": "payable", "contact": "Papierhal B.V.", "number": "88104", "date": "2025-12-15",
                                "dueDate": "2026-01-14", "amount": 121.00 }] }),
    ));
    operations.extend(kind::<TransferBody>(
        "/transfers/{id}/undo",
        ["listTransfers", "createTransfer", "readTransfer", "undoTransfer"],
        ["List transfers", "Create a transfer", "Read a transfer", "Undo a transfer"],
        json!({ "externalId": "bank-77", "date": "2026-11-20", "from": "bank", "to": "savings", "amount": 1000.00 }),
    ));
    operations.extend(kind::<PrivateBookingBody>(
        "/private-bookings/{id}/undo",
        ["listPrivateBookings", "createPrivateBooking", "readPrivateBooking", "undoPrivateBooking"],
        ["List private bookings", "Create a private booking", "Read a private booking", "Undo a private booking"],
        json!({ "externalId": "bank-78", "date": "2026-11-25", "kind": "drawing", "amount": 1800.00, "method": "bank" }),
    ));
    operations.extend(kind::<AccrualBody>(
        "/accruals/{id}/undo",
        ["listAccruals", "createAccrual", "readAccrual", "undoAccrual"],
        ["List accruals", "Create an accrual", "Read an accrual", "Undo an accrual"],
        json!({ "externalId": "close-1", "date": "2026-12-31", "kind": "workToInvoice", "account": "8000", "amount": 1600.00,
                "reverseOn": "2027-01-01" }),
    ));
    operations.extend(kind::<LoanBody>(
        "/loans/{id}/undo",
        ["listLoans", "createLoan", "readLoan", "undoLoan"],
        ["List loans", "Create a loan", "Read a loan", "Undo a loan"],
        json!({ "externalId": "loan-1", "date": "2026-11-20", "account": "0700", "amount": 10_000.00 }),
    ));
    operations.extend(repayments());
    operations.extend(kind::<PrivateUseBody>(
        "/private-use/{id}/undo",
        ["listPrivateUse", "createPrivateUse", "readPrivateUse", "undoPrivateUse"],
        ["List private uses", "Create a private use", "Read a private use", "Undo a private use"],
        json!({ "externalId": "close-2", "date": "2026-12-31", "kind": "car", "vat": 1080.00, "base": 8800.00 }),
    ));
    operations
}

/// Operations on a kind of event: list, create, read and undo. `ids` and `says` contain the ids and
/// the summaries of these operations, in the same order; `undo` is the path for undoing an event.
fn kind<B: EventBody<Key = i64>>(
    undo: &'static str,
    ids: [&'static str; 4],
    says: [&'static str; 4],
    example: Value,
) -> Vec<Operation> {
    vec![
        Operation::list_of::<Recorded<B>>(ids[0]).says(says[0], "Newest first."),
        Operation::create_of::<Recorded<B>>(ids[1], example)
            .says(says[1], "")
            .or(if is_in_box::<B>() {
                &[PERIOD_FILED, CORRECTION_TOO_LARGE, HAS_OPENING_BALANCE]
            } else {
                &[PERIOD_FILED, HAS_OPENING_BALANCE]
            })
            .for_dutch_accounts(),
        Operation::read_of::<Recorded<B>>(ids[2]).says(says[2], ""),
        undo_operation::<B>(undo, ids[3], says[3]),
    ]
}

/// Whether events of the kind affect a box of the VAT return; only private use does.
fn is_in_box<B: EventBody>() -> bool {
    B::KIND == SourceType::PrivateUse
}

fn undo_operation<B: EventBody>(
    path: &'static str,
    id: &'static str,
    says: &'static str,
) -> Operation {
    Operation::undo_of::<Recorded<B>>(path, id)
        .says(says, UNDO)
        .or(if is_in_box::<B>() {
            &[NOT_FOUND, ALREADY_UNDONE, HAS_PARTS, PERIOD_FILED, CORRECTION_TOO_LARGE]
        } else {
            &[NOT_FOUND, ALREADY_UNDONE, HAS_PARTS, PERIOD_FILED, BOOKED_FROM_BANK_LINE]
        })
        .for_dutch_accounts()
}

fn repayments() -> Vec<Operation> {
    type Repayment = Recorded<RepaymentBody>;
    let example = json!({ "externalId": "bank-79", "date": "2026-12-20", "principal": 200.00, "interest": 41.67 });
    vec![
        Operation::list_of::<Repayment>("listLoanRepayments")
            .says("List the repayments of a loan", "Newest first.")
            .or(&[NOT_FOUND]),
        Operation::create_of::<Repayment>("createLoanRepayment", example)
            .says(
                "Create a repayment of a loan",
                "Books principal and interest in one payment. The principal cannot exceed the \
                 amount owed.",
            )
            .or(&[NOT_FOUND, ALREADY_UNDONE])
            .for_dutch_accounts(),
        Operation::read_of::<Repayment>("readLoanRepayment").says("Read a repayment of a loan", ""),
        Operation::undo_of::<Repayment>(
            "/loans/{id}/repayments/{repaymentId}/undo",
            "undoLoanRepayment",
        )
        .says("Undo a repayment of a loan", UNDO)
        .or(&[NOT_FOUND, ALREADY_UNDONE, BOOKED_FROM_BANK_LINE])
        .for_dutch_accounts(),
    ]
}

/// An event with the representation `B`.
pub(super) struct Recorded<B>(B);

impl<B: EventBody> Recorded<B> {
    fn of(details: &EventDetails, cx: &Context) -> Result<Self, Error> {
        let body = B::of(details, &cx.actor.own_accounts).ok_or_else(|| {
            Error::Internal(format!("an event is not a {}", events::name(B::KIND)))
        })?;
        Ok(Self(body))
    }
}

/// Checks that the loan of a repayment exists. Other events have no parent.
fn require_loan(tx: &mut Tx<'_>, cx: &Context, parent: Option<i64>) -> Result<(), Error> {
    parent.map_or(Ok(()), |loan| events::read(tx, cx, SourceType::Loan, loan).map(drop))
}

impl<B: EventBody> Resource for Recorded<B> {
    type Key = B::Key;
    type Body<'r> = &'r B;
    const PATH: &'static str = B::PATH;
    const NAME: &'static str = events::name(B::KIND);
    const PARENT: &'static str = "loan";
    const KIND: &'static str = B::KIND.as_str();

    fn key(&self) -> B::Key {
        self.0.key()
    }

    fn body(&self, _: &Context) -> &B {
        &self.0
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, key: B::Key) -> Result<Self, Error> {
        let event = Self::of(&events::read(tx, cx, B::KIND, key.id())?, cx)?;
        Some(event).filter(|event| event.key() == key).ok_or(Error::NotFound(Self::NAME))
    }
}

impl<B: EventBody> Listed for Recorded<B> {
    type Filter = SyncFilter;
    const NEWEST_FIRST: bool = true;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        parent: Parent<Self>,
        filter: &SyncFilter,
        before: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        require_loan(tx, cx, parent.last())?;
        let page = events::list(tx, cx, B::KIND, parent.last(), filter, before, limit)?;
        Ok(Page {
            rows: page.rows.iter().map(|event| Self::of(event, cx)).collect::<Result<_, _>>()?,
            more: page.more,
        })
    }
}

impl<B: EventBody> Creatable for Recorded<B> {
    type New = NewEvent;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, parent: Parent<Self>) -> Parsed<NewEvent> {
        new_event(fields, B::KIND, parent.last())
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewEvent) -> Result<Created<Self>, Error> {
        Ok(match events::record(tx, cx, new)? {
            Created::New(event) => Created::New(Self::of(&event, cx)?),
            Created::Existing(event) => Created::Existing(Self::of(&event, cx)?),
        })
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        events::find_by_external_id(tx, cx, B::KIND, external_id)?
            .as_ref()
            .map(|event| Self::of(event, cx))
            .transpose()
    }

    fn validate(
        tx: &mut Tx<'_>,
        cx: &Context,
        parent: Parent<Self>,
        (): &(),
    ) -> Result<Vec<Fault>, Error> {
        require_loan(tx, cx, parent.last())?;
        Ok(Vec::new())
    }
}

impl<B: EventBody> Undoable for Recorded<B> {
    const TAKES: Takes =
        if input::can_be_correction(B::KIND) { Takes::Correction } else { Takes::Nothing };

    fn undo(tx: &mut Tx<'_>, cx: &Context, key: B::Key, how: Undoing) -> Result<Self, Error> {
        if B::KIND == SourceType::LoanRepayment {
            // Fails unless the repayment belongs to the loan in the path.
            Self::find(tx, cx, key)?;
        }
        Self::of(&events::undo(tx, cx, (B::KIND, key.id()), how.if_filed)?, cx)
    }
}
