//! Suggestions for bank lines: their representation, and accepting several at once.

use crate::{
    body,
    number::{Amount, Number},
    once,
    operation::{Answer, Operation},
    reply,
};
use axum::{
    Extension,
    extract::{Request, State},
    response::Response,
};
use ledger::{
    bank_line::{AllocationKind, LineState},
    event::{PremiumKind, PrivateKind},
    payout::FeeVat,
    purchase::VatTreatment,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use service::{
    Context,
    bank_booking::{Allocation, LineBooking},
    bank_repeats::{RepeatedBooking, RepeatedExpense},
    bank_suggestions::{Suggestion, SuggestionReason},
};
use store::Tx;
use web_core::{
    AppState,
    input::{self, accepted_suggestions, names_of},
    problem::Problem,
    suggestions,
};

/// A suggestion of how to book a line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "BankSuggestion")]
pub(crate) struct SuggestionBody {
    /// Id. It changes when a document that the suggestion settles has changed.
    #[schemars(example = &"3f1c0a5e9d7b42868c1e5f0a9b7d3c21")]
    id: String,
    /// Whether it can be accepted without a look at it.
    certain: bool,
    /// Kind of the first allocation.
    #[schemars(extend("enum" = names_of(AllocationKind::ALL)))]
    kind: &'static str,
    /// Allocations, as `POST /bank-lines/{id}/book` takes them.
    allocations: Vec<SuggestedBody>,
    /// Reasons, at least one.
    reasons: Vec<ReasonBody>,
}

impl SuggestionBody {
    pub(crate) fn of(suggestion: &Suggestion, cx: &Context) -> Self {
        let reason = |reason: &SuggestionReason| ReasonBody {
            code: reason.code(),
            message: suggestions::english(cx, reason),
        };
        let allocations: Vec<SuggestedBody> =
            suggestion.allocations.iter().map(SuggestedBody::of).collect();
        Self {
            id: suggestion.id.to_string(),
            certain: suggestion.is_certain,
            kind: allocations.first().map_or("ledger", |first| first.kind),
            allocations,
            reasons: suggestion.reasons.iter().map(reason).collect(),
        }
    }
}

/// A reason of a suggestion.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "BankSuggestionReason")]
struct ReasonBody {
    /// Code of the kind of reason.
    #[schemars(example = &"number")]
    code: &'static str,
    /// The reason as a sentence.
    #[schemars(example = &"The description contains number 2026-0028.")]
    message: String,
}

/// A suggested allocation. The fields of other kinds are null.
#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SuggestedAllocation")]
struct SuggestedBody {
    /// Kind of booking.
    #[schemars(extend("enum" = names_of(AllocationKind::ALL)))]
    kind: &'static str,
    /// Amount in the direction of the line; negative against it.
    amount: Option<Amount>,
    /// Id of the invoice.
    invoice_id: Option<i64>,
    /// `keep` if the amount is above the outstanding one.
    #[schemars(extend("enum" = ["keep", null]))]
    overpayment: Option<&'static str>,
    /// Id of the bill.
    expense_id: Option<i64>,
    /// Lines of an expense: one, which takes the whole amount.
    items: Option<[SuggestedItemBody; 1]>,
    /// Id of the supplier's contact.
    contact_id: Option<i64>,
    /// Name of the supplier.
    #[schemars(example = &"TransIP")]
    supplier: Option<String>,
    /// Share of the purchase that is for the business, as a percentage.
    #[schemars(example = &100)]
    business_share: Option<Number>,
    /// Period of the VAT return.
    #[schemars(example = &"2026-Q1")]
    vat_period: Option<String>,
    /// Quarter of the return of the Union scheme (OSS).
    #[schemars(example = &"2026-Q1")]
    oss_period: Option<String>,
    /// Purpose of private money.
    #[schemars(extend("enum" = input::or_null(names_of(PrivateKind::ALL))))]
    private_kind: Option<&'static str>,
    /// Kind of a premium.
    #[schemars(extend("enum" = input::or_null(names_of(PremiumKind::ALL))))]
    premium: Option<&'static str>,
    /// Id of the other bank account.
    bank_account_id: Option<i64>,
    /// Id of the line of the other bank account.
    line_id: Option<i64>,
    /// Id of the account at the payment provider.
    provider_account_id: Option<i64>,
    /// Fee that the provider kept.
    fee: Option<Amount>,
    /// VAT treatment of the fee.
    #[schemars(extend("enum" = input::or_null(names_of(FeeVat::ALL))))]
    fee_vat_treatment: Option<&'static str>,
    /// Id of the loan.
    loan_id: Option<i64>,
    /// Interest in the amount.
    interest: Option<Amount>,
    /// Code of the ledger account.
    #[schemars(example = &"4204")]
    account: Option<String>,
    /// Description of the entry.
    #[schemars(example = &"Wegenbelasting")]
    description: Option<String>,
    /// Id of an entry that was booked before.
    entry_id: Option<i64>,
}

/// The line of a suggested expense.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SuggestedItem")]
pub(crate) struct SuggestedItemBody {
    /// Code of the cost account.
    #[schemars(example = &"4403")]
    category: String,
    /// VAT treatment.
    #[schemars(extend("enum" = names_of(VatTreatment::ALL)))]
    vat_treatment: &'static str,
    /// VAT rate, as a percentage.
    #[schemars(example = &21)]
    vat_rate: Option<Number>,
    /// Whether the amount includes VAT.
    includes_vat: bool,
}

impl SuggestedItemBody {
    pub(crate) fn of(expense: &RepeatedExpense) -> Self {
        let rate = expense.rate.filter(|_| expense.treatment.has_rate());
        Self {
            category: expense.category.to_string(),
            vat_treatment: expense.treatment.as_str(),
            vat_rate: rate.map(|rate| Number(rate.percent())),
            includes_vat: expense.includes_vat,
        }
    }
}

impl SuggestedBody {
    fn of(allocation: &Allocation) -> Self {
        let body = Self {
            kind: allocation.booking.kind().as_str(),
            amount: allocation.amount.map(Amount),
            ..Self::default()
        };
        match &allocation.booking {
            LineBooking::Invoice { invoice_id, keeps_surplus } => Self {
                invoice_id: Some(*invoice_id),
                overpayment: keeps_surplus.then_some("keep"),
                ..body
            },
            LineBooking::Refund { invoice_id } => Self { invoice_id: Some(*invoice_id), ..body },
            LineBooking::Bill { expense_id } => Self { expense_id: Some(*expense_id), ..body },
            LineBooking::Expense(_) => {
                let Some(RepeatedBooking::Expense(expense)) =
                    RepeatedBooking::of(&allocation.booking)
                else {
                    return body;
                };
                Self {
                    items: Some([SuggestedItemBody::of(&expense)]),
                    contact_id: expense.supplier.contact_id,
                    supplier: expense.supplier.name,
                    business_share: Some(Number(expense.business_share.percent())),
                    description: expense.description,
                    ..body
                }
            }
            LineBooking::Vat { period, oss_period } => Self {
                vat_period: period.map(|of| of.to_string()),
                oss_period: oss_period.map(|of| of.to_string()),
                ..body
            },
            LineBooking::Private { kind, premium } => Self {
                private_kind: Some(kind.as_str()),
                premium: premium.map(PremiumKind::as_str),
                ..body
            },
            LineBooking::Transfer { bank_account_id, line_id } => {
                Self { bank_account_id: Some(*bank_account_id), line_id: *line_id, ..body }
            }
            LineBooking::Payout { provider_account, fee, fee_vat_treatment, .. } => Self {
                provider_account_id: *provider_account,
                fee: Some(Amount(*fee)),
                fee_vat_treatment: Some(fee_vat_treatment.as_str()),
                ..body
            },
            LineBooking::BankCosts | LineBooking::Interest => body,
            LineBooking::Loan { account } => Self { account: Some(account.to_string()), ..body },
            LineBooking::LoanRepayment { loan_id, interest } => {
                Self { loan_id: Some(*loan_id), interest: Some(Amount(*interest)), ..body }
            }
            LineBooking::Ledger { account, description } => Self {
                account: Some(account.to_string()),
                description: description.clone(),
                ..body
            },
            LineBooking::Existing { entry_id } => Self { entry_id: Some(*entry_id), ..body },
        }
    }
}

/// The outcome of accepting suggestions.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AcceptedBankLines")]
struct AcceptedBody {
    /// Outcome per line, in the order of the request.
    data: Vec<OutcomeBody>,
}

/// The outcome for a line.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AcceptedBankLine")]
struct OutcomeBody {
    /// Id of the line.
    line_id: i64,
    /// State of the line after the request; null if it is not booked by the suggestion.
    #[schemars(extend("enum" = input::or_null(names_of(LineState::ALL))))]
    state: Option<&'static str>,
    /// Code of the error, as in the problem that booking the line alone returns.
    #[schemars(example = &"stale_suggestion")]
    code: Option<&'static str>,
    /// Explanation of the error.
    #[schemars(example = &"the books have changed, and bank line 7 no longer has this suggestion")]
    detail: Option<String>,
}

async fn accept(
    State(app): State<AppState>,
    Extension(cx): Extension<Context>,
    request: Request,
) -> Result<Response, Problem> {
    cx.actor.require_dutch()?;
    let json = body::read(request).await?;
    let parsed = input::json(&json, accepted_suggestions);
    let Some(accepted) = parsed.command else { return Err(Problem::invalid(parsed.faults)) };
    let outcome = |(line_id, booked): (i64, Result<_, service::Error>)| match booked {
        Ok(_) => OutcomeBody {
            line_id,
            state: Some(LineState::Booked.as_str()),
            code: None,
            detail: None,
        },
        Err(error) => {
            let problem = Problem::from(error);
            let detail = problem.detail().to_owned();
            OutcomeBody {
                line_id,
                state: None,
                code: Some(problem.kind.code),
                detail: Some(detail),
            }
        }
    };
    once::refuse_reused(&app, cx.actor.account).await?;
    let outcomes = suggestions::accept(&app, &cx, &accepted).await;
    let data: Vec<OutcomeBody> = outcomes.into_iter().map(outcome).collect();
    // Every line has its own transaction; that of the key keeps the answer.
    let done = move |_: &mut Tx<'_>| Ok(AcceptedBody { data: data.clone() });
    once::answer(&app, cx.actor.account, done, |body| reply::changed(&body)).await
}

pub(crate) fn operations() -> Vec<Operation> {
    let example = json!({
        "lines": [{ "lineId": 7, "suggestion": "3f1c0a5e9d7b42868c1e5f0a9b7d3c21" }]
    });
    vec![
        Operation::act::<AcceptedBody, _, _>(
            "/bank-lines/accept",
            "acceptBankSuggestions",
            Answer::Changed,
            accept,
        )
        .with_body(input::schema(accepted_suggestions), example)
        .says(
            "Accept suggestions for bank lines",
            "Books up to 100 lines, each as one of its suggestions says and in a transaction of its \
             own: one line that is refused does not stop the others. A suggestion that the books no \
             longer yield is not booked (`stale_suggestion`). The same request again returns the \
             same outcome.",
        )
        .for_dutch_accounts(),
    ]
}
