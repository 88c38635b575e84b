//! Model of quotes: random commands on quotes and on their invoices, over more than a year. After
//! each command, the numbers, states and decisions of all quotes, all invoices and the balances of
//! the ledger are those of the model.

use crate::desk::{CONTENTS, Content, Desk, Groups, customer, groups, rounded, total};
use jiff::{ToSpan, civil::Date};
use ledger::{
    invoice::Prices,
    money::Cents,
    quote::{DecidedBy, OnAccept, QuotePart, QuoteStatus},
};
use service::{
    corrections::IfFiled,
    invoices::{self, EditInvoice, NewCreditNote},
    messages::{self, SendInvoice},
    quotes::{self, Decision, EditQuote, InvoiceQuotePart, NewQuote, SendQuote, Shown},
};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use store::{
    invoices::{InvoiceKind, Particulars, Status},
    quotes::{QuoteColumn, QuoteFilter},
};
use testing::Engine;

/// Number of commands.
const STEPS: u32 = 1_000;
/// Default seed; `GROOTBOEK_MODEL_SEED` sets another.
const SEED: u64 = 3;

#[test]
fn quotes_on_sqlite_are_those_of_the_model() {
    run(Engine::Sqlite);
}

#[test]
fn quotes_on_postgres_are_those_of_the_model() {
    run(Engine::Postgres);
}

#[derive(Clone, Debug)]
struct Quote {
    number: String,
    /// State without expiry.
    status: QuoteStatus,
    quote_date: Date,
    valid_until: Date,
    content: Content,
    has_email: bool,
    prepayment_percent: Option<i64>,
    on_accept: OnAccept,
    is_step_refused: bool,
    replaces: Option<i64>,
    was_sent: bool,
    decision: Option<(DecidedBy, Option<String>)>,
    /// Ids of the invoices.
    invoices: Vec<i64>,
}

impl Quote {
    fn on(&self, today: Date) -> QuoteStatus {
        match self.status {
            QuoteStatus::Sent if today > self.valid_until => QuoteStatus::Expired,
            status => status,
        }
    }

    fn total(&self) -> i64 {
        total(&self.content.groups())
    }
}

#[derive(Clone, Debug)]
struct Invoice {
    quote: i64,
    part: QuotePart,
    groups: Groups,
    status: Status,
    is_credited: bool,
}

impl Invoice {
    fn stands(&self) -> bool {
        self.status != Status::Cancelled && !self.is_credited
    }
}

#[derive(Default)]
struct Model {
    quotes: BTreeMap<i64, Quote>,
    invoices: BTreeMap<i64, Invoice>,
    /// Invoices and credit notes by year.
    documents: BTreeMap<i16, u32>,
    last_invoice: i64,
    mails: usize,
}

fn not_open(status: QuoteStatus) -> String {
    format!("quote_not_open: {}", status.as_str())
}

impl Model {
    /// Adds a draft quote and returns its id.
    fn add(&mut self, mut quote: Quote) -> i64 {
        let prefix = format!("O-{}-", quote.quote_date.year());
        let before = self.quotes.values().filter(|other| other.number.starts_with(&prefix));
        quote.number = format!("{prefix}{:04}", before.count() + 1);
        let id = i64::try_from(self.quotes.len()).unwrap() + 1;
        self.quotes.insert(id, quote);
        id
    }

    fn quote(&mut self, id: i64) -> &mut Quote {
        self.quotes.get_mut(&id).unwrap()
    }

    fn standing(&self, quote: i64) -> Vec<(i64, &Invoice)> {
        let of_quote = self.invoices.iter().filter(|(_, of)| of.quote == quote && of.stands());
        of_quote.map(|(id, invoice)| (*id, invoice)).collect()
    }

    /// Replacing quotes that are not withdrawn, oldest first.
    fn replacing(&self, id: i64) -> Vec<(i64, QuoteStatus)> {
        let newer = self.quotes.iter().filter(|(_, of)| of.replaces == Some(id));
        let newer = newer.map(|(id, of)| (*id, of.status));
        newer.filter(|(_, status)| *status != QuoteStatus::Withdrawn).collect()
    }

