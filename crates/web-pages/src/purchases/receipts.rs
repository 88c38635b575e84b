//! `/receipts`: uploaded files, whether or not they are assigned to an expense.

use crate::{
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        list::{ListState, Pager},
    },
    id::Id,
    page::{Authenticated, see_other},
    texts::Phrase,
};
use askama::Template;
use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::civil::Date;
use ledger::calendar::amsterdam_today;
use service::{
    Context, Created, Error, Fault,
    receipts::{self, ReceiptError, ReceiptTable},
};
use store::{
    Tx,
    receipts::{Receipt, ReceiptColumn, ReceiptFilter},
};
use web_core::{problem::Problem, uploads};

/// Columns of a download.
const COLUMNS: [&str; 7] = ["id", "date", "name", "mediaType", "size", "sha256", "expenseIds"];

#[derive(Template)]
#[template(path = "purchases/receipts.html")]
struct View<'a> {
    page: &'a Authenticated,
    form: &'a Form,
    list: ListState,
    pager: Pager,
    table: ReceiptTable,
    /// Number of files that were stored although other files in the form were rejected.
    kept: usize,
}

impl View<'_> {
    /// Tabs for unassigned, assigned and all receipts: URL, name, count, whether selected.
    fn tabs(&self) -> [(String, Phrase<'static>, i64, bool); 3] {
        let (texts, table) = (self.page.texts, &self.table);
        let tab = |state: &str, name, count| {
            (self.list.with("state", state), name, count, self.list.has("state", state))
        };
        [
            tab("", texts.t("receipts-waiting"), table.waiting),
            tab("used", texts.t("receipts-used"), table.all - table.waiting),
            tab("all", texts.t("receipts-all"), table.all),
        ]
    }

    fn day(&self, receipt: &Receipt) -> Date {
        amsterdam_today(receipt.created_at)
    }

    fn is_picture(&self, receipt: &Receipt) -> bool {
        receipt.media_type != "application/pdf"
    }
}

async fn show_with(
    page: &Authenticated,
    form: &Form,
    kept: usize,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let list = ListState::of(page, "-date");
    let (filter, order, rows) = (filter(&list), order(&list), list.rows());
    let table = page.list(move |tx| receipts::table(tx, &cx, &filter, order, rows)).await?;
    let pager = list.pager(usize::try_from(table.found).unwrap_or(0));
    page.show_as(status, &View { page, form, list, pager, table, kept })
}

/// Filter from the URL: unassigned, assigned or all receipts, optionally by name.
fn filter(list: &ListState) -> ReceiptFilter {
    let used = match list.value("state") {
        "used" => Some(true),
        "all" => None,
        _ => Some(false),
    };
    ReceiptFilter { used, text: list.text() }
}

fn order(list: &ListState) -> (ReceiptColumn, bool) {
    let (column, down) = list.order();
    (if column == "name" { ReceiptColumn::Name } else { ReceiptColumn::Made }, down)
}

/// `GET /receipts.csv`, `GET /receipts.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let (cx, format) = (page.context(), page.format());
    let list = ListState::of(&page, "-date");
    let (filter, order) = (filter(&list), order(&list));
    let found =
        page.list(move |tx| receipts::table(tx, &cx, &filter, order, (0, MOST_ROWS))).await?.rows;
    let file = Download::begin(format, "receipts", &COLUMNS)?;
    file.answer(&page, found, |file, receipt| {
        let expenses: Vec<String> = receipt.expense_ids.iter().map(ToString::to_string).collect();
        let hash: String = receipt.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
        file.row([
            Cell::number(receipt.id),
            Cell::Day(amsterdam_today(receipt.created_at)),
            Cell::text(receipt.name.as_deref()),
            Cell::Text(&receipt.media_type),
            Cell::number(receipt.size),
            Cell::Text(&hash),
            Cell::Text(&expenses.join(" ")),
        ])
    })
    .await
}

/// `GET /receipts`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    show_with(&page, &Form::default(), 0, StatusCode::OK).await
}

