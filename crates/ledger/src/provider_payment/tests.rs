use super::*;
use crate::{
    booking::{Settlement, payment_received, payment_undone},
    chart::{AccountCode, codes},
    entry::{JournalEntry, Source, SourceType},
    payout::{FeeVat, Payout, payout},
    purchase::Deduction,
    write_off::WrittenOff,
};
use proptest::prelude::*;

const TEN: Cents = Cents::new(1_000);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn noon() -> Timestamp {
    at("2026-03-02T12:00:00Z")
}

fn fetched(status: ProviderStatus, backs: Vec<FetchedBack>) -> FetchedPayment {
    FetchedPayment {
        id: "tr_1".into(),
        status,
        amount: Some(TEN),
        method: MoneyAccount::Ideal,
        paid_at: (status == ProviderStatus::Paid).then(noon),
        backs,
    }
}

fn back(kind: GivenBackKind, state: BackState) -> FetchedBack {
    let id = if kind == GivenBackKind::Refund { "re_1" } else { "chb_1" }.into();
    FetchedBack { id, kind, amount: Cents::new(400), created_at: noon(), state }
}

fn known(is_booked: bool, backs: &[BookedBack]) -> KnownPayment<'_> {
    KnownPayment { id: "tr_1", amount: TEN, is_booked, backs }
}

#[test]
fn only_a_paid_payment_is_booked_and_only_once() {
    use ProviderStatus::{Canceled, Expired, Failed, Open, Paid, Pending};
    for status in [Open, Pending, Expired, Failed, Canceled] {
        assert_eq!(steps(&known(false, &[]), &fetched(status, vec![])), Ok(vec![]));
    }
    let paid = fetched(Paid, vec![]);
    let pay = Step::Pay { at: noon(), method: MoneyAccount::Ideal };
    assert_eq!(steps(&known(false, &[]), &paid), Ok(vec![pay]));
    assert_eq!(steps(&known(true, &[]), &paid), Ok(vec![]));
}

#[test]
fn a_payment_that_is_not_the_requested_one_is_not_booked() {
    let paid = || fetched(ProviderStatus::Paid, vec![]);
    let cases = [
        (FetchedPayment { id: "tr_2".into(), ..paid() }, Mismatch::OtherPayment),
        (FetchedPayment { amount: Some(Cents::new(999)), ..paid() }, Mismatch::OtherAmount),
        (FetchedPayment { amount: Some(Cents::new(-1_000)), ..paid() }, Mismatch::OtherAmount),
        (FetchedPayment { amount: None, ..paid() }, Mismatch::OtherCurrency),
        (FetchedPayment { paid_at: None, ..paid() }, Mismatch::NoTime),
    ];
    for (fetched, mismatch) in cases {
        assert_eq!(steps(&known(false, &[]), &fetched), Err(mismatch));
    }
}

#[test]
fn what_goes_back_is_booked_when_it_is_done_and_taken_back_when_it_comes_again() {
    use BackState::{Done, TakenBack, Waiting};
    use GivenBackKind::{Chargeback, Refund};
    let later = Some(at("2026-04-01T08:00:00Z"));
    // Each case: kind, state, whether its booking was taken back if it is booked, and the steps:
    // `g` gives back, `t` takes back.
    let cases = [
        (Refund, Waiting, None, ""),
        (Refund, Done, None, "g"),
        (Refund, Done, Some(false), ""),
        (Refund, TakenBack(None), None, ""),
        (Refund, TakenBack(None), Some(false), "t"),
        (Refund, TakenBack(None), Some(true), ""),
        (Chargeback, Done, None, "g"),
        (Chargeback, Done, Some(false), ""),
        (Chargeback, TakenBack(later), None, "gt"),
        (Chargeback, TakenBack(later), Some(false), "t"),
        (Chargeback, TakenBack(later), Some(true), ""),
        // Lists can lag behind: what was booked stays.
        (Chargeback, Done, Some(true), ""),
    ];
    for (kind, state, booked, expected) in cases {
        let of = back(kind, state);
        let booked = booked.map(|is_taken_back| BookedBack { id: of.id.clone(), is_taken_back });
        let payment = fetched(ProviderStatus::Paid, vec![of]);
        let booked: Vec<_> = booked.into_iter().collect();
        let steps = steps(&known(true, &booked), &payment).unwrap();
        let letter = |step: &Step<'_>| match step {
            Step::Pay { .. } => 'p',
            Step::GiveBack(_) => 'g',
            Step::TakeBack { .. } => 't',
        };
        assert_eq!(steps.iter().map(letter).collect::<String>(), expected, "{kind:?} {state:?}");
    }
}

