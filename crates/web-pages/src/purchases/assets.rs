//! `/assets`: fixed assets.

use super::{
    form::{receipt_ids, receipts_of, version},
    receipts::{Kept, existing, keep_files},
};
use crate::{
    done::Done,
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager},
    },
    id::Id,
    page::Authenticated,
    submit::VERSION,
    texts::{self, Phrase},
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;
use ledger::{
    asset,
    calendar::amsterdam_today,
    chart::{AccountCode, codes},
    money::Cents,
};
use service::{
    Context, Created, Error,
    assets::{self, AssetDetails, NewAsset, ReviseVat},
    contact_edits,
    expenses::{self, ExpenseDetails},
    submissions,
};
use store::{
    assets::{AssetColumn, AssetState, AssetSums},
    receipts::Receipt,
};
use web_core::{
    input::{self, Fields, Parsed, depreciate_asset, dispose_asset, new_asset, revise_asset_vat},
    problem::Problem,
};

/// Columns of a download.
const COLUMNS: [&str; 14] = [
    "id",
    "date",
    "description",
    "account",
    "cost",
    "residualValue",
    "lifeYears",
    "depreciated",
    "depreciatedUntil",
    "bookValue",
    "disposedOn",
    "proceeds",
    "expenseId",
    "status",
];

#[derive(Template)]
#[template(path = "purchases/assets.html")]
struct List<'a> {
    page: &'a Authenticated,
    list: ListState,
    pager: Pager,
    assets: Vec<AssetDetails>,
    sums: AssetSums,
}

impl List<'_> {
    /// Tabs with the number of assets in each state: URL, name, count, whether selected.
    fn tabs(&self) -> [(String, Phrase<'static>, i64, bool); 4] {
        let (texts, sums) = (self.page.texts, self.sums);
        let tab = |state: &str, name, count| {
            (self.list.with("state", state), name, count, self.list.has("state", state))
        };
        [
            tab("", texts.t("assets-all"), sums.in_use + sums.disposed + sums.undone),
            tab("held", texts.t("asset-state-held"), sums.in_use),
            tab("disposed", texts.t("asset-state-disposed"), sums.disposed),
            tab("undone", texts.t("expense-state-undone"), sums.undone),
        ]
    }

    fn is_of_used(&self) -> bool {
        self.list.value("state").is_empty() || self.list.has("state", "held")
    }

    fn state(&self, details: &AssetDetails) -> (&'static str, Phrase<'static>) {
        state(self.page, details)
    }
}

fn state(page: &Authenticated, details: &AssetDetails) -> (&'static str, Phrase<'static>) {
    let texts = page.texts;
    if details.asset.undone_at.is_some() {
        ("plain", texts.t("expense-state-undone"))
    } else if details.asset.disposed_on.is_some() {
        ("plain", texts.t("asset-state-disposed"))
    } else {
        ("good", texts.t("asset-state-held"))
    }
}

/// State filter in the URL.
fn asked(list: &ListState) -> Option<AssetState> {
    match list.value("state") {
        "held" => Some(AssetState::InUse),
        "disposed" => Some(AssetState::Disposed),
        "undone" => Some(AssetState::Undone),
        _ => None,
    }
}

fn order(list: &ListState) -> (AssetColumn, bool) {
    let (column, down) = list.order();
    let column = match column {
        "description" => AssetColumn::Description,
        "cost" => AssetColumn::Cost,
        "bookValue" => AssetColumn::BookValue,
        _ => AssetColumn::Date,
    };
    (column, down)
}

/// `GET /assets`
pub(super) async fn show_list(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(&page, "date");
    let (state, text, order, rows) = (asked(&list), list.text(), order(&list), list.rows());
    let (assets, sums) =
        page.list(move |tx| assets::table(tx, &cx, (state, text.as_deref()), order, rows)).await?;
    let count = match state {
        Some(AssetState::InUse) => sums.in_use,
        Some(AssetState::Disposed) => sums.disposed,
        Some(AssetState::Undone) => sums.undone,
        None => sums.in_use + sums.disposed + sums.undone,
    };
    let pager = list.pager(usize::try_from(count).unwrap_or(0));
    page.show(&List { page: &page, list, pager, assets, sums })
}

