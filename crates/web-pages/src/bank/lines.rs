//! `/bank-lines`: lists of bank lines, with the chosen line next to its list.

use super::{
    allocations::{ALLOCATIONS, prefilled},
    choices::{self, Choices, ignore_reason},
    rules::repeatable,
    suggestions::{Mark, Shown, booked_words, listed, rule_names, shown, vat_periods},
};
use crate::{
    form::Form,
    frame::{
        download::{Cell, Download, MOST_ROWS},
        lines::Line,
        list::{ListState, Pager},
    },
    id::Id,
    page::{Authenticated, see_other},
    return_to,
    submit::SUBMISSION,
    texts::Phrase,
};
use askama::Template;
use axum::{http::StatusCode, response::Response};
use ledger::{
    bank_account::BankAccount,
    bank_line::{AllocationKind, BookedBy, IgnoreReason, LineState},
    chart::codes,
    money::Cents,
    vat_period::VatPeriod,
};
use service::{
    Error,
    bank_booking::LineBooking,
    bank_lines::{self, LineDetails, LineTable},
    bank_repeats::RepeatedBooking,
    bank_suggestions::{self, SuggestedDocuments, Suggestion},
};
use std::collections::BTreeMap;
use store::{
    Tx,
    bank_allocations::BankAllocation,
    bank_lines::{BankLine, LineFilter},
};
use web_core::problem::Problem;

/// Path of the lists.
pub(super) const LIST: &str = "/bank-lines";
/// Choice of a payment of an invoice that is paid already, of which the customer keeps all.
const PAID_TWICE: &str = "paidTwice";
/// Choice of a prepayment without an invoice, which waits on the account for amounts that are not
/// explained yet: what a customer pays in advance is booked on its invoice (art. 35 Wet OB).
const PREPAID: &str = "prepaid";
/// Choice of the ledger account for amounts that are not explained yet.
const UNKNOWN: &str = "unknown";
/// Columns of a download.
const COLUMNS: [&str; 15] = [
    "id",
    "bankAccount",
    "date",
    "valueDate",
    "amount",
    "balanceAfter",
    "counterparty",
    "iban",
    "text",
    "endToEndId",
    "bankReference",
    "state",
    "stateReason",
    "kinds",
    "note",
];

#[derive(Template)]
#[template(path = "bank/lines.html")]
pub(super) struct View<'a> {
    pub(super) page: &'a Authenticated,
    pub(super) form: &'a Form,
    pub(super) list: ListState,
    pager: Pager,
    table: LineTable,
    /// Bank accounts in use: id and name.
    accounts: Vec<(String, String)>,
    /// Line that is shown next to the list.
    pub(super) chosen: Option<Chosen>,
    /// Whether the URL names the line, so that a phone shows it in place of the list.
    is_line_named: bool,
    /// First suggestion of each line of the list that has one.
    marks: BTreeMap<i64, Mark>,
    /// Documents and entries of suggestions and bookings.
    documents: SuggestedDocuments,
    /// Periods of VAT payments, by payment.
    periods: BTreeMap<i64, VatPeriod>,
}

/// Lines of a list that are ticked beforehand.
#[derive(Default)]
struct Ticked {
    count: i64,
    incoming: Cents,
    /// Sum of the amounts that go out, without sign.
    outgoing: Cents,
}

impl Ticked {
    /// Directions of the lines, as the text names them.
    fn flow(&self) -> &'static str {
        match (self.incoming.is_zero(), self.outgoing.is_zero()) {
            (_, true) => "in",
            (true, false) => "out",
            (false, false) => "both",
        }
    }
}

/// Line that is shown next to its list.
pub(super) struct Chosen {
    pub(super) details: LineDetails,
    /// Line that may be the same payment.
    pub(super) duplicate: Option<LineDetails>,
    /// Records that a new line can be booked against.
    pub(super) choices: Choices,
    /// Allocations in the form.
    pub(super) allocations: Vec<Line>,
    /// Id of the line below it in the list.
    pub(super) next: Option<i64>,
    /// Version of its note.
    pub(super) version_of_note: String,
    /// Suggestions of how to book it, the best first.
    pub(super) suggestions: Vec<Shown>,
}