#[test]
fn a_paid_payment_stays_paid() {
    for status in ProviderStatus::ALL {
        assert_eq!(ProviderStatus::Paid.followed_by(*status), ProviderStatus::Paid);
        assert_eq!(ProviderStatus::Expired.followed_by(*status), *status);
    }
}

#[test]
fn a_booking_in_a_closed_year_has_the_first_open_day() {
    let opening = Some(date(2026, 2, 1));
    let cases = [
        ("2026-03-02T12:00:00Z", None, None, date(2026, 3, 2)),
        // In Amsterdam it is the next day.
        ("2026-03-02T23:30:00Z", None, None, date(2026, 3, 3)),
        ("2026-07-02T22:30:00Z", None, None, date(2026, 7, 3)),
        ("2025-12-31T22:59:59Z", Some(2025), None, date(2026, 1, 1)),
        ("2025-12-31T23:00:00Z", Some(2024), None, date(2026, 1, 1)),
        ("2026-01-15T12:00:00Z", Some(2025), opening, date(2026, 2, 1)),
    ];
    for (time, closed, opening, expected) in cases {
        assert_eq!(booking_day(at(time), closed, opening), expected, "{time}");
    }
}

#[test]
fn a_payment_is_fetched_after_a_quarter_an_hour_and_a_day() {
    let created = at("2026-03-02T12:00:00Z");
    let cases = [
        ("2026-03-02T12:00:00Z", "2026-03-02T12:15:00Z"),
        ("2026-03-02T12:15:00Z", "2026-03-02T13:00:00Z"),
        ("2026-03-02T12:59:59Z", "2026-03-02T13:00:00Z"),
        ("2026-03-02T13:00:00Z", "2026-03-03T12:00:00Z"),
        ("2026-03-03T12:00:01Z", "2026-03-04T12:00:01Z"),
    ];
    for (now, next) in cases {
        assert_eq!(next_look(created, at(now)), at(next), "{now}");
    }
    // Attempts that fail are repeated for two days.
    let (mut now, mut tries) = (created, 0);
    while let Some(next) = next_try(created, tries, now) {
        assert!(next > now && next <= at("2026-03-04T12:00:00Z"));
        (now, tries) = (next, tries + 1);
    }
    assert!(now > at("2026-03-04T11:00:00Z"), "{now}");
    assert_eq!(tries, 52);
}

fn settled(amount: i64, costs: i64, costs_vat: i64) -> FetchedSettlement {
    FetchedSettlement {
        id: "stl_1".into(),
        reference: None,
        status: SettlementStatus::PaidOut,
        amount: Cents::new(amount),
        settled_at: Some(noon()),
        costs: Cents::new(costs),
        costs_vat: Cents::new(costs_vat),
    }
}

#[test]
fn a_settlement_is_compared_with_the_books_part_by_part() {
    use DifferenceKind::{OtherAmount, Unexplained, Unknown};
    let part = |id: &str, cents| SettledPart {
        id: id.into(),
        payment_id: "tr_1".into(),
        amount: Some(Cents::new(cents)),
    };
    let parts = [part("tr_1", 1_000), part("re_1", -400), part("tr_9", 250)];
    let in_books = |id: &str| match id {
        "tr_1" => Some(TEN),
        "re_1" => Some(Cents::new(-300)),
        _ => None,
    };
    let found = differences(&settled(800, 30, 6), &parts, in_books);
    let found: Vec<_> = found.iter().map(|of| (of.id.as_str(), of.kind, of.amount.get())).collect();
    assert_eq!(
        found,
        [("re_1", OtherAmount, -100), ("tr_9", Unknown, 250), ("stl_1", Unexplained, -14)]
    );
    let known = [part("tr_1", 1_000)];
    assert_eq!(differences(&settled(964, 30, 6), &known, in_books), []);
}