/// `GET /assets.csv`, `GET /assets.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (cx, format) = (page.context(), page.format());
    let list = ListState::of(&page, "date");
    let (state, text, order) = (asked(&list), list.text(), order(&list));
    let all = (0, MOST_ROWS);
    let (found, _) =
        page.list(move |tx| assets::table(tx, &cx, (state, text.as_deref()), order, all)).await?;
    let file = Download::begin(format, "assets", &COLUMNS)?;
    file.answer(&page, found, |file, details| {
        let asset = &details.asset;
        file.row([
            Cell::number(asset.id),
            Cell::Day(asset.date),
            Cell::Text(&asset.description),
            Cell::Text(&asset.account.to_string()),
            Cell::number(asset.cost),
            Cell::number(asset.residual_value),
            Cell::number(asset.life_years),
            Cell::number(asset.depreciated),
            asset.depreciated_until.map_or(Cell::Empty, Cell::Day),
            Cell::number(details.book_value()),
            asset.disposed_on.map_or(Cell::Empty, Cell::Day),
            asset.proceeds.map_or(Cell::Empty, Cell::number),
            asset.expense_id.map_or(Cell::Empty, Cell::number),
            Cell::Text(status(details)),
        ])
    })
    .await
}

/// Status of an asset in a download.
fn status(details: &AssetDetails) -> &'static str {
    match (details.asset.undone_at, details.asset.disposed_on) {
        (Some(_), _) => "undone",
        (None, Some(_)) => "disposed",
        (None, None) => "held",
    }
}

/// Values and names to choose from.
type Choices = Vec<(String, String)>;

#[derive(Template)]
#[template(path = "purchases/asset-form.html")]
struct FormView<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    accounts: Vec<(String, String)>,
    /// Accounts of the accumulated depreciation and of its cost to choose from, if there are own
    /// accounts.
    of_depreciation: Option<(Choices, Choices)>,
    rates: Vec<(String, String)>,
    contacts: Vec<(String, String)>,
    receipts: Vec<Receipt>,
}

impl FormView<'_> {
    /// Whether to expand the less common fields.
    fn is_unusual(&self) -> bool {
        let form = self.form;
        !matches!(form.value("vatTreatment"), "" | "normal")
            || form.fault("vatTreatment").is_some()
            || ["vat", "contactId"].iter().any(|name| form.is_given(name))
    }

    /// Whether the asset is part of the opening balance, or was submitted as such.
    fn is_taken_over(&self) -> bool {
        self.form.is_given("openingDepreciated")
    }
}

async fn show_form(
    page: &Authenticated,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let day =
        i18n::read_date(form.value("date")).unwrap_or_else(|_| amsterdam_today(page.app.now()));
    let rates = texts::vat_rates(page.texts, day);
    let of_assets = |is_one: fn(AccountCode) -> bool| {
        page.account_choices(page.offered_accounts().filter(move |code| is_one(*code)))
    };
    let accounts = of_assets(asset::is_account);
    let usual = || [(String::new(), page.t("asset-usual-account").to_string())].into_iter();
    let has_own = page.offered_own_accounts().next().is_some();
    let of_depreciation = has_own.then(|| {
        let accumulated = usual().chain(of_assets(asset::is_accumulated_account)).collect();
        (accumulated, usual().chain(of_assets(asset::is_depreciation_account)).collect())
    });
    let (ids, chosen) = (receipt_ids(form), form.value("contactId").parse().ok());
    let read = move |tx: &mut store::Tx<'_>| {
        let contacts = contact_edits::offered(tx, &cx, chosen)?;
        Ok((contacts, existing(tx, &cx, &ids)?))
    };
    let (found, receipts) = page.app.query(page.who.account.id, read).await?;
    let mut contacts = vec![(String::new(), page.t("expense-no-contact").to_string())];
    contacts.extend(found.into_iter().map(|contact| (contact.id.to_string(), contact.party.name)));
    page.show_as(
        status,
        &FormView { page, form, accounts, of_depreciation, rates, contacts, receipts },
    )
}

/// Stores the receipts submitted with the form, so that they are kept even if the form is rejected.
/// Returns the form, and whether all its files were accepted and none is missing.
async fn keep_receipts(page: &Authenticated, form: Form) -> Result<(Form, bool), Problem> {
    let Kept { ids, faults, .. } = keep_files(page, &form, "receipt").await?;
    let mut all = receipt_ids(&form);
    all.extend(ids);
    all.dedup();
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    let mut kept = form.with("receiptIds", all.join(","));
    kept.take_faults(&faults, page.texts);
    let is_asked = page.ask_for_missing_file(&mut kept, "receipt");
    Ok((kept, faults.is_empty() && !is_asked))
}

/// Field with the id of the expense that the asset replaces.
const EXPENSE: &str = "expense";

/// Form filled from a single-line expense that turned out to be an asset.
fn fill(page: &Authenticated, form: Form, details: &ExpenseDetails) -> Form {
    let expense = &details.expense;
    let Some((line, amounts)) = details.asset_line() else { return form };
    form.with(EXPENSE, expense.id.to_string())
        .with(VERSION, version(details))
        .with("date", expense.date.to_string())
        .with("description", expense.description.as_deref().unwrap_or_default())
        .with("supplier", expense.supplier.as_deref().unwrap_or_default())
        .with("contactId", expense.contact_id.map(|id| id.to_string()).unwrap_or_default())
        .with("cost", page.texts.money_field(amounts.net))
        .with("vatRate", ledger::decimal::plain(&line.rate.percent()))
        .with("vatTreatment", line.treatment.as_str())
        .with("paidFrom", page.expense_source(expense.paid_from))
        .with("receiptIds", receipts_of(details))
}

