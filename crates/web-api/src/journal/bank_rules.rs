//! `/bank-rules`: conditions on bank lines, and the booking that follows.

use super::bank_suggestions::SuggestedItemBody;
use crate::{
    body,
    moment::Moment,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    query, reply,
    resource::{Creatable, Deletable, Editable, Listed, Resource},
};
use axum::{
    Extension,
    extract::{Path, Request, State},
    response::Response,
};
use ledger::{
    bank_line::{IgnoreReason, LineDirection},
    event::{PremiumKind, PrivateKind},
    identifiers::Iban,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context, Created, Error, Fault,
    bank_repeats::RepeatedBooking,
    bank_rules::{self, BankRule, EditRule, NewRule, RuleOutcome},
};
use store::{Page, SyncFilter, Tx, contacts::status};
use web_core::{
    AppState,
    catalogue::{NOT_FOUND, PRECONDITION_FAILED},
    input::{
        Fields, Parsed, RULE_STATUSES, edited_bank_rule, names, names_of, new_bank_rule, or_null,
    },
    problem::Problem,
};

/// A rule for bank lines.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankRule")]
pub(crate) struct BankRuleBody<'a> {
    /// Id, unique within the account.
    id: i64,
    /// Your own identifier.
    #[schemars(example = &"rule-hosting")]
    external_id: Option<&'a str>,
    /// Name.
    #[schemars(example = &"Bank charges")]
    name: &'a str,
    /// Position: of the rules that fit a line, the lowest position decides.
    position: i64,
    /// Conditions, all of which must hold.
    when: WhenBody<'a>,
    /// Booking of the lines.
    then: ThenBody,
    /// Whether new lines are booked without asking.
    automatic: bool,
    /// `active` or `archived`. An archived rule is no longer applied.
    #[schemars(extend("enum" = names(RULE_STATUSES)))]
    status: &'static str,
    /// Time of creation.
    created_at: Moment,
    /// Time of the last change.
    updated_at: Moment,
}

/// The conditions of a rule; null where there is none.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankRuleConditions")]
struct WhenBody<'a> {
    /// Id of the bank account.
    bank_account_id: Option<i64>,
    /// Direction of the lines.
    #[schemars(extend("enum" = names_of(LineDirection::ALL)))]
    direction: &'static str,
    /// IBAN of the counterparty.
    #[schemars(example = &"NL91ABNA0417164300")]
    iban: Option<&'a str>,
    /// Creditor identifier of a direct debit.
    #[schemars(example = &"NL98ZZZ999999990000")]
    creditor_id: Option<&'a str>,
    /// Part of the counterparty's name.
    #[schemars(example = &"Hosting")]
    name_contains: Option<&'a str>,
    /// Part of the text.
    #[schemars(example = &"pakketkosten")]
    text_contains: Option<&'a str>,
    /// Minimum amount, without sign.
    amount_from: Option<Amount>,
    /// Maximum amount, without sign.
    amount_to: Option<Amount>,
}

/// The booking of a rule. The fields of other kinds are null.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankRuleBooking")]
struct ThenBody {
    /// Kind of booking, or `ignore`.
    #[schemars(example = &"bankCosts")]
    kind: &'static str,
    /// Reason to ignore lines.
    #[schemars(extend("enum" = or_null(names_of(IgnoreReason::OF_CALLER))))]
    reason: Option<&'static str>,
    /// Lines of an expense: one, which takes the whole amount.
    items: Option<[SuggestedItemBody; 1]>,
    /// Id of the supplier's contact.
    contact_id: Option<i64>,
    /// Name of the supplier; without one, the counterparty of the line.
    #[schemars(example = &"TransIP")]
    supplier: Option<String>,
    /// Share of the purchases that is for the business, as a percentage.
    #[schemars(example = &100)]
    business_share: Option<Number>,
    /// Purpose of private money.
    #[schemars(extend("enum" = or_null(names_of(PrivateKind::ALL))))]
    private_kind: Option<&'static str>,
    /// Kind of a premium.
    #[schemars(extend("enum" = or_null(names_of(PremiumKind::ALL))))]
    premium: Option<&'static str>,
    /// Id of the other bank account.
    bank_account_id: Option<i64>,
    /// Id of the loan.
    loan_id: Option<i64>,
    /// Interest in the amount.
    interest: Option<Amount>,
    /// Code of the ledger account.
    #[schemars(example = &"4204")]
    account: Option<String>,
    /// Description of the entries.
    #[schemars(example = &"Wegenbelasting")]
    description: Option<String>,
}