    fn set_sent(&mut self, id: i64, today: Date) {
        let quote = self.quote(id);
        (quote.status, quote.was_sent) = (QuoteStatus::Sent, true);
        if let Some(old) = quote.replaces {
            let old = self.quote(old);
            if matches!(
                old.on(today),
                QuoteStatus::Draft | QuoteStatus::Sent | QuoteStatus::Expired
            ) {
                old.status = QuoteStatus::Withdrawn;
            }
        }
    }

    /// Groups of an invoice of a part, or the refusal.
    fn part(
        &self,
        id: i64,
        today: Date,
        (part, percent, amount): (QuotePart, Option<i64>, Option<i64>),
    ) -> Result<Groups, String> {
        let quote = &self.quotes[&id];
        let standing = self.standing(id);
        if let Some((invoice, _)) = standing.iter().find(|(_, of)| of.part != QuotePart::Prepayment)
        {
            return Err(format!("quote_invoiced: {invoice}"));
        }
        let status = quote.on(today);
        if !matches!(status, QuoteStatus::Sent | QuoteStatus::Accepted) {
            return Err(not_open(status));
        }
        match (part, standing.first()) {
            (QuotePart::All, Some((invoice, _))) => Err(format!("quote_invoiced: {invoice}")),
            (QuotePart::All, None) => Ok(quote.content.groups()),
            (QuotePart::Final, _) => {
                if standing.iter().any(|(_, of)| of.status == Status::Draft) {
                    return Err("is_a_draft".to_owned());
                }
                let prices = quote.content.prices;
                let mut sums = quote.content.sums();
                for (_, prepayment) in &standing {
                    for (rate, (base, vat)) in &prepayment.groups {
                        let set_off = if prices == Prices::Net { *base } else { base + vat };
                        *sums.get_mut(rate).unwrap() -= set_off;
                    }
                }
                let groups = groups(&sums, prices);
                let is_below = groups.values().any(|(base, _)| *base < 0);
                if is_below { Err("/items negative_vat_group".to_owned()) } else { Ok(groups) }
            }
            (QuotePart::Prepayment, _) => {
                let prepaid: i64 = standing.iter().map(|(_, of)| total(&of.groups)).sum();
                prepayment(quote, quote.total() - prepaid, (percent, amount))
            }
        }
    }

    fn add_invoice(
        &mut self,
        (id, part): (i64, QuotePart),
        groups: Groups,
        (status, today): (Status, Date),
    ) -> i64 {
        self.last_invoice += 1;
        *self.documents.entry(today.year()).or_default() += 1;
        let made = self.last_invoice;
        let invoice = Invoice { quote: id, part, groups, status, is_credited: false };
        self.invoices.insert(made, invoice);
        let quote = self.quote(id);
        quote.invoices.push(made);
        if part != QuotePart::Prepayment {
            quote.status = QuoteStatus::Invoiced;
        }
        made
    }

    /// Makes the quote of an invoice that no longer stands accepted.
    fn release(&mut self, invoice: i64) {
        let id = self.invoices[&invoice].quote;
        let is_invoiced =
            self.standing(id).iter().any(|(_, invoice)| invoice.part != QuotePart::Prepayment);
        let quote = self.quote(id);
        if quote.status == QuoteStatus::Invoiced && !is_invoiced {
            quote.status = QuoteStatus::Accepted;
        }
    }
}