impl View<'_> {
    /// Tabs of the states: URL, name, number of lines that wait, whether selected.
    fn tabs(&self) -> [(String, Phrase<'static>, i64, bool); 4] {
        let (texts, counts) = (self.page.texts, self.table.counts);
        let account = self.list.value("bankAccountId").parse::<i64>();
        let account = account.map(|id| format!("&bankAccountId={id}")).unwrap_or_default();
        let tab = |state: &str, name, count| {
            let is_current = state_of(&self.list) == state;
            (format!("{LIST}?state={state}{account}"), name, count, is_current)
        };
        [
            tab("new", texts.t("bank-lines-new"), counts.new),
            tab("doubtful", texts.t("bank-lines-doubtful"), counts.doubtful),
            tab("booked", texts.t("bank-lines-booked"), 0),
            tab("ignored", texts.t("bank-lines-ignored"), 0),
        ]
    }

    /// Whether the list is searched, apart from the state of its lines.
    fn is_searched(&self) -> bool {
        ["q", "bankAccountId", "from", "to", "statement"]
            .iter()
            .any(|name| !self.list.value(name).is_empty())
    }

    /// Whether the list shows all new lines.
    fn is_list_of_new(&self) -> bool {
        ["", LineState::New.as_str()].contains(&self.list.value("state"))
    }

    /// URL of the list with a line next to it.
    fn beside(&self, id: &i64) -> String {
        self.list.with_on_page("line", &id.to_string())
    }

    fn is_chosen(&self, id: &i64) -> bool {
        self.chosen.as_ref().is_some_and(|chosen| chosen.details.line.id == *id)
    }

    /// Lines of the list that are ticked beforehand.
    fn ticked(&self) -> Ticked {
        let mut ticked = Ticked::default();
        for LineDetails { line, .. } in &self.table.rows {
            if self.marks.get(&line.id).is_some_and(|mark| mark.is_certain) {
                ticked.count += 1;
                let is_out = line.amount.is_negative();
                let sum = if is_out { &mut ticked.outgoing } else { &mut ticked.incoming };
                *sum += line.amount.abs();
            }
        }
        ticked
    }

    /// Text of the button that books the ticked lines.
    fn certain(&self, ticked: &Ticked) -> String {
        let texts = self.page.texts;
        texts
            .t("bank-accept-certain")
            .with("count", &ticked.count)
            .with("flow", ticked.flow())
            .with("incoming", &texts.money(ticked.incoming))
            .with("outgoing", &texts.money(ticked.outgoing))
            .to_string()
    }

    /// Bookings of a line in words; empty for a line without any.
    fn booked(&self, of: &LineDetails) -> String {
        let allocations = of.allocations.iter();
        listed(allocations.map(|of| booked_words(self.page, of, &self.documents, &self.periods)))
    }

    /// Kind of an allocation and what it is about.
    fn allocation(&self, of: &BankAllocation) -> String {
        booked_words(self.page, of, &self.documents, &self.periods)
    }

    /// URL of the document that an allocation settles.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn document(&self, of: &BankAllocation) -> Option<String> {
        let id = of.parent_id?;
        match of.kind {
            AllocationKind::Invoice | AllocationKind::Refund => Some(format!("/invoices/{id}")),
            AllocationKind::Bill | AllocationKind::Expense => Some(format!("/expenses/{id}")),
            _ => None,
        }
    }

    /// Key that leads to a line of the list: `j` to the one below the chosen line, `k` to the one
    /// above it.
    fn key_to(&self, id: &i64) -> Option<&'static str> {
        let rows = &self.table.rows;
        let place = rows.iter().position(|row| row.line.id == *id)?;
        let Some(chosen) = rows.iter().position(|row| self.is_chosen(&row.line.id)) else {
            return (place == 0).then_some("j");
        };
        if place == chosen + 1 {
            Some("j")
        } else if place + 1 == chosen {
            Some("k")
        } else {
            None
        }
    }

    /// URL of the list without a line.
    pub(super) fn list_alone(&self) -> String {
        let list = ListState::read(&self.list.with_on_page("line", ""), "");
        list.with_on_page("kind", "")
    }

    /// Choices of how to book the line, by its direction: URL that chooses one, name, key, whether it
    /// is chosen.
    fn kinds(&self, chosen: &Chosen) -> Vec<(String, Phrase<'static>, Option<&'static str>, bool)> {
        use AllocationKind::{
            BankCosts, Bill, Existing, Expense, Interest, Invoice, Ledger, Loan, LoanRepayment,
            Payout, Private, Refund, Transfer, Vat,
        };
        let texts = self.page.texts;
        let (incoming, outgoing) = (
            [
                Invoice, Payout, Private, Transfer, Vat, Interest, Loan, Bill, Expense, BankCosts,
                Ledger,
            ],
            [
                Bill,
                Expense,
                Private,
                Transfer,
                Vat,
                BankCosts,
                Interest,
                Refund,
                LoanRepayment,
                Payout,
                Ledger,
            ],
        );
        let is_out = chosen.details.line.amount.is_negative();
        let existing = chosen.choices.has_entries().then_some(Existing);
        let kinds = existing.into_iter().chain(if is_out { outgoing } else { incoming });
        let first = chosen.allocations.first();
        let value = |name: &str| first.map_or("", |line| self.form.value(&line.field(name)));
        let preset = match (value("kind"), value("overpayment"), value("account")) {
            ("invoice", "keep", _) => Some(PAID_TWICE),
            ("ledger", _, account) if account == codes::SUSPENSE.to_string() => {
                Some(if self.is_prepaid(chosen) { PREPAID } else { UNKNOWN })
            }
            _ => None,
        };
        let list = ListState::read(&self.beside(&chosen.details.line.id), "");
        let entry = |name: &str, words, key, is_chosen| {
            (list.with_on_page("kind", name), words, key, is_chosen)
        };
        let of_kind = |kind: AllocationKind| {
            let words = match kind {
                Expense if !is_out => texts.t("allocation-expense-back"),
                Bill if !is_out => texts.t("allocation-bill-back"),
                kind => self.page.allocation_kind(&kind),
            };
            let is_chosen = preset.is_none() && value("kind") == kind.as_str();
            entry(kind.as_str(), words, key_of(kind), is_chosen)
        };
        let twice = (!is_out).then(|| {
            let words = texts.t("allocation-invoice-twice");
            entry(PAID_TWICE, words, None, preset == Some(PAID_TWICE))
        });
        let prepaid = (!is_out).then(|| {
            let words = texts.t("allocation-prepaid");
            entry(PREPAID, words, None, preset == Some(PREPAID))
        });
        let unknown = entry(UNKNOWN, texts.t("allocation-unknown"), None, preset == Some(UNKNOWN));
        kinds.map(of_kind).chain(twice).chain(prepaid).chain([unknown]).collect()
    }

    /// Whether a prepayment without an invoice is chosen.
    fn is_prepaid(&self, chosen: &Chosen) -> bool {
        let words = self.page.t("allocation-prepaid-description").to_string();
        let [only] = chosen.allocations.as_slice() else { return false };
        self.form.value(&only.field("account")) == codes::SUSPENSE.to_string()
            && self.form.value(&only.field("description")) == words
    }

    /// Whether the line is booked on the account for amounts that are not explained yet.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn is_unexplained(&self, chosen: &Chosen) -> bool {
        let is_on_suspense = |of: &BankAllocation| {
            let repeated = of.template.as_deref().and_then(RepeatedBooking::parse);
            let booking = repeated.map(|of| of.allocation().booking);
            let Some(LineBooking::Ledger { account, .. }) = booking else { return false };
            account == codes::SUSPENSE
        };
        chosen.details.allocations.iter().any(is_on_suspense)
    }

    /// Whether a kind is chosen, so that its form is shown.
    fn has_kind(&self, chosen: &Chosen) -> bool {
        chosen.allocations.len() > 1
            || chosen
                .allocations
                .iter()
                .any(|line| !self.form.value(&line.field("kind")).is_empty())
    }

    fn is_kind(&self, line: &Line, kind: &str) -> bool {
        self.form.value(&line.field("kind")) == kind
    }

    /// Part of the amount that the allocations lack; `None` if one of them takes the rest.
    fn missing(&self, chosen: &Chosen) -> Option<Cents> {
        let language = self.form.language(self.page.texts.language);
        let amount =
            |line: &Line| i18n::read_money(self.form.value(&line.field("amount")), language).ok();
        let amounts: Option<Vec<Cents>> = chosen.allocations.iter().map(amount).collect();
        Some(chosen.details.line.amount.abs() - amounts?.into_iter().sum())
    }

    /// Reason why the line is ignored.
    fn reason(&self, reason: &IgnoreReason) -> Phrase<'static> {
        ignore_reason(self.page.texts, *reason)
    }

    /// Whether a rule can repeat the booking of the line.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn is_repeatable(&self, chosen: &Chosen) -> bool {
        repeatable(&chosen.details).is_some()
    }

    /// Whether a rule can repeat the booking that is chosen in the form.
    fn offers_rule(&self, chosen: &Chosen) -> bool {
        use AllocationKind::{Bill, Existing, Invoice, Loan, Payout, Refund};
        let kind = |of: &Line| AllocationKind::parse(self.form.value(&of.field("kind")));
        let [only] = chosen.allocations.as_slice() else { return false };
        kind(only)
            .is_some_and(|kind| !matches!(kind, Bill | Existing | Invoice | Loan | Payout | Refund))
    }

    /// Reasons that the owner can give.
    fn reasons(&self) -> Vec<(&'static str, Phrase<'static>)> {
        let reasons = IgnoreReason::OF_CALLER.iter();
        reasons.map(|reason| (reason.as_str(), self.reason(reason))).collect()
    }

    fn booked_by(&self, by: &BookedBy) -> Phrase<'static> {
        let texts = self.page.texts;
        match by {
            BookedBy::Person => texts.t("bank-booked-by-person"),
            BookedBy::Api => texts.t("bank-booked-by-api"),
            BookedBy::Rule => texts.t("bank-booked-by-rule"),
        }
    }

    /// Form of the note: as submitted if it was refused, as stored otherwise.
    fn note(&self, chosen: &Chosen) -> Form {
        if self.form.fault("note").is_some() { self.form.clone() } else { filled(&chosen.details) }
    }

    /// Beginning of the text.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn text(&self, of: &LineDetails) -> String {
        of.line.text.chars().take(50).collect()
    }

    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    fn is_new(&self, of: &LineDetails) -> bool {
        of.line.state == LineState::New
    }

    /// Name of the counterparty, or the beginning of the text without one.
    #[expect(clippy::unused_self, reason = "a template reaches it by its view")]
    pub(super) fn name(&self, of: &LineDetails) -> String {
        let text = || of.line.text.chars().take(80).collect();
        of.line.name.clone().unwrap_or_else(text)
    }
}