impl ThenBody {
    fn of(rule: &BankRule) -> Self {
        let booking = match RuleOutcome::parse(&rule.outcome) {
            Some(RuleOutcome::Book(booking)) => booking,
            Some(RuleOutcome::Ignore(reason)) => {
                return Self { kind: "ignore", reason: Some(reason.as_str()), ..Self::default() };
            }
            None => return Self::default(),
        };
        let body = Self { kind: booking.kind().as_str(), ..Self::default() };
        match booking {
            RepeatedBooking::Expense(expense) => Self {
                items: Some([SuggestedItemBody::of(&expense)]),
                contact_id: expense.supplier.contact_id,
                supplier: expense.supplier.name,
                business_share: Some(Number(expense.business_share.percent())),
                description: expense.description,
                ..body
            },
            RepeatedBooking::Vat | RepeatedBooking::BankCosts | RepeatedBooking::Interest => body,
            RepeatedBooking::Private { kind, premium } => Self {
                private_kind: Some(kind.as_str()),
                premium: premium.map(PremiumKind::as_str),
                ..body
            },
            RepeatedBooking::Transfer { bank_account_id } => {
                Self { bank_account_id: Some(bank_account_id), ..body }
            }
            RepeatedBooking::LoanRepayment { loan_id, interest } => {
                Self { loan_id: Some(loan_id), interest: Some(Amount(interest)), ..body }
            }
            RepeatedBooking::Ledger { account, description } => {
                Self { account: Some(account.to_string()), description, ..body }
            }
        }
    }
}

impl Resource for BankRule {
    type Key = i64;
    type Body<'r> = BankRuleBody<'r>;
    const PATH: &'static str = "/bank-rules/{id}";
    const NAME: &'static str = "bank rule";
    const KIND: &'static str = "bankRule";

    fn key(&self) -> i64 {
        self.id
    }

    fn body(&self, _: &Context) -> BankRuleBody<'_> {
        BankRuleBody {
            id: self.id,
            external_id: self.external_id.as_deref(),
            name: &self.name,
            position: self.position,
            when: WhenBody {
                bank_account_id: self.bank_account_id,
                direction: self.direction.as_str(),
                iban: self.iban.as_ref().map(Iban::as_str),
                creditor_id: self.creditor_id.as_deref(),
                name_contains: self.name_contains.as_deref(),
                text_contains: self.text_contains.as_deref(),
                amount_from: self.amount_from.map(Amount),
                amount_to: self.amount_to.map(Amount),
            },
            then: ThenBody::of(self),
            automatic: self.automatic,
            status: status(self.archived),
            created_at: Moment(self.created_at),
            updated_at: Moment(self.updated_at),
        }
    }

    fn find(tx: &mut Tx<'_>, cx: &Context, id: i64) -> Result<Self, Error> {
        bank_rules::read(tx, cx, id)
    }
}

impl Listed for BankRule {
    type Filter = SyncFilter;

    fn list(
        tx: &mut Tx<'_>,
        cx: &Context,
        (): (),
        filter: &SyncFilter,
        after: i64,
        limit: i64,
    ) -> Result<Page<Self>, Error> {
        bank_rules::list(tx, cx, filter, after, limit)
    }
}

impl Creatable for BankRule {
    type New = NewRule;
    type Partial = ();

    fn read_new(fields: &mut Fields<'_, '_>, (): ()) -> Parsed<NewRule> {
        new_bank_rule(fields)
    }

    fn create(tx: &mut Tx<'_>, cx: &Context, new: &NewRule) -> Result<Created<Self>, Error> {
        bank_rules::create(tx, cx, new)
    }