/// Groups of a prepayment of a quote of which `remaining` cents are left.
fn prepayment(
    quote: &Quote,
    remaining: i64,
    (percent, amount): (Option<i64>, Option<i64>),
) -> Result<Groups, String> {
    let percent = percent.or(quote.prepayment_percent);
    let (asked, field) = match (amount, percent) {
        (Some(amount), _) => (amount, "/amount"),
        (None, Some(percent)) => (rounded(quote.total() * percent, 10_000), "/percent"),
        (None, None) => return Err("/percent required".to_owned()),
    };
    if asked <= 0 || asked > remaining {
        return Err(format!("{field} out_of_range"));
    }
    let whole = quote.content.groups();
    if let (None, Some(percent), Prices::Net) = (amount, percent, quote.content.prices) {
        let part =
            |(rate, (base, _)): (&i64, &(i64, i64))| (*rate, rounded(base * percent, 10_000));
        return Ok(groups(&whole.iter().map(part).collect(), Prices::Net));
    }
    // Cents that rounding down leaves go to the largest remainders, of equal ones to the highest
    // rate.
    let gross = quote.total();
    let mut shares: Vec<(i64, i64, i64)> = whole
        .iter()
        .rev()
        .map(|(rate, (base, vat))| {
            let exact = (base + vat) * asked;
            (*rate, exact / gross, exact % gross)
        })
        .collect();
    let remaining = asked - shares.iter().map(|(_, share, _)| share).sum::<i64>();
    shares.sort_by_key(|(_, _, remainder)| -remainder);
    for (_, share, _) in shares.iter_mut().take(usize::try_from(remaining).unwrap()) {
        *share += 1;
    }
    let sums = shares.into_iter().filter(|(_, share, _)| *share != 0);
    Ok(groups(&sums.map(|(rate, share, _)| (rate, share)).collect(), Prices::Gross))
}

struct Books {
    desk: Desk,
    model: Model,
    /// Commands that succeeded and were refused, by kind.
    counts: BTreeMap<(&'static str, bool), u32>,
}

impl Books {
    /// Asserts that a command ended as in the model, and counts it.
    fn agree<T>(
        &mut self,
        kind: &'static str,
        answer: Result<T, String>,
        expected: &Result<(), String>,
    ) -> Option<T> {
        *self.counts.entry((kind, expected.is_ok())).or_default() += 1;
        match (answer, expected) {
            (Ok(done), Ok(())) => Some(done),
            (Err(refusal), Err(expected)) => {
                assert_eq!(&refusal, expected, "{kind}");
                None
            }
            (Ok(_), Err(expected)) => panic!("{kind} succeeded, and {expected} was expected"),
            (Err(refusal), Ok(())) => panic!("{kind} was refused: {refusal}"),
        }
    }

    /// One of the last quotes, mostly in one of these states; sometimes any.
    fn some_quote(&mut self, states: &[QuoteStatus]) -> Option<i64> {
        let (last, today) = (self.model.quotes.len(), self.desk.today);
        let is_any = self.desk.rng.u32(0..12) == 0;
        let last = self.model.quotes.iter().skip(if is_any { 0 } else { last.saturating_sub(15) });
        let ids: Vec<i64> = last.clone().map(|(id, _)| *id).collect();
        let fitting = last.filter(|(_, quote)| states.contains(&quote.on(today)));
        let fitting: Vec<i64> = fitting.map(|(id, _)| *id).collect();
        let is_fitting = !fitting.is_empty() && self.desk.rng.u32(0..4) > 0;
        let ids = if is_fitting { fitting } else { ids };
        (!ids.is_empty()).then(|| self.desk.choose(&ids))
    }

    fn make(&mut self) {
        let content = self.desk.choose(&CONTENTS);
        let quote_date = self.desk.today - self.desk.rng.i64(0..4).days();
        let valid_days = self.desk.choose(&[None, Some(4), Some(14), Some(60)]);
        let percent = self.desk.choose(&[None, None, Some(3_000), Some(3_333), Some(10_000)]);
        let on_accept = self.desk.choose(OnAccept::ALL);
        let has_email = self.desk.rng.u32(0..3) > 0;
        let valid_until = valid_days.map(|days| quote_date + i64::from(days).days());
        let command = NewQuote {
            external_id: None,
            quote_date,
            valid_until,
            customer: customer(has_email),
            lines: content.inputs(),
            prices: content.prices,
            payment_term_days: None,
            prepayment_percent: percent,
            on_accept,
            reference: None,
            notes: None,
            particulars: Particulars::default(),
            language: None,
        };
        let id = self.model.add(Quote {
            number: String::new(),
            status: QuoteStatus::Draft,
            quote_date,
            valid_until: valid_until.unwrap_or(quote_date + 30.days()),
            content,
            has_email,
            prepayment_percent: percent,
            on_accept,
            is_step_refused: false,
            replaces: None,
            was_sent: false,
            decision: None,
            invoices: Vec::new(),
        });
        let made =
            self.desk.write(move |tx, cx| Ok(quotes::create(tx, cx, &command)?.into_inner()));
        assert_eq!(self.agree("make", made, &Ok(())).unwrap().quote.id, id);
    }