/// Key that chooses a kind of booking.
const fn key_of(kind: AllocationKind) -> Option<&'static str> {
    match kind {
        AllocationKind::Invoice => Some("i"),
        AllocationKind::Bill => Some("b"),
        AllocationKind::Expense => Some("e"),
        AllocationKind::Private => Some("p"),
        AllocationKind::Transfer => Some("t"),
        AllocationKind::Ledger => Some("l"),
        _ => None,
    }
}

/// State of the lines in a list.
fn state_of(list: &ListState) -> &str {
    match list.value("state") {
        state @ ("booked" | "ignored" | "doubtful" | "all") => state,
        _ => "new",
    }
}

pub(super) fn filter(list: &ListState) -> LineFilter {
    let day = |name: &str| i18n::read_date(list.value(name)).ok();
    let (state, doubtful) = match state_of(list) {
        "booked" => (Some(LineState::Booked), None),
        "ignored" => (Some(LineState::Ignored), None),
        "doubtful" => (Some(LineState::New), Some(true)),
        "all" => (None, None),
        _ => (Some(LineState::New), None),
    };
    LineFilter {
        bank_account: list.value("bankAccountId").parse().ok(),
        state,
        doubtful,
        days: (day("from"), day("to")),
        text: list.text(),
        statement: list.value("statement").parse().ok(),
        ..LineFilter::default()
    }
}