/// `GET /assets/new`
pub(super) async fn show_new(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let today = amsterdam_today(page.app.now());
    let form = Form::of([
        ("submission", page.new_submission()?),
        ("date", today.to_string()),
        ("account", codes::EQUIPMENT.to_string()),
        ("lifeYears", asset::LEAST_YEARS.to_string()),
        ("vatRate", "21".to_owned()),
        ("paidFrom", "bank".to_owned()),
        ("vatTreatment", "normal".to_owned()),
        ("receiptIds", page.query("receiptId").unwrap_or_default()),
    ]);
    let form = match page.query(EXPENSE).and_then(|id| id.parse().ok()) {
        Some(id) => {
            let details =
                page.app.query(page.who.account.id, move |tx| expenses::read(tx, &cx, id)).await?;
            fill(&page, form, &details)
        }
        None => form,
    };
    show_form(&page, &form, StatusCode::OK).await
}

/// `POST /assets`
pub(super) async fn buy(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let (form, has_files) = keep_receipts(&page, form).await?;
    // An asset that replaces an expense was bought after the books began, so `openingDepreciated`
    // is ignored.
    let is_bought = !form.value(EXPENSE).is_empty();
    let is_kept_out = |name: &str| name == EXPENSE || (is_bought && name == "openingDepreciated");
    let fields = form.pairs().filter(|(name, _)| !is_kept_out(name));
    let instead_of = match form.value(EXPENSE) {
        "" => None,
        id => Some((id.parse().unwrap_or(0), form.raw(VERSION).to_owned())),
    };
    let if_filed = form.if_filed();
    let mut parsed = input::form(fields, page.texts.language, new_asset);
    parsed.command = parsed.command.filter(|_| has_files);
    let run = move |tx: &mut store::Tx<'_>, cx: &Context, command: &NewAsset| {
        // One transaction undoes the expense and books the asset, so that nothing is booked twice.
        if let Some((id, seen)) = &instead_of {
            submissions::lock(tx, cx)?;
            let there = expenses::read(tx, cx, *id)?;
            if there.asset_line().is_none() || version(&there) != *seen {
                return Err(Error::Changed);
            }
            expenses::undo(tx, cx, *id, if_filed)?;
        }
        Ok(match assets::buy(tx, cx, command)? {
            Created::New(made) => {
                let (id, entry) = (made.asset.id, made.entry_ids.last().copied());
                let (amount, undo) = (Some(made.asset.cost), Some(format!("/assets/{id}/undo")));
                let code = if made.asset.expense_id.is_some() {
                    "asset-bought"
                } else {
                    "asset-taken-over"
                };
                Done { code: code.into(), amount, entry, undo, ..Done::default() }
                    .at(&format!("/assets/{id}"))
            }
            Created::Existing(known) => format!("/assets/{}", known.asset.id),
        })
    };
    page.carry_out(form, parsed, run, async |form, status| show_form(&page, &form, status).await)
        .await
}

#[derive(Template)]
#[template(path = "purchases/asset.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: Form,
    details: AssetDetails,
    account: String,
    /// Depreciation due up to the end of the year.
    due: Cents,
    /// Revision of VAT for this year that is not booked yet: positive to pay back, negative to
    /// deduct.
    revised: Cents,
}

impl View<'_> {
    fn state(&self) -> (&'static str, Phrase<'static>) {
        state(self.page, &self.details)
    }

    fn is_in_use(&self) -> bool {
        self.details.asset.disposed_on.is_none() && self.details.asset.undone_at.is_none()
    }

    fn is_undone(&self) -> bool {
        self.details.asset.undone_at.is_some()
    }

    /// Label of the button that undoes the disposal or the latest depreciation.
    fn undo_last(&self) -> Phrase<'static> {
        let texts = self.page.texts;
        match self.details.asset.disposed_on {
            Some(_) => texts.t("asset-undo-disposal"),
            None => texts.t("asset-undo-depreciation"),
        }
    }

    /// Whether there is a disposal or depreciation, which can be undone without the purchase.
    fn has_last(&self) -> bool {
        let asset = &self.details.asset;
        !self.is_undone() && (asset.disposed_on.is_some() || asset.depreciated_until.is_some())
    }
}