    fn edit(&mut self) {
        let Some(id) = self.some_quote(&[QuoteStatus::Draft]) else { return };
        let (content, on_accept) = (self.desk.choose(&CONTENTS), self.desk.choose(OnAccept::ALL));
        let status = self.model.quotes[&id].on(self.desk.today);
        let expected = if status == QuoteStatus::Draft { Ok(()) } else { Err(not_open(status)) };
        let edit = EditQuote {
            lines: Some(content.inputs()),
            prices: Some(content.prices),
            on_accept: Some(on_accept),
            ..EditQuote::default()
        };
        let answer =
            self.desk.write(move |tx, cx| quotes::edit(tx, cx, id, &edit, &|_| true).map(drop));
        if self.agree("edit", answer, &expected).is_some() {
            let quote = self.model.quote(id);
            (quote.content, quote.on_accept) = (content, on_accept);
        }
    }

    fn mark_sent(&mut self) {
        let Some(id) = self.some_quote(&[QuoteStatus::Draft]) else { return };
        let status = self.model.quotes[&id].on(self.desk.today);
        let expected = if status == QuoteStatus::Draft { Ok(()) } else { Err(not_open(status)) };
        let answer = self.desk.write(move |tx, cx| quotes::mark_sent(tx, cx, id).map(drop));
        if self.agree("mark sent", answer, &expected).is_some() {
            self.model.set_sent(id, self.desk.today);
        }
    }

    fn mail(&mut self) {
        let Some(id) = self.some_quote(&[QuoteStatus::Draft, QuoteStatus::Sent]) else { return };
        let quote = &self.model.quotes[&id];
        let sent = Quote { status: QuoteStatus::Sent, ..quote.clone() }.on(self.desk.today);
        let expected = match (quote.on(self.desk.today), sent) {
            _ if !quote.has_email => Err(" required".to_owned()),
            (QuoteStatus::Draft | QuoteStatus::Sent, QuoteStatus::Sent) => Ok(()),
            (QuoteStatus::Draft, expired) => Err(not_open(expired)),
            (status, _) => Err(not_open(status)),
        };
        let command = SendQuote { quote_id: id, ..SendQuote::default() };
        let answer = self.desk.write(move |tx, cx| quotes::send(tx, cx, &command).map(drop));
        if self.agree("mail", answer, &expected).is_some() {
            self.model.mails += 1;
            if !self.model.quotes[&id].was_sent {
                self.model.set_sent(id, self.desk.today);
            }
        }
    }

    /// Decides as the owner or the customer; an acceptance is followed by its step.
    fn decide(&mut self, is_acceptance: bool) {
        let Some(id) = self.some_quote(&[QuoteStatus::Sent]) else { return };
        let status = self.model.quotes[&id].on(self.desk.today);
        let name = format!("Person {}", self.desk.rng.u32(0..100));
        let document = format!("PDF of quote {id}").into_bytes();
        let is_of_customer = status == QuoteStatus::Sent && self.desk.rng.bool();
        let is_outdated = is_of_customer && self.desk.rng.u32(0..6) == 0;
        if is_of_customer {
            let bytes = document.clone();
            let kept = self.desk.write(move |tx, cx| {
                Ok(store::quotes::insert_document(tx, cx.actor.account, id, &bytes, cx.now())?)
            });
            kept.unwrap();
        }
        let seen = if is_outdated { b"another".to_vec() } else { document };
        let shown = is_of_customer.then(|| Shown { sha256: Sha256::digest(seen).into() });
        let decision = Decision { name: Some(name.clone()), shown, ..Decision::default() };
        let expected = match status {
            QuoteStatus::Sent if is_outdated => Err("changed".to_owned()),
            QuoteStatus::Sent => Ok(()),
            status => Err(not_open(status)),
        };
        let by = if is_of_customer { DecidedBy::Customer } else { DecidedBy::Owner };
        if !is_acceptance {
            let answer =
                self.desk.write(move |tx, cx| quotes::refuse(tx, cx, id, &decision).map(drop));
            if self.agree("refuse", answer, &expected).is_some() {
                let quote = self.model.quote(id);
                (quote.status, quote.decision) = (QuoteStatus::Refused, Some((by, Some(name))));
                quote.is_step_refused = false;
            }
            return;
        }
        let quote = &self.model.quotes[&id];
        let lacks_email = quote.on_accept == OnAccept::Mail && !quote.has_email;
        let step = if expected.is_ok() && lacks_email {
            Err(" required".to_owned())
        } else {
            expected.clone()
        };
        let first = decision.clone();
        let answer = self.desk.write(move |tx, cx| {
            let accepted = quotes::accept(tx, cx, id, &first)?;
            quotes::follow_up(tx, cx, accepted).map(drop)
        });
        let is_done = self.agree("accept", answer, &step).is_some();
        if !is_done && expected.is_ok() {
            // The acceptance stays without the step that was refused.
            let refused_step = Some("validation_failed".to_owned());
            let decision = Decision { refused_step, ..decision };
            let answer =
                self.desk.write(move |tx, cx| quotes::accept(tx, cx, id, &decision).map(drop));
            self.agree("accept without step", answer, &Ok(()));
        }
        if expected.is_ok() {
            self.accepted(id, (by, Some(name)), !is_done);
        }
    }