    fn find_by_external_id(
        tx: &mut Tx<'_>,
        cx: &Context,
        external_id: Option<&str>,
    ) -> Result<Option<Self>, Error> {
        cx.actor.require_dutch()?;
        bank_rules::find_by_external_id(tx, cx, external_id)
    }

    fn validate(_: &mut Tx<'_>, _: &Context, (): (), (): &()) -> Result<Vec<Fault>, Error> {
        Ok(Vec::new())
    }
}

impl Editable for BankRule {
    type Edit = EditRule;
    type PartialEdit = ();

    fn read_edit(fields: &mut Fields<'_, '_>) -> Parsed<EditRule> {
        edited_bank_rule(fields)
    }

    fn validate_edit(_: &mut Tx<'_>, _: &Context, _: &Self, (): &()) -> Result<Vec<Fault>, Error> {
        Ok(Vec::new())
    }

    fn edit(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        edit: &EditRule,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<Self, Error> {
        bank_rules::edit(tx, cx, id, edit, expected)
    }
}

impl Deletable for BankRule {
    fn delete(
        tx: &mut Tx<'_>,
        cx: &Context,
        id: i64,
        expected: &dyn Fn(&Self) -> bool,
    ) -> Result<(), Error> {
        bank_rules::archive(tx, cx, id, expected)
    }
}

/// Lines of the last 12 months that a rule fits.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "BankRulePreview")]
struct PreviewBody {
    /// Ids of new lines, which the rule would book.
    new: Vec<i64>,
    /// Number of lines that were booked or ignored as the rule says.
    #[schemars(example = &11)]
    agreed: i64,
    /// Ids of lines that were booked or ignored in another way.
    contradicted: Vec<i64>,
}

async fn preview(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    body::read_none(request).await?;
    let id = query::id(&id, BankRule::NAME)?;
    let lane = store::Lane::of(cx.actor.account).list();
    let account = cx.actor.account;
    once::refuse_reused(&app, account).await?;
    let preview = app.query(lane, move |tx| bank_rules::preview(tx, &cx, id)).await?;
    let body = PreviewBody {
        new: preview.new,
        agreed: preview.agreed,
        contradicted: preview.contradicted,
    };
    // The transaction of the key only keeps the answer.
    let done = move |_: &mut Tx<'_>| Ok(body.clone());
    once::answer(&app, account, done, |body| reply::changed(&body)).await
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "externalId": "rule-bank-costs", "name": "Bank charges",
        "when": { "direction": "out", "textContains": "pakketkosten" },
        "then": { "kind": "bankCosts" },
    });
    vec![
        Operation::list_of::<BankRule>("listBankRules")
            .says("List rules for bank lines", "Oldest first; archived ones are included.")
            .for_dutch_accounts(),
        Operation::create_of::<BankRule>("createBankRule", example)
            .says(
                "Create a rule for bank lines",
                "A rule yields a suggestion for the lines that it fits. If it is automatic, the \
                 program also books new lines, except for those that seem to be booked already, to \
                 be half of a transfer, or to pay a numbered document. At most 200 active rules.",
            )
            .for_dutch_accounts(),
        Operation::read_of::<BankRule>("readBankRule")
            .says("Read a rule for bank lines", "")
            .for_dutch_accounts(),
        Operation::edit_of::<BankRule>("editBankRule", json!({ "automatic": true }))
            .says(
                "Update a rule for bank lines",
                "Absent fields stay unchanged; `when` and `then` are replaced as a whole.",
            )
            .or(&[NOT_FOUND, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::delete_of::<BankRule>("archiveBankRule")
            .says(
                "Archive a rule for bank lines",
                "The rule stays listed and is no longer applied.",
            )
            .or(&[NOT_FOUND, PRECONDITION_FAILED])
            .for_dutch_accounts(),
        Operation::act::<PreviewBody, _, _>(
            "/bank-rules/{id}/preview",
            "previewBankRule",
            Answer::Changed,
            preview,
        )
        .says(
            "Preview a rule for bank lines",
            "Compares the rule with the lines of the last 12 months. Nothing is written.",
        )
        .or(&[NOT_FOUND])
        .for_dutch_accounts(),
    ]
}