/// URL of the list in a form; that of all new lines if the form has none.
pub(super) fn address_of(form: &Form) -> String {
    let is_list = |address: &&str| {
        address.strip_prefix(LIST).is_some_and(|rest| rest.is_empty() || rest.starts_with('?'))
    };
    return_to::local(form.value("list")).filter(is_list).unwrap_or(LIST).to_owned()
}

/// Form of the note of a line.
pub(super) fn filled(line: &LineDetails) -> Form {
    Form::of([("note", line.line.note.clone().unwrap_or_default())])
}

/// Shows a list with a line next to it. Without a line, the first of the list is shown.
// Long: one query reads all that the view shows, so that its parts agree.
pub(super) async fn show_with(
    page: &Authenticated,
    list: ListState,
    line: Option<i64>,
    form: &Form,
    status: StatusCode,
) -> Result<Response, Problem> {
    let cx = page.context();
    let (filter, rows) = (filter(&list), list.rows());
    let allocations = ALLOCATIONS.of(form);
    let kind = |line: &Line| AllocationKind::parse(form.value(&line.field("kind")));
    let kinds: Vec<AllocationKind> = allocations.iter().filter_map(kind).collect();
    let with_paid = allocations.iter().any(|of| form.has(&of.field("overpayment"), "keep"));
    let read = move |tx: &mut Tx<'_>| {
        let table = bank_lines::table(tx, &cx, &filter, rows)?;
        let chosen = match line {
            Some(id) => Some(bank_lines::read(tx, &cx, id)?),
            None => table.rows.first().cloned(),
        };
        let mut lines: Vec<BankLine> = table.rows.iter().map(|row| row.line.clone()).collect();
        let chosen_line = chosen.as_ref().map(|details| details.line.clone());
        lines.extend(chosen_line.filter(|line| lines.iter().all(|other| other.id != line.id)));
        let suggestions = bank_suggestions::of_lines(tx, &cx, &lines)?;
        let suggestions = lines.iter().map(|line| line.id).zip(suggestions).collect();
        let suggestions: BTreeMap<i64, Vec<Suggestion>> = suggestions;
        let own = |id: i64| suggestions.get(&id).map_or(&[][..], Vec::as_slice);
        let firsts = suggestions.values().filter_map(|of| of.first());
        let shown = chosen.iter().flat_map(|details| own(details.line.id));
        let mut documents = bank_suggestions::documents(tx, &cx, firsts.chain(shown))?;
        for of in table.rows.iter().chain(&chosen) {
            bank_suggestions::add_booked(tx, &cx, &mut documents, &of.allocations)?;
        }
        let booked = table.rows.iter().chain(&chosen).flat_map(|of| &of.allocations);
        let periods = vat_periods(tx, &cx, booked)?;
        let documents = (documents, periods);
        let Some(details) = chosen else { return Ok((table, suggestions, documents, None)) };
        let duplicate = match details.line.duplicate_of {
            Some(id) => Some(bank_lines::read(tx, &cx, id)?),
            None => None,
        };
        let choices = choices::read(tx, &cx, &details.line, (&kinds, with_paid))?;
        let names = rule_names(tx, &cx, own(details.line.id))?;
        let chosen = Some((details, duplicate, choices, names));
        Ok::<_, Error>((table, suggestions, documents, chosen))
    };
    let (table, suggestions, (documents, periods), chosen) = page.list(read).await?;
    let own = |id: i64| suggestions.get(&id).map_or(&[][..], Vec::as_slice);
    let form = match &chosen {
        Some((details, _, choices, _)) => {
            let form = prefilled(page, form, &details.line, own(details.line.id));
            &match allocations.as_slice() {
                [only] => choices.with_return(form, &details.line, only),
                _ => form,
            }
        }
        None => form,
    };
    let chosen = chosen.map(|(details, duplicate, choices, names)| {
        let suggestions = shown(page, own(details.line.id), &documents, &names);
        let place = table.rows.iter().position(|row| row.line.id == details.line.id);
        let next = table.rows.get(place.map_or(0, |place| place + 1)).map(|row| row.line.id);
        let version_of_note = filled(&details).version();
        Chosen { details, duplicate, choices, allocations, next, version_of_note, suggestions }
    });
    let pager = list.pager(usize::try_from(table.sums.count).unwrap_or(0));
    let active = page.bank_accounts().all().iter().filter(|account| !account.is_archived);
    let choice = |account: &BankAccount| (account.id.to_string(), page.bank_account_name(account));
    let all = (String::new(), page.t("bank-all-accounts").to_string());
    let accounts = [all].into_iter().chain(active.map(choice)).collect();
    let is_line_named = line.is_some();
    let mark = |(id, of): (&i64, &Vec<Suggestion>)| Some((*id, Mark::of(page, of, &documents)?));
    let marks = suggestions.iter().filter_map(mark).collect();
    let view = View {
        page,
        form,
        list,
        pager,
        table,
        accounts,
        chosen,
        is_line_named,
        marks,
        documents,
        periods,
    };
    page.show_as(status, &view)
}