    fn accepted(&mut self, id: i64, decision: (DecidedBy, Option<String>), is_step_refused: bool) {
        let today = self.desk.today;
        let quote = self.model.quote(id);
        (quote.status, quote.decision) = (QuoteStatus::Accepted, Some(decision));
        quote.is_step_refused = is_step_refused;
        let status = match quote.on_accept {
            _ if is_step_refused => return,
            OnAccept::Nothing => return,
            OnAccept::Draft => Status::Draft,
            OnAccept::Sent => Status::Sent,
            OnAccept::Mail => {
                self.model.mails += 1;
                Status::Sent
            }
        };
        let is_part = self.model.quotes[&id].prepayment_percent.is_some();
        let part = if is_part { QuotePart::Prepayment } else { QuotePart::All };
        let groups = self.model.part(id, today, (part, None, None)).unwrap();
        self.model.add_invoice((id, part), groups, (status, today));
    }

    fn withdraw(&mut self) {
        let Some(id) =
            self.some_quote(&[QuoteStatus::Draft, QuoteStatus::Sent, QuoteStatus::Expired])
        else {
            return;
        };
        let status = self.model.quotes[&id].on(self.desk.today);
        let expected = match status {
            QuoteStatus::Draft | QuoteStatus::Sent | QuoteStatus::Expired => Ok(()),
            status => Err(not_open(status)),
        };
        let answer = self.desk.write(move |tx, cx| quotes::withdraw(tx, cx, id).map(drop));
        if self.agree("withdraw", answer, &expected).is_some() {
            self.model.quote(id).status = QuoteStatus::Withdrawn;
        }
    }

    fn reopen(&mut self) {
        let Some(id) =
            self.some_quote(&[QuoteStatus::Accepted, QuoteStatus::Refused, QuoteStatus::Withdrawn])
        else {
            return;
        };
        let status = self.model.quotes[&id].on(self.desk.today);
        let is_closed =
            matches!(status, QuoteStatus::Accepted | QuoteStatus::Refused | QuoteStatus::Withdrawn);
        let newer = self.model.replacing(id).into_iter();
        let newer = newer.filter(|(_, status)| *status != QuoteStatus::Draft).map(|(id, _)| id);
        let expected = match (self.model.standing(id).first(), newer.min()) {
            _ if !is_closed => Err(not_open(status)),
            (Some((invoice, _)), _) => Err(format!("quote_has_invoice: {invoice}")),
            (None, Some(newer)) => Err(format!("quote_replaced: {newer}")),
            (None, None) => Ok(()),
        };
        let answer = self.desk.write(move |tx, cx| quotes::reopen(tx, cx, id).map(drop));
        if self.agree("reopen", answer, &expected).is_some() {
            let quote = self.model.quote(id);
            (quote.decision, quote.is_step_refused) = (None, false);
            if quote.was_sent {
                quote.status = QuoteStatus::Sent;
            } else {
                self.model.set_sent(id, self.desk.today);
            }
        }
    }