/// Postings of an entry: account, and debit minus credit.
fn lines(entry: &JournalEntry) -> Vec<(u16, i64)> {
    let line = |of: &crate::entry::Posting| {
        assert_eq!(of.vat_box().is_some(), of.account() == codes::INPUT_VAT_HIGH);
        (of.account().get(), (of.debited() - of.credited()).get())
    };
    entry.postings().iter().map(line).collect()
}

fn settlement(amount: i64, balance: i64) -> Settlement {
    Settlement {
        amount: Cents::new(amount),
        method: MoneyAccount::Ideal,
        balance: Cents::new(balance),
        recovered: WrittenOff::default(),
        due: vec![],
    }
}

fn source(kind: SourceType) -> Source {
    Source { kind, id: 1 }
}

fn paid(amount: i64, balance: i64) -> JournalEntry {
    let kind = if amount < 0 { SourceType::Refund } else { SourceType::Payment };
    payment_received(source(kind), "2026-0001", date(2026, 3, 2), &settlement(amount, balance))
}

fn paid_out(settled: &FetchedSettlement) -> JournalEntry {
    let of = Payout {
        amount: settled.amount,
        fee: settled.costs + settled.costs_vat,
        treatment: FeeVat::Normal,
        vat: settled.costs_vat,
        deduction: Deduction::Usual,
        provider: None,
        bank_account: codes::BANK,
        provider_account: codes::PROVIDER_CLEARING,
    };
    payout(source(SourceType::Payout), date(2026, 3, 2), &of)
}

#[test]
fn the_bookings_are_those_of_the_table() {
    // A payment of what is due, and one of more than is still due.
    assert_eq!(lines(&paid(1_000, 1_000)), [(1130, 1_000), (1300, -1_000)]);
    assert_eq!(lines(&paid(1_000, 600)), [(1130, 1_000), (1300, -600), (1630, -400)]);
    assert_eq!(lines(&paid(1_000, 0)), [(1130, 1_000), (1630, -1_000)]);
    // A refund takes first what was to be refunded; the rest is due again.
    assert_eq!(lines(&paid(-1_000, -400)), [(1130, -1_000), (1300, 600), (1630, 400)]);
    // A chargeback of an invoice without surplus, and its reversal.
    assert_eq!(lines(&paid(-1_000, 0)), [(1130, -1_000), (1300, 1_000)]);
    let (on, of) = (date(2026, 4, 1), settlement(-1_000, 1_000));
    let reversed = payment_undone(source(SourceType::Refund), "2026-0001", on, &of, 7);
    assert_eq!(lines(&reversed), [(1130, 1_000), (1300, -1_000)]);
    // A settlement: only the VAT on the fees has a box.
    assert_eq!(
        lines(&paid_out(&settled(964, 30, 6))),
        [(1100, 964), (4610, 30), (1500, 6), (1130, -1_000)]
    );
}

/// Event at the provider, for one payment of ten euros.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Pay,
    Refund(i64),
    RefundFails,
    ChargeBack(i64),
    ChargebackIsReversed,
    /// The books fetch the payment.
    Fetch,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        Just(Happening::Pay),
        (1..1_000_i64).prop_map(Happening::Refund),
        Just(Happening::RefundFails),
        (1..1_000_i64).prop_map(Happening::ChargeBack),
        Just(Happening::ChargebackIsReversed),
        Just(Happening::Fetch),
        Just(Happening::Fetch),
    ]
}

fn happen(payment: &mut FetchedPayment, happening: Happening) {
    let is_done =
        |kind| move |of: &&mut FetchedBack| of.kind == kind && of.state == BackState::Done;
    let number = payment.backs.len();
    match happening {
        Happening::Pay => {
            (payment.status, payment.paid_at) = (ProviderStatus::Paid, Some(noon()));
        }
        Happening::Refund(cents) | Happening::ChargeBack(cents) => {
            if payment.status != ProviderStatus::Paid {
                return;
            }
            let kind = match happening {
                Happening::Refund(_) => GivenBackKind::Refund,
                _ => GivenBackKind::Chargeback,
            };
            let (id, amount) = (format!("back_{number}"), Cents::new(cents));
            let state = BackState::Done;
            payment.backs.push(FetchedBack { id, kind, amount, created_at: noon(), state });
        }
        Happening::RefundFails => {
            if let Some(of) = payment.backs.iter_mut().find(is_done(GivenBackKind::Refund)) {
                of.state = BackState::TakenBack(None);
            }
        }
        Happening::ChargebackIsReversed => {
            if let Some(of) = payment.backs.iter_mut().find(is_done(GivenBackKind::Chargeback)) {
                of.state = BackState::TakenBack(Some(noon()));
            }
        }
        Happening::Fetch => {}
    }
}