/// `GET /bank-lines`
pub(super) async fn show(page: Authenticated) -> Result<Response, Problem> {
    let list = ListState::of(&page, "-date");
    let line = list.value("line").parse().ok();
    let mut fields = vec![(SUBMISSION, page.new_submission()?)];
    let mut field = |name, value: &str| fields.push((name, value.to_owned()));
    match list.value("kind") {
        PAID_TWICE => {
            field("allocations.0.kind", AllocationKind::Invoice.as_str());
            field("allocations.0.overpayment", "keep");
        }
        kind @ (UNKNOWN | PREPAID) => {
            field("allocations.0.kind", AllocationKind::Ledger.as_str());
            field("allocations.0.account", &codes::SUSPENSE.to_string());
            if kind == PREPAID {
                let words = page.t("allocation-prepaid-description").to_string();
                field("allocations.0.description", &words);
            }
        }
        kind => field("allocations.0.kind", kind),
    }
    let form = Form::of(fields);
    show_with(&page, list, line, &ALLOCATIONS.arrange(&form, ""), StatusCode::OK).await
}

/// `GET /bank-lines/{id}`: redirects to the list with the line next to it.
pub(super) async fn show_line(page: Authenticated, Id(id): Id) -> Result<Response, Problem> {
    let cx = page.context();
    let read = move |tx: &mut Tx<'_>| bank_lines::read(tx, &cx, id);
    let details = page.app.query(page.who.account.id, read).await?;
    let state = details.line.state.as_str();
    Ok(see_other(&format!("{LIST}?state={state}&line={id}")))
}