    fn revise(&mut self) {
        let Some(id) =
            self.some_quote(&[QuoteStatus::Sent, QuoteStatus::Expired, QuoteStatus::Refused])
        else {
            return;
        };
        let (old, today) = (self.model.quotes[&id].clone(), self.desk.today);
        let is_open = matches!(
            old.on(today),
            QuoteStatus::Sent | QuoteStatus::Expired | QuoteStatus::Refused
        );
        let newer = self.model.replacing(id).first().copied();
        let expected = match newer {
            _ if !is_open => Err(not_open(old.on(today))),
            Some((newer, status)) if status != QuoteStatus::Draft => {
                Err(format!("quote_replaced: {newer}"))
            }
            _ => Ok(()),
        };
        let answer = self.desk.write(move |tx, cx| Ok(quotes::revise(tx, cx, id)?.into_inner()));
        let Some(draft) = self.agree("revise", answer, &expected) else { return };
        let expected = match newer {
            Some((newer, _)) => newer,
            None => self.model.add(Quote {
                status: QuoteStatus::Draft,
                quote_date: today,
                valid_until: today + 30.days(),
                is_step_refused: false,
                replaces: Some(id),
                was_sent: false,
                decision: None,
                invoices: Vec::new(),
                ..old
            }),
        };
        assert_eq!(draft.quote.id, expected);
    }

    fn invoice(&mut self) {
        let Some(id) = self.some_quote(&[QuoteStatus::Sent, QuoteStatus::Accepted]) else { return };
        let (quote, today) = (self.model.quotes[&id].clone(), self.desk.today);
        let part = self.desk.choose(&[
            QuotePart::All,
            QuotePart::Prepayment,
            QuotePart::Prepayment,
            QuotePart::Final,
        ]);
        let status = self.desk.choose(&[Status::Draft, Status::Sent, Status::Sent]);
        let (mut percent, mut amount) = (None, None);
        if part == QuotePart::Prepayment {
            let prepaid = self.model.standing(id);
            let prepaid: i64 = prepaid.iter().map(|(_, of)| total(&of.groups)).sum();
            match self.desk.rng.u32(0..4) {
                0 => percent = Some(self.desk.choose(&[1_000, 2_500, 3_333, 10_000])),
                1 => amount = Some(self.desk.rng.i64(1..quote.total() + 100)),
                // All that is left, or a cent more.
                2 => amount = Some(quote.total() - prepaid + self.desk.rng.i64(0..2)),
                _ => {}
            }
        }
        let expected = self.model.part(id, today, (part, percent, amount));
        let command = InvoiceQuotePart {
            external_id: None,
            part,
            percent,
            amount: amount.map(Cents::new),
            status,
            invoice_date: None,
        };
        let answer =
            self.desk.write(move |tx, cx| Ok(quotes::invoice(tx, cx, id, &command)?.into_inner()));
        let kind = match part {
            QuotePart::All => "invoice",
            QuotePart::Prepayment => "prepayment",
            QuotePart::Final => "final",
        };
        let Some(details) = self.agree(kind, answer, &expected.clone().map(drop)) else { return };
        if quote.status == QuoteStatus::Sent {
            let quote = self.model.quote(id);
            (quote.status, quote.decision) =
                (QuoteStatus::Accepted, Some((DecidedBy::Owner, None)));
        }
        let made = self.model.add_invoice((id, part), expected.unwrap(), (status, today));
        assert_eq!(details.invoice.id, made);
    }

    fn some_invoice(&mut self) -> Option<i64> {
        let ids: Vec<i64> = self.model.invoices.keys().copied().collect();
        let last = &ids[ids.len().saturating_sub(12)..];
        (!last.is_empty()).then(|| self.desk.choose(last))
    }

