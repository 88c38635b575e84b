//! `vat`: VAT returns, ICP declarations and returns of the Union scheme (OSS) of an account, with
//! their deadlines and status.

use crate::{
    cli::VatCommand,
    commands::{environment, read},
    database,
};
use jiff::civil::Date;
use serde_json::json;
use service::{Context, Error, accounts, icp, oss, vat_filings};
use store::{DatabaseUrl, Tx};

/// A return or declaration for a period.
struct Duty {
    kind: &'static str,
    period: String,
    due: Date,
    state: &'static str,
}

pub(crate) fn run(given: Option<DatabaseUrl>, command: VatCommand) -> anyhow::Result<()> {
    let VatCommand::Periods { account, json } = command;
    let store = database::open_existing(given)?;
    let duties = read(&store, move |tx| {
        let cx = Context::of_owner(&accounts::by_email(tx, &account)?, environment());
        duties(tx, &cx)
    })?;
    if json {
        let object = |Duty { kind, period, due, state }| json!({ "kind": kind, "period": period, "due": due, "state": state });
        say!("{}", json!(duties.into_iter().map(object).collect::<Vec<_>>()))?;
        return Ok(());
    }
    for Duty { kind, period, due, state } in duties {
        say!("{period:<8}  {kind:<9}  due {due}  {state}")?;
    }
    Ok(())
}

/// Returns and declarations for all periods, latest deadline first.
fn duties(tx: &mut Tx<'_>, cx: &Context) -> Result<Vec<Duty>, Error> {
    let state = |is_filed: bool| if is_filed { "filed" } else { "open" };
    let mut duties = Vec::new();
    for period in vat_filings::returns(tx, cx)? {
        let details = vat_filings::read(tx, cx, period)?;
        let is_filed = details.filed().is_some();
        let nothing = !is_filed && !details.is_asked_for();
        duties.push(Duty {
            kind: "vatReturn",
            period: period.to_string(),
            due: details.deadline().file_by,
            state: if nothing { "nothingToDeclare" } else { state(is_filed) },
        });
    }
    duties.extend(icp::list(tx, cx, None)?.into_iter().map(|list| Duty {
        kind: "icp",
        period: list.period.to_string(),
        due: list.deadline().file_by,
        state: state(list.filed().is_some()),
    }));
    duties.extend(oss::list(tx, cx, None)?.into_iter().map(|details| Duty {
        kind: "ossReturn",
        period: details.period.to_string(),
        due: details.due_date,
        state: state(details.filed().is_some()),
    }));
    duties.sort_by(|a, b| (b.due, b.kind).cmp(&(a.due, a.kind)));
    Ok(duties)
}