/// `GET /bank-lines.csv`, `GET /bank-lines.xlsx`: the filtered list as a spreadsheet.
pub(super) async fn download(page: Authenticated) -> Result<Response, Problem> {
    let cx = page.context();
    let filter = filter(&ListState::of(&page, "-date"));
    let read = move |tx: &mut Tx<'_>| bank_lines::table(tx, &cx, &filter, (0, MOST_ROWS));
    let rows = page.list(read).await?.rows;
    let rows: Vec<(String, LineDetails)> = rows
        .into_iter()
        .map(|of| (page.bank_account_by_id(&of.line.bank_account_id), of))
        .collect();
    let file = Download::begin(page.format(), "bank-lines", &COLUMNS)?;
    file.answer(&page, rows, |file, (bank_account, of)| {
        let line = &of.line;
        let kinds: Vec<&str> = of.allocations.iter().map(|of| of.kind.as_str()).collect();
        file.row([
            Cell::number(line.id),
            Cell::Text(bank_account),
            Cell::Day(line.date),
            line.value_date.map_or(Cell::Empty, Cell::Day),
            Cell::number(line.amount),
            line.balance_after.map_or(Cell::Empty, Cell::number),
            Cell::text(line.name.as_deref()),
            Cell::text(line.iban.as_deref()),
            Cell::Text(&line.text),
            Cell::text(line.end_to_end_id.as_deref()),
            Cell::text(line.bank_reference.as_deref()),
            Cell::Text(line.state.as_str()),
            Cell::text(line.state_reason.map(|reason| reason.as_str())),
            Cell::Text(&kinds.join(" ")),
            Cell::text(line.note.as_deref()),
        ])
    })
    .await
}