    fn send_invoice(&mut self) {
        let Some(id) = self.some_invoice() else { return };
        let invoice = &self.model.invoices[&id];
        let has_email = self.model.quotes[&invoice.quote].has_email;
        let is_mailed = has_email && self.desk.rng.bool();
        let expected = match invoice.status {
            Status::Draft => Ok(()),
            Status::Sent if is_mailed => Ok(()),
            Status::Sent => Err("not_a_draft".to_owned()),
            Status::Cancelled => Err("cancelled".to_owned()),
        };
        let answer = self.desk.write(move |tx, cx| {
            if is_mailed {
                let mail = SendInvoice { invoice_id: id, ..SendInvoice::default() };
                return messages::send(tx, cx, &mail).map(drop);
            }
            let edit = EditInvoice { status: Some(Status::Sent), ..EditInvoice::default() };
            invoices::edit(tx, cx, id, &edit, &|_| true).map(drop)
        });
        if self.agree("send invoice", answer, &expected).is_some() {
            self.model.mails += usize::from(is_mailed);
            self.model.invoices.get_mut(&id).unwrap().status = Status::Sent;
        }
    }

    fn cancel(&mut self) {
        let Some(id) = self.some_invoice() else { return };
        let expected = match self.model.invoices[&id].status {
            Status::Draft | Status::Cancelled => Ok(()),
            Status::Sent => Err("not_a_draft".to_owned()),
        };
        let answer = self.desk.write(move |tx, cx| {
            invoices::cancel(tx, cx, id, IfFiled::Refuse, &|_| true).map(drop)
        });
        if self.agree("cancel", answer, &expected).is_some() {
            self.model.invoices.get_mut(&id).unwrap().status = Status::Cancelled;
            self.model.release(id);
        }
    }

    fn credit(&mut self) {
        let Some(id) = self.some_invoice() else { return };
        let invoice = self.model.invoices[&id].clone();
        let is_set_off = invoice.part == QuotePart::Prepayment
            && self.model.standing(invoice.quote).iter().any(|(_, of)| of.part == QuotePart::Final);
        // Of prices with VAT, a final invoice can set off a cent more or less than was prepaid.
        let is_gross = self.model.quotes[&invoice.quote].content.prices == Prices::Gross;
        if is_set_off && is_gross && !invoice.is_credited && invoice.status == Status::Sent {
            return;
        }
        let expected = match invoice.status {
            Status::Draft => Err("is_a_draft".to_owned()),
            Status::Cancelled => Err("cancelled".to_owned()),
            Status::Sent if invoice.is_credited => Err("already_credited".to_owned()),
            Status::Sent if is_set_off => Err("is_set_off".to_owned()),
            Status::Sent => Ok(()),
        };
        let note = NewCreditNote {
            external_id: None,
            invoice_id: id,
            date: None,
            lines: None,
            reason: None,
            if_filed: IfFiled::Refuse,
        };
        let answer =
            self.desk.write(move |tx, cx| Ok(invoices::credit(tx, cx, &note)?.into_inner()));
        let Some(note) = self.agree("credit", answer, &expected) else { return };
        assert_eq!(note.invoice.total.get(), -total(&invoice.groups));
        self.model.last_invoice += 1;
        *self.model.documents.entry(self.desk.today.year()).or_default() += 1;
        self.model.invoices.get_mut(&id).unwrap().is_credited = true;
        self.model.release(id);
    }

    fn compare(&self, step: u32) {
        self.compare_quotes();
        self.compare_invoices();
        if step.is_multiple_of(25) {
            for (id, quote) in &self.model.quotes {
                let id = *id;
                let details = self.desk.read(move |tx, cx| quotes::read(tx, cx, id));
                let made = details.quote.content.invoices.iter().map(|of| of.invoice_id);
                assert_eq!(made.collect::<Vec<_>>(), quote.invoices, "quote {id}");
                let parts = details.quote.content.invoices.iter().map(|of| of.part);
                let expected = quote.invoices.iter().map(|id| self.model.invoices[id].part);
                assert!(parts.eq(expected), "quote {id}");
            }
            self.desk.verify();
        }
    }