/// Money that the provider holds of a payment, in cents.
fn kept(payment: &FetchedPayment) -> i64 {
    if payment.status != ProviderStatus::Paid {
        return 0;
    }
    let gone = payment.backs.iter().filter(|of| of.state == BackState::Done);
    payment.amount.unwrap().get() - gone.map(|of| of.amount.get()).sum::<i64>()
}

/// Account 1130 in a small ledger that books the steps.
#[derive(Default)]
struct Books {
    is_booked: bool,
    backs: Vec<BookedBack>,
    /// Balance of the invoice, in cents.
    balance: i64,
    accounts: std::collections::BTreeMap<u16, i64>,
}

impl Books {
    fn append(&mut self, entry: &JournalEntry) {
        for (account, cents) in lines(entry) {
            *self.accounts.entry(account).or_default() += cents;
        }
    }

    fn on(&self, account: AccountCode) -> i64 {
        self.accounts.get(&account.get()).copied().unwrap_or_default()
    }

    fn fetch(&mut self, payment: &FetchedPayment) {
        let backs = self.backs.clone();
        for step in steps(&known(self.is_booked, &backs), payment).unwrap() {
            match step {
                Step::Pay { .. } => {
                    self.append(&paid(TEN.get(), self.balance));
                    self.balance -= TEN.get();
                    self.is_booked = true;
                }
                Step::GiveBack(of) => {
                    self.append(&paid(-of.amount.get(), self.balance));
                    self.balance += of.amount.get();
                    self.backs.push(BookedBack { id: of.id.clone(), is_taken_back: false });
                }
                Step::TakeBack { id, .. } => {
                    let of = payment.backs.iter().find(|of| of.id == id).unwrap();
                    let undone = settlement(-of.amount.get(), self.balance);
                    let on = date(2026, 4, 1);
                    let refund = source(SourceType::Refund);
                    self.append(&payment_undone(refund, "2026-0001", on, &undone, 7));
                    self.balance -= of.amount.get();
                    let booked = self.backs.iter_mut().find(|booked| booked.id == id).unwrap();
                    booked.is_taken_back = true;
                }
            }
        }
    }
}

proptest! {
    /// Account 1130 has what the provider holds and did not pay out, and the customer owes what the
    /// invoice lacks, whenever and however often the payment is fetched.
    #[test]
    fn the_provider_holds_what_is_not_paid_out(
        happenings in prop::collection::vec(happening(), 0..30),
        due in 0..1_500_i64,
        (costs, costs_vat) in (0..50_i64, 0..11_i64),
    ) {
        let mut payment = fetched(ProviderStatus::Open, vec![]);
        let mut books = Books { balance: due, ..Books::default() };
        books.accounts.insert(1300, due);
        for happening in happenings {
            happen(&mut payment, happening);
            if matches!(happening, Happening::Fetch) {
                books.fetch(&payment);
                prop_assert_eq!(books.on(codes::PROVIDER_CLEARING), kept(&payment));
            }
        }
        books.fetch(&payment);
        books.fetch(&payment);
        let kept = kept(&payment);
        prop_assert_eq!(books.on(codes::PROVIDER_CLEARING), kept);
        prop_assert_eq!(books.on(codes::RECEIVABLES), (due - kept).max(0));
        prop_assert_eq!(books.on(codes::OWED_TO_CUSTOMERS), -(kept - due).max(0));
        books.append(&paid_out(&settled(kept - costs - costs_vat, costs, costs_vat)));
        prop_assert_eq!(books.on(codes::PROVIDER_CLEARING), 0);
    }
}