async fn show_with(
    page: &Authenticated,
    id: i64,
    form: Option<Form>,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let today = amsterdam_today(page.app.now());
    let read = move |tx: &mut store::Tx<'_>| {
        let details = assets::read(tx, &cx, id)?;
        let revised = assets::to_revise(tx, &cx, id, today.year())?;
        let until = Date::new(today.year(), 12, 31).unwrap_or(today).max(details.asset.date);
        let due = assets::to_depreciate(tx, &cx, &details.asset, until)?;
        Ok((details, revised, until, due))
    };
    let (details, revised, until, due) = page.app.query(page.who.account.id, read).await?;
    let asset = &details.asset;
    let fresh = Form::of([
        ("submission", page.new_submission()?),
        ("until", until.to_string()),
        ("date", today.to_string()),
        ("vatRate", "21".to_owned()),
    ]);
    let form = match form {
        Some(form) if form.pairs().any(|(name, _)| matches!(name, "until" | "date")) => form,
        // The rejected form has no fields of its own, so only its faults are added to the page's
        // forms.
        Some(refused) => refused.beside(fresh),
        None => fresh,
    };
    let account = page.account_name(asset.account);
    page.show_as(status, &View { page, form, details, account, due, revised })
}

/// Renders the page again with a rejected form.
async fn show_refused(page: &Authenticated, id: i64, form: Form) -> Result<Response, Problem> {
    let status = form.refused_status();
    show_with(page, id, Some(form), status).await
}

/// `GET /assets/{id}`
pub(super) async fn show(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    show_with(&page, id, None, StatusCode::OK).await
}

/// Carries out an action on an asset from a form on its page; `done` is the resulting message.
async fn act<C: Send + 'static>(
    page: Authenticated,
    (id, form): (i64, Form),
    done: &'static str,
    reader: fn(&mut Fields<'_, '_>) -> Parsed<C>,
    run: fn(&mut store::Tx<'_>, &Context, i64, &C) -> Result<AssetDetails, Error>,
) -> Result<Response, Problem> {
    let parsed = input::form(form.pairs(), page.texts.language, reader);
    let run = move |tx: &mut store::Tx<'_>, cx: &Context, command: &C| {
        let before = assets::read(tx, cx, id)?;
        let now = run(tx, cx, id, command)?;
        let entry =
            now.entry_ids.last().copied().filter(|_| now.entry_ids.len() > before.entry_ids.len());
        // Without a new entry, nothing was left to depreciate up to that date.
        let code = if entry.is_some() { done } else { "asset-nothing-booked" };
        let amount = Some((now.book_value() - before.book_value()).abs());
        Ok(Done { code: code.into(), amount, entry, ..Done::default() }
            .at(&format!("/assets/{id}")))
    };
    page.carry_out(form, parsed, run, async |form, _| show_refused(&page, id, form).await).await
}

/// `POST /assets/{id}/depreciate`
pub(super) async fn depreciate(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = |tx: &mut store::Tx<'_>, cx: &Context, id, until: &Date| {
        assets::depreciate(tx, cx, id, *until)
    };
    act(page, (id, form), "asset-depreciated", depreciate_asset, run).await
}

/// `POST /assets/{id}/dispose`
pub(super) async fn dispose(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    act(page, (id, form), "asset-disposed", dispose_asset, assets::dispose).await
}

/// `POST /assets/{id}/depreciate/undo`: undoes the latest depreciation or disposal.
pub(super) async fn undo_last(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let form = form.goes_to(format!("/assets/{id}/depreciate/undo"));
    let run = move |tx: &mut store::Tx<'_>, cx: &Context| {
        let before = assets::read(tx, cx, id)?;
        let now = assets::undo_last(tx, cx, id, if_filed)?;
        let (amount, entry) =
            (Some((now.book_value() - before.book_value()).abs()), now.entry_ids.last().copied());
        Ok(Done { code: "asset-last-undone".into(), amount, entry, ..Done::default() }
            .at(&format!("/assets/{id}")))
    };
    page.press(form, run, async |form, _| show_refused(&page, id, form).await).await
}

/// `POST /assets/{id}/vat-revision`
pub(super) async fn revise_vat(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = |tx: &mut store::Tx<'_>, cx: &Context, id, how: &ReviseVat| {
        assets::revise_vat(tx, cx, id, *how)
    };
    act(page, (id, form), "asset-vat-revised", revise_asset_vat, run).await
}

/// `POST /assets/{id}/undo`
pub(super) async fn undo(page: Authenticated, Id(id): Id, form: Form) -> Result<Response, Problem> {
    let if_filed = form.if_filed();
    let run = move |tx: &mut store::Tx<'_>, cx: &Context| {
        let now = assets::undo(tx, cx, id, if_filed)?;
        let (amount, entry) = (Some(now.asset.cost), now.entry_ids.last().copied());
        Ok(Done { code: "asset-undone".into(), amount, entry, ..Done::default() }
            .at(&format!("/assets/{id}")))
    };
    let form = form.goes_to(format!("/assets/{id}/undo"));
    page.press(form, run, async |form, _| show_refused(&page, id, form).await).await
}