/// Result of storing the files of a form.
pub(super) struct Kept {
    /// Stored receipts.
    pub(super) ids: Vec<i64>,
    /// Whether at least one of the stored receipts is new.
    is_new: bool,
    /// Faults of the rejected files.
    pub(super) faults: Vec<Fault>,
}

/// Receipts with these ids; unknown ids are ignored.
pub(super) fn existing(tx: &mut Tx<'_>, cx: &Context, ids: &[i64]) -> Result<Vec<Receipt>, Error> {
    let read = |id: &i64| match receipts::read(tx, cx, *id) {
        Err(Error::NotFound(_)) => None,
        read => Some(read),
    };
    ids.iter().filter_map(read).collect()
}

/// Stores the files submitted in a field.
pub(super) async fn keep_files(
    page: &Authenticated,
    form: &Form,
    field: &str,
) -> Result<Kept, Problem> {
    let mut kept = Kept { ids: Vec::new(), is_new: false, faults: Vec::new() };
    for file in form.files(field) {
        let looked_at = uploads::look_at(
            &page.app,
            page.who.account.id,
            file.bytes.to_vec(),
            file.name.clone(),
        )
        .await?;
        match looked_at {
            Ok(file) => {
                let cx = page.context();
                let keep = move |tx: &mut Tx<'_>| receipts::keep(tx, &cx, &file);
                match page.app.execute(page.who.account.id, keep).await {
                    Ok(receipt) => {
                        kept.is_new |= matches!(receipt, Created::New(_));
                        kept.ids.push(receipt.into_inner().id);
                    }
                    Err(Error::Invalid(faults)) => {
                        kept.faults.extend(
                            faults
                                .into_iter()
                                .map(|fault| Fault::new(format!("/{field}"), fault.reason)),
                        );
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => kept.faults.push(fault(field, error)),
        }
    }
    Ok(kept)
}

fn fault(field: &str, error: ReceiptError) -> Fault {
    Fault::new(format!("/{field}"), error.into())
}

/// `POST /receipts`: uploads files.
pub(super) async fn keep(page: Authenticated, form: Form) -> Result<Response, Problem> {
    let Kept { ids, is_new, mut faults } = keep_files(&page, &form, "file").await?;
    if ids.is_empty() && faults.is_empty() {
        faults.push(fault("file", ReceiptError::Empty));
    }
    if !faults.is_empty() {
        let mut form = Form::default();
        form.take_faults(&faults, page.texts);
        return show_with(&page, &form, ids.len(), StatusCode::UNPROCESSABLE_ENTITY).await;
    }
    let done =
        if is_new { "/receipts?done=receipts-kept" } else { "/receipts?done=receipts-known" };
    Ok(page.with_flash(see_other(done)))
}

/// `GET /receipts/{id}/file`: the file as uploaded.
pub(super) async fn file(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let cx = page.context();
    let (receipt, bytes) =
        page.app.query(page.who.account.id, move |tx| receipts::file(tx, &cx, id)).await?;
    let (media_type, ending) = uploads::kind_of(&receipt.media_type);
    let disposition = format!("inline; filename=\"receipt-{id}.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        // The bytes of a receipt never change.
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}

/// `GET /receipts/{id}/thumbnail`: a thumbnail of the file.
pub(super) async fn thumbnail(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let cx = page.context();
    let bytes =
        page.app.query(page.who.account.id, move |tx| receipts::thumbnail(tx, &cx, id)).await?;
    let headers = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CACHE_CONTROL, "private, max-age=31536000, immutable"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    Ok((headers, bytes).into_response())
}

/// `POST /receipts/{id}/delete`: deletes an unassigned receipt.
pub(super) async fn delete(
    page: Authenticated,
    Id(id): Id,
    form: Form,
) -> Result<Response, Problem> {
    let run = move |tx: &mut Tx<'_>, cx: &Context| {
        receipts::delete(tx, cx, id, &|_| true)?;
        Ok("/receipts?done=receipt-deleted".to_owned())
    };
    page.press(form, run, async |form, status| {
        show_with(&page, &form.beside(Form::default()), 0, status).await
    })
    .await
}
