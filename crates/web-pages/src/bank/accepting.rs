//! Accepting and refusing suggestions for bank lines.

use super::{
    booking::{back_to, show_again},
    lines::{address_of, filter},
};
use crate::{done::Done, form::Form, frame::list::ListState, id::Id, page::Authenticated};
use axum::response::Response;
use ledger::money::Cents;
use service::{
    Context, bank_lines,
    bank_suggestions::{self, SuggestionId},
};
use store::{Tx, bank_lines::BankLine};
use web_core::{
    input::{self, accepted_suggestions, refused_suggestion},
    problem::Problem,
    suggestions::{self, Accepted},
};

/// `POST /bank-lines/{id}/refuse`
pub(super) async fn refuse(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, refused_suggestion);
    let target = back_to(&form, id);
    let run = move |tx: &mut Tx<'_>, cx: &Context, suggestion: &SuggestionId| {
        bank_suggestions::refuse(tx, cx, id, *suggestion)?;
        let done = Done { code: "bank-suggestion-refused".into(), ..Done::default() };
        Ok(done.at(&target))
    };
    page.carry_out(form, parsed, run, async |form, status| {
        show_again(&page, id, form, status).await
    })
    .await
}

/// `POST /bank-lines/accept`: books the ticked lines, or all of the page whose suggestion is certain.
pub(super) async fn accept(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let address = address_of(&form);
    let accepted = if form.value("action") == "certain" {
        certain(&page, &ListState::read(&address, "-date")).await?
    } else {
        selected(&page, &form)
    };
    let cx = page.context();
    let outcomes = suggestions::accept(&page.app, &cx, &accepted).await;
    let (mut count, mut sum, mut refused) = (0_i64, Cents::ZERO, Vec::new());
    for (id, booked) in outcomes {
        match booked {
            Ok(details) => {
                count += 1;
                sum += details.line.amount;
            }
            Err(_) => refused.push(id.to_string()),
        }
    }
    let done = if refused.is_empty() {
        let code = if count == 0 { "bank-lines-none" } else { "bank-lines-accepted" };
        Done {
            code: code.into(),
            amount: Some(sum),
            name: page.t("bank-lines-count").with("count", &count).to_string(),
            ..Done::default()
        }
    } else {
        let name = page
            .t("bank-lines-not-accepted")
            .with("count", &count)
            .with("left", &refused.join(", "))
            .to_string();
        Done { code: "bank-lines-partly".into(), name, ..Done::default() }
    };
    Ok(page.see_with_flash(&done.at(&address)))
}

/// Ticked lines of a form, with their suggestions.
fn selected(page: &Authenticated, form: &Form) -> Vec<Accepted> {
    // A line that is not ticked sends its suggestion alone.
    let is_ticked = |name: &str| match name.split('.').collect::<Vec<_>>()[..] {
        ["lines", number, _] => !form.value(&format!("lines.{number}.lineId")).is_empty(),
        _ => false,
    };
    let pairs = form.pairs().filter(|(name, _)| is_ticked(name));
    input::form(pairs, page.texts.language, accepted_suggestions).command.unwrap_or_default()
}

/// Lines of a page of the list whose first suggestion is certain.
async fn certain(page: &Authenticated, list: &ListState) -> Result<Vec<Accepted>, Problem> {
    let cx = page.context();
    let (filter, rows) = (filter(list), list.rows());
    let read = move |tx: &mut Tx<'_>| {
        let rows = bank_lines::table(tx, &cx, &filter, rows)?.rows;
        let lines: Vec<BankLine> = rows.into_iter().map(|details| details.line).collect();
        let suggestions = bank_suggestions::of_lines(tx, &cx, &lines)?;
        let certain = lines.iter().zip(suggestions).filter_map(|(line, of)| {
            let first = of.first().filter(|first| first.is_certain)?;
            Some(Accepted { line_id: line.id, suggestion: first.id })
        });
        Ok::<_, service::Error>(certain.collect())
    };
    Ok(page.list(read).await?)
}