    fn compare_quotes(&self) {
        let table = self.desk.read(|tx, cx| {
            let order = (QuoteColumn::Number, false);
            quotes::table(tx, cx, &QuoteFilter::default(), order, (0, 10_000))
        });
        let today = self.desk.today;
        let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
        assert_eq!(table.rows.len(), self.model.quotes.len());
        for row in &table.rows {
            let quote = &self.model.quotes[&row.id];
            let decision = row.decided_by.map(|by| (by, row.decided_name.clone()));
            assert_eq!(
                (&row.number, row.status_on(today), row.total.get(), decision),
                (&quote.number, quote.on(today), quote.total(), quote.decision.clone()),
                "quote {}",
                row.id
            );
            assert_eq!(
                (row.valid_until, row.replaces_id, row.on_accept_refused.is_some()),
                (quote.valid_until, quote.replaces, quote.is_step_refused),
                "quote {}",
                row.id
            );
            assert_eq!(row.sent_at.is_some(), quote.was_sent, "quote {}", row.id);
            *counts.entry(quote.on(today).as_str()).or_default() += 1;
        }
        let counted: BTreeMap<&str, i64> =
            table.counts.iter().map(|(status, count)| (status.as_str(), *count)).collect();
        assert_eq!(counted, counts);
    }

    fn compare_invoices(&self) {
        let (mut receivable, mut revenue, mut vat) = (0, 0, 0);
        let rows = self.desk.invoices();
        let mut numbers: BTreeMap<i16, Vec<i64>> = BTreeMap::new();
        for row in &rows {
            numbers.entry(row.number_year).or_default().push(row.number_in_year);
            if row.kind == InvoiceKind::CreditNote {
                continue;
            }
            let invoice = &self.model.invoices[&row.id];
            let credited = if invoice.is_credited { total(&invoice.groups) } else { 0 };
            assert_eq!(
                (row.quote_id, row.status, row.total.get(), row.amount_credited.get()),
                (Some(invoice.quote), invoice.status, total(&invoice.groups), credited),
                "invoice {}",
                row.id
            );
            if invoice.stands() {
                receivable += total(&invoice.groups);
                revenue += invoice.groups.values().map(|(base, _)| base).sum::<i64>();
                vat += invoice.groups.values().map(|(_, vat)| vat).sum::<i64>();
            }
        }
        let expected: BTreeMap<i16, Vec<i64>> = self
            .model
            .documents
            .iter()
            .map(|(year, count)| (*year, (1..=i64::from(*count)).collect()))
            .collect();
        assert_eq!(numbers, expected);
        let balances = self.desk.balances(self.desk.today.year());
        let sum = |wanted: &dyn Fn(u16) -> bool| -> i64 {
            balances.iter().filter(|(code, _)| wanted(**code)).map(|(_, sum)| sum).sum()
        };
        // Prepayments are received in advance until the final invoice makes them revenue.
        let is_revenue = |code: u16| code == 1620 || (8000..9000).contains(&code);
        let booked = (
            sum(&|code| code == 1300),
            -sum(&is_revenue),
            -sum(&|code| (1700..1780).contains(&code)),
        );
        assert_eq!(booked, (receivable, revenue, vat));
    }
}

fn run(engine: Engine) {
    let seed = super::number_from("GROOTBOEK_MODEL_SEED").unwrap_or(SEED);
    let desk = Desk::open(engine, seed);
    let mut books = Books { desk, model: Model::default(), counts: BTreeMap::new() };
    for step in 1..=STEPS {
        let mut trace = super::Trace { seed, step: step.into(), command: String::new() };
        if books.desk.rng.u32(0..3) == 0 {
            books.desk.today += books.desk.rng.i64(0..8).days();
        }
        let command = books.desk.rng.u32(0..32);
        trace.command = format!("command {command} of quotes on {}", books.desk.today);
        match command {
            0..5 => books.make(),
            5..7 => books.edit(),
            7..12 => books.mark_sent(),
            12..14 => books.mail(),
            14..18 => books.decide(true),
            18 => books.decide(false),
            19 => books.withdraw(),
            20 => books.reopen(),
            21..23 => books.revise(),
            23..28 => books.invoice(),
            28 => books.send_invoice(),
            29 => books.cancel(),
            _ => books.credit(),
        }
        books.compare(step);
    }
    books.desk.verify();
    println!("seed {seed}: {:?}", books.counts);
    let kinds = ["make", "edit", "mark sent", "mail", "accept", "refuse", "withdraw", "reopen"];
    let others = ["revise", "invoice", "prepayment", "final", "cancel", "credit"];
    for kind in kinds.into_iter().chain(others) {
        let done = books.counts.get(&(kind, true)).is_some_and(|count| *count > 1);
        assert!(done || seed != SEED, "{kind}: {:?}", books.counts);
    }
}
