//! Each reason, and the conditions under which a suggestion is certain.

use bank_suggestions::{
    Allocation, AllocationKind, AwaitedTransfer, Books, Characteristic, Charge, Conditions,
    Contact, Decision, DueReturn, FiledReturn, Item, ItemKind, Line, NewLine, Outcome, OwnAccount,
    PaidInvoice, Part, PaymentBatch, Posting, Precedent, Provider, Reason, ReturnPeriod, Rule,
    Suggester, Suggestion, SuggestionId, Target, Template,
};
use jiff::civil::{Date, date};
use ledger::{
    chart::{self, codes},
    event::PrivateKind,
    identifiers::Iban,
    money::Cents,
    vat_period::VatPeriod,
};

const ONE: &str = "NL91ABNA0417164300";
const TWO: &str = "NL02ABNA0123456789";
const OWN: &str = "NL20INGB0001234567";
const TAX_OFFICE: &str = "NL86INGB0002445588";
const DAY: Date = date(2026, 11, 10);

fn line(cents: i64) -> Line<'static> {
    Line {
        id: 1,
        bank_account: 1,
        date: DAY,
        amount: Cents::new(cents),
        name: None,
        iban: None,
        text: "",
        end_to_end_id: None,
        payment_reference: None,
        creditor_id: None,
        charge: None,
        parts: &[],
        is_doubtful: false,
        refused: &[],
    }
}

fn item(kind: ItemKind, id: i64, number: &str, due: i64) -> Item {
    Item {
        kind,
        id,
        contact: Some(7),
        date: date(2026, 10, 1),
        due: Cents::new(due),
        numbers: vec![number.to_owned()],
        references: Vec::new(),
        orders: Vec::new(),
        pay_to: None,
        has_box: false,
    }
}

fn invoice(id: i64, number: &str, due: i64) -> Item {
    item(ItemKind::Invoice, id, number, due)
}

fn contact(id: i64, name: &str, iban: &str) -> Contact {
    Contact { id, names: vec![name.to_owned()], ibans: Iban::parse(iban).into_iter().collect() }
}

fn account(id: i64, iban: Option<Iban>) -> OwnAccount {
    OwnAccount { id, iban, identifiers: Vec::new(), name: None, is_savings: false }
}

/// Books with one customer, and these items.
fn books(items: &[Item]) -> Books {
    Books {
        contacts: vec![contact(7, "Bakkerij Jansen B.V.", ONE), contact(8, "Studio Smit", TWO)],
        items: items.to_vec(),
        ..Books::default()
    }
}

fn suggest(books: &Books, line: &Line<'_>) -> Vec<Suggestion> {
    Suggester::new(books.clone()).suggest(line)
}

/// Returns the first suggestion: whether it is certain, its allocations and the codes of its reasons.
fn first(books: &Books, line: &Line<'_>) -> (bool, Vec<Allocation>, Vec<&'static str>) {
    let suggestion = suggest(books, line).into_iter().next().expect("a suggestion");
    let codes = suggestion.reasons.iter().map(Reason::code).collect();
    (suggestion.certain, suggestion.allocations, codes)
}

fn all(cents: i64, target: Target) -> Vec<Allocation> {
    vec![Allocation { amount: Cents::new(cents), target }]
}

fn paid(invoice: i64) -> Target {
    Target::Invoice { invoice, overpayment: false }
}

fn expense(category: &str) -> Template {
    Template { kind: AllocationKind::Expense, fields: category.into(), has_box: true }
}

fn precedent(iban: Option<&str>, creditor_id: Option<&str>, decision: Decision) -> Precedent {
    Precedent {
        is_in: false,
        name: Some("NS Groep".to_owned()),
        iban: iban.map(str::to_owned),
        creditor_id: creditor_id.map(str::to_owned),
        decision,
    }
}

#[test]
fn a_number_with_the_amount_is_certain_and_without_it_a_partial_payment() {
    let books = books(&[invoice(3, "2026-0028", 12_100), invoice(4, "2026-0029", 50_000)]);
    let text = "Factuur 2026 0028";
    let found = first(&books, &Line { text, ..line(12_100) });
    assert_eq!(found, (true, all(12_100, paid(3)), vec!["number", "amount"]));
    let found = first(&books, &Line { text, ..line(1) });
    assert_eq!(found, (false, all(1, paid(3)), vec!["number"]));
    let target = Target::Invoice { invoice: 3, overpayment: true };
    let found = first(&books, &Line { text, ..line(12_200) });
    assert_eq!(found, (false, all(12_200, target), vec!["number"]));
}

#[test]
fn a_number_and_amount_of_two_items_is_certain_for_the_one_with_the_iban() {
    let other = Item { contact: Some(8), ..item(ItemKind::Bill, 5, "2026-0028", 12_100) };
    let books = books(&[item(ItemKind::Bill, 3, "2026-0028", 12_100), other]);
    let line = Line { text: "2026-0028", ..line(-12_100) };
    assert!(!first(&books, &line).0);
    let found = first(&books, &Line { iban: Some(TWO), ..line });
    let bill = all(12_100, Target::Bill { expense: 5 });
    assert_eq!(found, (true, bill, vec!["number", "amount", "iban"]));
}

#[test]
fn a_number_that_may_be_a_slip_for_that_of_the_payer_is_not_certain() {
    let other = Item { contact: Some(8), ..invoice(5, "2026-0082", 12_100) };
    let books = books(&[invoice(3, "2026-0028", 12_100), other]);
    let line = Line { text: "2026-0082", iban: Some(ONE), ..line(12_100) };
    let (is_certain, allocations, _) = first(&books, &line);
    assert_eq!((is_certain, allocations), (false, all(12_100, paid(3))));
}

#[test]
fn references_are_found_in_the_fields_for_them() {
    let bill = Item {
        references: vec!["1234567890123456".to_owned(), "GB12-7".to_owned()],
        ..item(ItemKind::Bill, 3, "F-1", 12_100)
    };
    let books = books(&[bill]);
    let expected = (true, all(12_100, Target::Bill { expense: 3 }), vec!["reference", "amount"]);
    let reference = Some("1234 5678 9012 3456");
    assert_eq!(first(&books, &Line { payment_reference: reference, ..line(-12_100) }), expected);
    assert_eq!(first(&books, &Line { end_to_end_id: Some("GB12-7"), ..line(-12_100) }), expected);
    assert!(suggest(&books, &Line { end_to_end_id: Some("GB12-8"), ..line(-10) }).is_empty());
}

#[test]
fn an_iban_with_the_amount_is_certain_if_there_is_one_candidate() {
    let mut books = books(&[invoice(3, "2026-0028", 12_100)]);
    let line = Line { iban: Some("NL91 ABNA 0417 1643 00"), text: "dank", ..line(12_100) };
    assert_eq!(first(&books, &line), (true, all(12_100, paid(3)), vec!["amount", "iban"]));
    books.items.push(invoice(4, "2026-0029", 12_100));
    assert_eq!(first(&books, &line), (false, all(12_100, paid(3)), vec!["amount", "iban"]));
    // The number of another invoice contradicts.
    books.items[1].due = Cents::new(99_900);
    let (is_certain, ..) = first(&books, &Line { text: "2026-0029", ..line });
    assert!(!is_certain);
}

#[test]
fn the_account_that_a_bill_asks_to_pay_to_counts_like_that_of_the_contact() {
    let pay_to = Iban::parse(TWO).ok();
    let bill = Item { contact: None, pay_to, ..item(ItemKind::Bill, 3, "F-1", 12_100) };
    let found = first(&books(&[bill]), &Line { iban: Some(TWO), ..line(-12_100) });
    assert_eq!(found, (true, all(12_100, Target::Bill { expense: 3 }), vec!["amount", "iban"]));
}

#[test]
fn a_name_or_an_amount_alone_is_never_certain() {
    let books = books(&[invoice(3, "2026-0028", 12_100)]);
    let named = Line { name: Some("JANSEN BAKKERIJ"), ..line(12_100) };
    assert_eq!(first(&books, &named), (false, all(12_100, paid(3)), vec!["amount", "name"]));
    assert_eq!(first(&books, &line(12_100)), (false, all(12_100, paid(3)), vec!["amount"]));
    let named = Line { amount: Cents::new(500), ..named };
    assert_eq!(first(&books, &named), (false, all(500, paid(3)), vec!["name"]));
    assert!(suggest(&books, &line(500)).is_empty());
}

#[test]
fn another_iban_of_a_known_name_is_a_reason_against_certainty() {
    let books = books(&[invoice(3, "2026-0028", 12_100)]);
    let line = Line { name: Some("Bakkerij Jansen"), iban: Some(OWN), ..line(12_100) };
    let suggestions = suggest(&books, &line);
    assert!(!suggestions[0].certain);
    let known = Iban::parse(ONE).unwrap();
    assert!(suggestions[0].reasons.contains(&Reason::IbanChanged { known }));
    let with_number = Line { text: "2026-0028", ..line };
    let (is_certain, _, codes) = first(&books, &with_number);
    assert_eq!((is_certain, codes), (false, vec!["number", "amount", "name", "ibanChanged"]));
    // The name of a stranger is no known name.
    let stranger = Line { name: Some("Fam. Bos"), ..with_number };
    assert_eq!(first(&books, &stranger).2, ["number", "amount"]);
    assert!(first(&books, &stranger).0);
}

#[test]
fn several_items_are_certain_by_their_numbers_and_suggested_by_their_sum() {
    let refund = item(ItemKind::Refund, 5, "2026-0030", 2_100);
    let books = books(&[invoice(3, "2026-0028", 12_100), invoice(4, "2026-0029", 50_000), refund]);
    let two = [all(12_100, paid(3)), all(50_000, paid(4))].concat();
    let text = "fact 2026-0028/2026-0029";
    let found = first(&books, &Line { text, ..line(62_100) });
    assert_eq!(found, (true, two.clone(), vec!["number", "number", "amountOfSeveral"]));
    let found = first(&books, &Line { iban: Some(ONE), ..line(62_100) });
    assert_eq!(found, (false, two, vec!["amountOfSeveral", "iban"]));
    // A credit note is set off.
    let (_, allocations, _) = first(&books, &Line { iban: Some(ONE), ..line(60_000) });
    let expected =
        [all(12_100, paid(3)), all(50_000, paid(4)), all(-2_100, Target::Refund { invoice: 5 })];
    assert_eq!(allocations, expected.concat());
    // The named ones are paid in order, as far as the amount goes.
    let (is_certain, allocations, _) = first(&books, &Line { text, ..line(20_000) });
    let expected = [all(12_100, paid(3)), all(7_900, paid(4))].concat();
    let is_suggested = |cents, expected: &[Allocation]| {
        let suggestions = suggest(&books, &Line { text, ..line(cents) });
        suggestions.iter().any(|suggestion| suggestion.allocations == expected)
    };
    assert!(!is_certain && is_suggested(20_000, &expected), "{allocations:?}");
    assert!(is_suggested(5_000, &all(5_000, paid(3))));
    let over = Target::Invoice { invoice: 4, overpayment: true };
    assert!(is_suggested(63_000, &[all(12_100, paid(3)), all(50_900, over)].concat()));
}

#[test]
fn parts_are_matched_one_by_one_and_a_fee_is_kept_apart() {
    let books = books(&[invoice(3, "2026-0028", 12_100), invoice(4, "2026-0029", 50_000)]);
    let part = |cents, text| Part {
        amount: Some(Cents::new(cents)),
        name: None,
        iban: None,
        text: Some(text),
        end_to_end_id: None,
    };
    let parts = [part(50_000, "2026-0029"), part(12_100, "2026-0028")];
    let (is_certain, allocations, _) = first(&books, &Line { parts: &parts, ..line(62_100) });
    assert!(is_certain);
    assert_eq!(allocations, [all(12_100, paid(3)), all(50_000, paid(4))].concat());
    let parts = [parts[0], parts[1], part(-100, "kosten")];
    let suggestions = suggest(&books, &Line { parts: &parts, ..line(62_000) });
    let expected = [all(12_100, paid(3)), all(50_000, paid(4)), all(-100, Target::BankCosts)];
    let with_fee = suggestions.iter().find(|of| of.allocations == expected.concat()).unwrap();
    assert!(!with_fee.certain);
}

#[test]
fn a_part_of_a_bill_that_was_ordered_is_certain() {
    let bill = Item {
        references: vec!["GB12-7".to_owned()],
        orders: vec![("GB12-7".to_owned(), Cents::new(5_000))],
        ..item(ItemKind::Bill, 3, "F-1", 12_100)
    };
    let books = books(&[bill, item(ItemKind::Bill, 4, "F-2", 5_000)]);
    let ordered = |amount, id| Line { end_to_end_id: Some(id), ..line(amount) };
    let to_bill = |amount| all(amount, Target::Bill { expense: 3 });
    let found = first(&books, &ordered(-5_000, "gb12-7"));
    assert_eq!(found, (true, to_bill(5_000), vec!["reference", "amount"]));
    // Another amount, or one that comes back, is only proposed.
    assert_eq!(
        first(&books, &ordered(-4_999, "GB12-7")),
        (false, to_bill(4_999), vec!["reference"])
    );
    assert_eq!(
        first(&books, &ordered(-12_100, "GB12-7")),
        (true, to_bill(12_100), vec!["reference", "amount"])
    );
    assert!(suggest(&books, &ordered(5_000, "GB12-7")).is_empty());
    // The id of another payment is no evidence.
    let other = suggest(&books, &ordered(-5_000, "GB12-71"));
    assert!(other.iter().all(|of| !of.certain), "{other:?}");
}

#[test]
fn a_payment_file_is_recognised_by_its_reference_and_sum() {
    let bill = |id, due| item(ItemKind::Bill, id, "", due);
    let mut books = books(&[bill(3, 12_100), bill(4, 50_000)]);
    books.batches.push(PaymentBatch {
        reference: "GB-2026-11".to_owned(),
        bank_account: 1,
        items: vec![(4, Cents::new(50_000)), (3, Cents::new(12_100))],
    });
    let bills = |id| Target::Bill { expense: id };
    let expected = [all(12_100, bills(3)), all(50_000, bills(4))].concat();
    let found = first(&books, &Line { text: "Verzamel GB-2026-11", ..line(-62_100) });
    assert_eq!(found, (true, expected.clone(), vec!["reference", "amountOfSeveral"]));
    assert_eq!(first(&books, &line(-62_100)), (false, expected, vec!["amountOfSeveral"]));
    assert!(suggest(&books, &line(62_100)).is_empty());
}

#[test]
fn an_untied_posting_is_certain_within_three_days_if_single() {
    let posting = |entry, day| Posting {
        entry,
        bank_account: 1,
        date: date(2026, 11, day),
        amount: Cents::new(-5_000),
    };
    let mut books = Books { postings: vec![posting(9, 7)], ..Books::default() };
    let existing = |entry| all(5_000, Target::Existing { entry });
    let line = line(-5_000);
    assert_eq!(first(&books, &line), (true, existing(9), vec!["alreadyBooked"]));
    assert!(suggest(&books, &Line { bank_account: 2, ..line }).is_empty());
    // Another line may be meant.
    let rival = NewLine { id: 2, bank_account: 1, date: DAY, amount: line.amount };
    books.lines = vec![rival];
    assert!(!first(&books, &line).0);
    books.lines.clear();
    books.postings[0].date = date(2026, 11, 6);
    assert_eq!(first(&books, &line), (false, existing(9), vec!["alreadyBooked"]));
    books.postings[0].date = date(2026, 10, 30);
    assert!(suggest(&books, &line).is_empty());
    books.postings = vec![posting(9, 9), posting(8, 10)];
    assert_eq!(first(&books, &line), (false, existing(8), vec!["alreadyBooked"]));
}

#[test]
fn a_transfer_is_certain_by_the_own_iban_and_a_single_other_half() {
    let own =
        OwnAccount { identifiers: vec!["V123456".into()], ..account(2, Iban::parse(OWN).ok()) };
    let half =
        |id| NewLine { id, bank_account: 2, date: date(2026, 11, 12), amount: Cents::new(70_000) };
    let to = |line, transfer| all(70_000, Target::Transfer { bank_account: 2, line, transfer });
    let mut books = Books { bank_accounts: vec![own], ..Books::default() };
    let own_line = Line { iban: Some(OWN), ..line(-70_000) };
    assert_eq!(first(&books, &own_line), (true, to(None, None), vec!["ownAccount"]));
    let in_text = Line { text: "naar V123456", ..line(-70_000) };
    assert_eq!(first(&books, &in_text), (false, to(None, None), vec!["ownAccount"]));
    books.lines = vec![half(5)];
    assert_eq!(
        first(&books, &own_line),
        (true, to(Some(5), None), vec!["ownAccount", "otherHalf"])
    );
    assert_eq!(first(&books, &line(-70_000)), (false, to(Some(5), None), vec!["otherHalf"]));
    books.lines.push(half(6));
    assert!(!first(&books, &own_line).0);
    books.lines.clear();
    books.transfers.push(AwaitedTransfer {
        id: 4,
        booked_on: 2,
        awaited_on: 1,
        date: DAY,
        amount: Cents::new(-70_000),
    });
    assert_eq!(
        first(&books, &own_line),
        (true, to(None, Some(4)), vec!["ownAccount", "otherHalf"])
    );
}

#[test]
fn the_letter_of_an_assessment_decides_between_taxes() {
    let books = Books::default();
    let private = Target::Private;
    for (text, cents, target) in [
        ("1234.56.789.B.01.6210", -5_000, Target::Vat(None)),
        ("123456789O016210", -5_000, Target::Vat(None)),
        ("123456789F016210", 5_000, Target::Vat(None)),
        ("123456789.H.66.01", -5_000, private(PrivateKind::IncomeTax)),
        ("123456789.W.66.01", 5_000, private(PrivateKind::HealthInsurance)),
        ("123456789.T.66.01", 5_000, private(PrivateKind::Deposit)),
        ("123456789.T.66.01", -5_000, private(PrivateKind::Drawing)),
        ("123456789.M.66.01", -5_000, Target::Ledger(codes::CAR_TAX)),
        ("123456789.Y.66.01", -5_000, Target::Ledger(codes::CAR_TAX)),
    ] {
        let line = Line { text, iban: Some(TAX_OFFICE), ..line(cents) };
        let found = first(&books, &line);
        assert_eq!(found, (false, all(5_000, target), vec!["taxOffice"]), "{text}");
    }
    let car = Line { text: "123456789.M.66.01", iban: Some(TAX_OFFICE), ..line(-5_000) };
    assert_eq!(suggest(&books, &car)[1].allocations, all(5_000, private(PrivateKind::Drawing)));
    assert!(chart::bookable_by_hand().any(|account| account.code == codes::CAR_TAX));
    // Payroll taxes are not those of a sole trader.
    let payroll = Line { text: "123456789.L.01.6010", ..car };
    assert!(suggest(&books, &payroll).is_empty());
    assert!(suggest(&books, &Line { iban: Some(ONE), ..car }).is_empty());
    let named = Line { iban: None, name: Some("BELASTINGDIENST APELDOORN"), ..car };
    assert_eq!(first(&books, &named).2, ["taxOffice"]);
}

#[test]
fn the_amount_of_a_filed_return_is_certain_without_a_letter() {
    let period = ReturnPeriod::Vat(VatPeriod::quarter(2026, 3).unwrap());
    let filed = FiledReturn { period, payable: Cents::new(5_000) };
    let mut books = Books { returns: vec![filed], ..Books::default() };
    let digits = Line { text: "1234567890123456", iban: Some(TAX_OFFICE), ..line(-5_000) };
    let vat = all(5_000, Target::Vat(Some(period)));
    assert_eq!(first(&books, &digits), (true, vat.clone(), vec!["taxOffice", "amount"]));
    // An account with only the name of the tax office may be a fraud.
    let strange = Line { iban: Some(ONE), name: Some("Belastingdienst"), ..digits };
    assert_eq!(first(&books, &strange), (false, vat.clone(), vec!["taxOffice", "amount"]));
    let letter = Line { text: "123456789B016210", ..digits };
    assert!(first(&books, &letter).0);
    let other = Line { amount: Cents::new(-4_000), ..letter };
    let part = all(4_000, Target::Vat(Some(period)));
    assert_eq!(first(&books, &other), (false, part, vec!["taxOffice"]));
    assert!(suggest(&books, &Line { amount: Cents::new(-4_000), ..digits }).is_empty());
    assert!(suggest(&books, &Line { amount: Cents::new(5_000), ..digits }).is_empty());
    books.returns.push(FiledReturn { ..filed });
    assert!(!first(&books, &digits).0);
}

#[test]
fn the_amount_of_a_return_that_is_not_filed_is_suggested_by_words_about_vat() {
    let period = VatPeriod::quarter(2026, 3).unwrap();
    let due = DueReturn { period, payable: Cents::new(50_000) };
    let books = Books { due_returns: vec![due], ..Books::default() };
    let vat = all(50_000, Target::Vat(Some(ReturnPeriod::Vat(period))));
    let of_office = Line { iban: Some(TAX_OFFICE), ..line(-50_000) };
    let named = Line { name: Some("Belastingdienst"), ..line(-50_000) };
    for text in ["BTW 3e kwartaal", "Betaling Belastingdienst", "omzetbelasting Q3"] {
        let by_words = Line { text, ..line(-50_000) };
        assert_eq!(first(&books, &by_words), (false, vat.clone(), vec!["dueReturn"]), "{text}");
    }
    for of in [of_office, named] {
        assert_eq!(first(&books, &of), (false, vat.clone(), vec!["dueReturn"]));
    }
    // Another amount, the other direction, and words that only contain the letters.
    for other in [
        Line { text: "BTW", ..line(-49_900) },
        Line { text: "BTW", ..line(50_000) },
        Line { text: "Factuur 12", ..line(-50_000) },
        Line { text: "ABTWERK", ..line(-50_000) },
    ] {
        assert!(suggest(&books, &other).is_empty(), "{other:?}");
    }
    // A refund comes in.
    let refund = DueReturn { period, payable: Cents::new(-12_300) };
    let books = Books { due_returns: vec![refund], ..Books::default() };
    let back = Line { text: "Teruggaaf BTW", ..line(12_300) };
    assert_eq!(first(&books, &back).2, ["dueReturn"]);
}

#[test]
fn charges_of_the_bank_are_recognised_by_its_code_and_by_its_words() {
    let books = Books::default();
    let costs = |cents: i64| all(cents, Target::BankCosts);
    let fee = Line { charge: Some(Charge::Costs), text: "OranjePakket", ..line(-995) };
    assert_eq!(first(&books, &fee), (false, costs(995), vec!["charge"]));
    let back = Line { amount: Cents::new(995), ..fee };
    assert_eq!(first(&books, &back), (false, costs(995), vec!["charge"]));
    let interest = Line { charge: Some(Charge::Interest), ..line(-1_200) };
    assert_eq!(first(&books, &interest), (false, all(1_200, Target::Interest), vec!["charge"]));
    for text in ["Kosten betalingsverkeer oktober", "KOSTEN ZAKELIJK BETALINGSPAKKET 10-2026"] {
        let by_words = Line { text, ..line(-995) };
        assert_eq!(first(&books, &by_words), (false, costs(995), vec!["chargeText"]), "{text}");
        // Words alone are not enough for money that comes in, or that goes to an account.
        assert!(suggest(&books, &Line { amount: Cents::new(995), ..by_words }).is_empty());
        assert!(suggest(&books, &Line { iban: Some(ONE), ..by_words }).is_empty());
    }
    // The word for interest occurs in many texts, so the code of the bank decides.
    assert!(suggest(&books, &Line { text: "Rente 3e kwartaal", ..line(-1_200) }).is_empty());
    // A rule with the same booking is one suggestion.
    let template =
        Template { kind: AllocationKind::BankCosts, fields: "bankCosts".into(), has_box: false };
    let when = Conditions { text_contains: Some("pakket".to_owned()), ..Conditions::default() };
    let rule = Rule { id: 4, when, then: Outcome::Book(template), agreed: 0, contradicted: 0 };
    let books = Books { rules: vec![rule], ..Books::default() };
    let suggestions = suggest(&books, &fee);
    assert_eq!(suggestions.len(), 1, "{suggestions:?}");
}

#[test]
fn a_habit_of_the_tax_office_is_never_certain() {
    let income_tax = || precedent(Some(TAX_OFFICE), None, Decision::Booked(expense("travel")));
    let line = Line { iban: Some(TAX_OFFICE), text: "BTW 3e kwartaal", ..line(-5_000) };
    let mut books = Books { history: vec![income_tax(), income_tax()], ..Books::default() };
    assert!(suggest(&books, &line).is_empty());
    books.history.push(income_tax());
    let like = all(5_000, Target::Like(expense("travel")));
    assert_eq!(first(&books, &line), (false, like, vec!["learned"]));
}

#[test]
fn a_habit_is_certain_after_three_equal_bookings_and_no_other() {
    let travel = || precedent(Some(ONE), None, Decision::Booked(expense("travel")));
    let line = Line { iban: Some(ONE), ..line(-5_000) };
    let like = |category| all(5_000, Target::Like(expense(category)));
    let mut books = Books { history: vec![travel(), travel()], ..Books::default() };
    assert_eq!(first(&books, &line), (false, like("travel"), vec!["learned"]));
    books.history.push(travel());
    assert_eq!(first(&books, &line), (true, like("travel"), vec!["learned"]));
    let learned = Reason::Learned { by: Characteristic::Iban, times: 3, exceptions: 0 };
    assert_eq!(suggest(&books, &line)[0].reasons, [learned]);
    // Money that comes in is something else.
    assert!(suggest(&books, &Line { amount: Cents::new(5_000), ..line }).is_empty());
    // A refusal takes one away.
    books.history.push(precedent(Some(ONE), None, Decision::Refused(expense("travel"))));
    assert!(!first(&books, &line).0);
    books.history.push(precedent(Some(ONE), None, Decision::Booked(expense("tools"))));
    assert_eq!(first(&books, &line), (false, like("tools"), vec!["learned"]));
    books.history.push(precedent(Some(ONE), None, Decision::Other));
    assert!(suggest(&books, &line).is_empty());
}

#[test]
fn a_habit_with_an_exception_is_not_certain() {
    let booked = |category| precedent(Some(ONE), None, Decision::Booked(expense(category)));
    let history = ["travel", "travel", "tools", "travel", "travel"].map(booked).to_vec();
    let books = Books { history, ..Books::default() };
    let suggestions = suggest(&books, &Line { iban: Some(ONE), ..line(-5_000) });
    let learned = Reason::Learned { by: Characteristic::Iban, times: 4, exceptions: 1 };
    assert_eq!(suggestions[0].reasons, [learned]);
    assert!(!suggestions[0].certain);
}

#[test]
fn two_equally_strong_suggestions_are_not_certain() {
    let booked = || precedent(Some(ONE), None, Decision::Booked(expense("travel")));
    let when = Conditions { iban: Iban::parse(ONE).ok(), ..Conditions::default() };
    let then = Outcome::Book(expense("tools"));
    let rules = vec![Rule { id: 1, when, then, agreed: 3, contradicted: 0 }];
    let books = Books { history: vec![booked(), booked(), booked()], rules, ..Books::default() };
    let suggestions = suggest(&books, &Line { iban: Some(ONE), ..line(-5_000) });
    assert_eq!(suggestions.len(), 2);
    assert!(suggestions.iter().all(|suggestion| !suggestion.certain));
}

#[test]
fn habits_go_by_iban_then_creditor_then_name() {
    let history = vec![
        precedent(None, None, Decision::Booked(expense("name"))),
        precedent(None, Some("NL1ZZZ2"), Decision::Booked(expense("creditor"))),
        precedent(Some(ONE), Some("NL1ZZZ2"), Decision::Booked(expense("iban"))),
    ];
    let books = Books { history: history[..1].to_vec(), ..Books::default() };
    let named = Line { name: Some("NS GROEP 4711"), ..line(-5_000) };
    let like = |category| all(5_000, Target::Like(expense(category)));
    assert_eq!(first(&books, &named).1, like("name"));
    let books = Books { history: history[..2].to_vec(), ..Books::default() };
    let with_creditor = Line { creditor_id: Some("NL1ZZZ2"), ..named };
    assert_eq!(first(&books, &with_creditor).1, like("creditor"));
    let books = Books { history, ..Books::default() };
    let with_iban = Line { iban: Some(ONE), ..with_creditor };
    assert_eq!(first(&books, &with_iban).1, like("iban"));
}

#[test]
fn a_habit_by_name_is_not_certain_for_an_unknown_iban() {
    let booked = || precedent(Some(ONE), None, Decision::Booked(expense("travel")));
    let books = Books { history: vec![booked(), booked(), booked()], ..Books::default() };
    let named = Line { name: Some("NS Groep"), ..line(-5_000) };
    assert!(first(&books, &named).0);
    let (is_certain, _, codes) = first(&books, &Line { iban: Some(TWO), ..named });
    assert_eq!((is_certain, codes), (false, vec!["learned", "ibanChanged"]));
}

#[test]
fn the_first_rule_that_matches_wins() {
    let rule = |id, part: &str, then| Rule {
        id,
        when: Conditions { text_contains: Some(part.to_owned()), ..Conditions::default() },
        then,
        agreed: 0,
        contradicted: 0,
    };
    let book = |category| Outcome::Book(expense(category));
    let rules =
        vec![rule(1, "trein", book("travel")), rule(2, "trei", book("x")), rule(3, "", book("y"))];
    let mut books = Books { rules, ..Books::default() };
    let line = Line { text: "TREINKAART", ..line(-5_000) };
    let travel = all(5_000, Target::Like(expense("travel")));
    assert_eq!(first(&books, &line), (false, travel.clone(), vec!["rule"]));
    books.rules[0].agreed = 3;
    assert_eq!(first(&books, &line), (true, travel, vec!["rule"]));
    books.rules[0].contradicted = 1;
    assert!(!first(&books, &line).0);
    books.rules[0].then = Outcome::Ignore;
    assert!(suggest(&books, &line).is_empty());
    assert_eq!(Suggester::new(books).rule(&line).map(|rule| rule.id), Some(1));
}

#[test]
fn a_habit_and_a_rule_with_the_same_booking_are_one_suggestion() {
    let booked = || precedent(Some(ONE), None, Decision::Booked(expense("travel")));
    let when = Conditions { iban: Iban::parse(ONE).ok(), ..Conditions::default() };
    let then = Outcome::Book(expense("travel"));
    let rules = vec![Rule { id: 1, when, then, agreed: 0, contradicted: 0 }];
    let books = Books { history: vec![booked(), booked(), booked()], rules, ..Books::default() };
    let suggestions = suggest(&books, &Line { iban: Some(ONE), ..line(-5_000) });
    assert_eq!(suggestions.len(), 1);
    assert_eq!(
        suggestions[0].reasons.iter().map(Reason::code).collect::<Vec<_>>(),
        ["learned", "rule"]
    );
    assert!(suggestions[0].certain);
}

#[test]
fn a_habit_is_not_certain_if_the_line_may_be_booked_already() {
    let booked = || precedent(Some(ONE), None, Decision::Booked(expense("travel")));
    let posting =
        Posting { entry: 9, bank_account: 1, date: date(2026, 11, 3), amount: Cents::new(-5_000) };
    let books = Books {
        history: vec![booked(), booked(), booked()],
        postings: vec![posting],
        ..Books::default()
    };
    let suggestions = suggest(&books, &Line { iban: Some(ONE), ..line(-5_000) });
    assert!(suggestions.len() == 2 && suggestions.iter().all(|suggestion| !suggestion.certain));
}

#[test]
fn a_payout_names_its_payments_and_fee() {
    let provider = Provider {
        bank_account: 5,
        names: vec!["Mollie".to_owned()],
        ibans: Vec::new(),
        payments: vec![Cents::new(10_000), Cents::new(5_000), Cents::new(90_000)],
    };
    let books = Books { providers: vec![provider], ..Books::default() };
    let fee = Cents::new(60);
    let found = first(&books, &Line { name: Some("Mollie B.V."), ..line(14_940) });
    let target = Target::Payout { provider_account: 5, fee };
    assert_eq!(found, (false, all(14_940, target), vec!["name", "amountOfSeveral"]));
    let found = first(&books, &Line { name: Some("Mollie"), ..line(15_000) });
    let target = Target::Payout { provider_account: 5, fee: Cents::ZERO };
    assert_eq!(found, (false, all(15_000, target), vec!["name", "amountOfSeveral"]));
    let found = first(&books, &Line { name: Some("Mollie"), ..line(50_000) });
    let target = Target::Payout { provider_account: 5, fee: Cents::ZERO };
    assert_eq!(found, (false, all(50_000, target), vec!["name"]));
}

#[test]
fn doubt_closed_years_and_filed_boxes_prevent_certainty() {
    let item = Item { has_box: true, ..invoice(3, "2026-0028", 12_100) };
    let mut books = books(&[item]);
    let line = Line { text: "2026-0028", ..line(12_100) };
    assert!(first(&books, &line).0);
    assert!(!first(&books, &Line { is_doubtful: true, ..line }).0);
    books.closed_until = Some(DAY);
    assert!(!first(&books, &line).0);
    books.closed_until = Some(date(2026, 11, 9));
    assert!(first(&books, &line).0);
    books.filed = vec![(DAY, DAY)];
    assert!(!first(&books, &line).0);
    books.items[0].has_box = false;
    assert!(first(&books, &line).0);
}

#[test]
fn a_refused_suggestion_is_hidden_and_an_id_follows_the_state_of_the_books() {
    let mut books = books(&[invoice(3, "2026-0028", 12_100)]);
    let line = Line { text: "2026-0028", ..line(5_000) };
    let id = suggest(&books, &line)[0].id;
    assert_eq!(SuggestionId::parse(&id.to_string()), Some(id));
    assert_eq!(SuggestionId::parse("00"), None);
    assert!(suggest(&books, &Line { refused: &[id], ..line }).is_empty());
    assert_ne!(suggest(&books, &Line { id: 2, ..line })[0].id, id);
    books.items[0].due = Cents::new(12_000);
    assert_ne!(suggest(&books, &line)[0].id, id, "the amount due has changed");
    books.items[0].due = Cents::new(12_100);
    books.items.push(invoice(4, "2026-0099", 777));
    assert_eq!(suggest(&books, &line)[0].id, id, "other items do not matter");
}

#[test]
fn bills_and_refunds_are_never_overpaid() {
    let bill = item(ItemKind::Bill, 3, "F-2026-77", 12_100);
    let refund = item(ItemKind::Refund, 4, "2026-0030", 2_100);
    let books = books(&[bill, refund]);
    for text in ["F-2026-77", "2026-0030", "F-2026-77 en 2026-0030"] {
        assert_eq!(suggest(&books, &Line { text, ..line(-99_900) }), []);
    }
    let found = first(&books, &Line { text: "2026-0030", ..line(-2_000) });
    assert_eq!(found, (false, all(2_000, Target::Refund { invoice: 4 }), vec!["number"]));
}

#[test]
fn an_amount_alone_is_no_reason_if_the_line_names_another_party() {
    let bill = Item { contact: Some(9), ..item(ItemKind::Bill, 3, "C-77", 4_500) };
    let mut books = books(&[bill]);
    books.contacts.push(Contact { id: 9, names: vec!["Cijferkantoor".to_owned()], ibans: vec![] });
    let nameless = Line { text: "Abonnement november", ..line(-4_500) };
    let to_bill = all(4_500, Target::Bill { expense: 3 });
    assert_eq!(first(&books, &nameless), (false, to_bill.clone(), vec!["amount"]));
    let other = Line { name: Some("Mobiel Plus"), ..nameless };
    assert_eq!(suggest(&books, &other), []);
    // The number, a longer word of the name, or the name in the text ties the line to the bill.
    let numbered = Line { text: "C-77", ..other };
    assert_eq!(first(&books, &numbered).1, to_bill);
    for (name, text) in
        [("Cijferkantoor Utrecht en Omgeving", ""), ("Mobiel Plus", "voor Cijferkantoor")]
    {
        let alike = Line { name: Some(name), text, ..other };
        assert_eq!(first(&books, &alike), (false, to_bill.clone(), vec!["amount"]), "{name}");
    }
}

#[test]
fn a_paid_invoice_that_is_paid_again_is_owed_back() {
    let paid = |id, number: &str, day| PaidInvoice {
        id,
        contact: Some(7),
        date: date(2026, 10, day),
        amount: Cents::new(12_100),
        number: number.to_owned(),
    };
    let mut books = books(&[]);
    books.paid_invoices = vec![paid(3, "2026-0028", 1), paid(4, "2026-0031", 20)];
    let twice = |id| all(12_100, Target::Invoice { invoice: id, overpayment: true });
    let numbered = Line { text: "Factuur 2026-0028", ..line(12_100) };
    assert_eq!(first(&books, &numbered), (false, twice(3), vec!["paidTwice", "number"]));
    // Without a number, the last invoice of the customer is meant.
    let by_iban = Line { iban: Some(ONE), ..line(12_100) };
    assert_eq!(first(&books, &by_iban), (false, twice(4), vec!["paidTwice", "iban"]));
    let by_name = Line { name: Some("Bakkerij Jansen"), ..line(12_100) };
    assert_eq!(first(&books, &by_name), (false, twice(4), vec!["paidTwice", "name"]));
    // Another amount, the other direction, and an amount alone.
    for other in [
        Line { amount: Cents::new(12_200), ..numbered },
        Line { amount: Cents::new(-12_100), ..numbered },
        line(12_100),
        Line { name: Some("Studio Smit"), ..line(12_100) },
    ] {
        assert_eq!(suggest(&books, &other), [], "{other:?}");
    }
    // An invoice of the customer that is open with this amount comes first.
    books.items.push(invoice(5, "2026-0033", 12_100));
    let suggestions = suggest(&books, &by_iban);
    assert_eq!(suggestions[0].allocations, all(12_100, self::paid(5)));
    assert_eq!(suggestions[1].allocations, twice(4));
    assert!(suggestions[0].certain, "{suggestions:?}");
}

#[test]
fn a_text_about_a_savings_account_is_a_transfer_to_the_only_one() {
    let savings = |id, name: Option<&str>| OwnAccount {
        name: name.map(str::to_owned),
        is_savings: true,
        ..account(id, None)
    };
    let to = |id| all(50_000, Target::Transfer { bank_account: id, line: None, transfer: None });
    let mut books = Books {
        bank_accounts: vec![account(1, None), savings(2, None)],
        contacts: vec![contact(7, "Bakkerij Jansen B.V.", ONE)],
        ..Books::default()
    };
    for (name, text) in [
        (None, "Overboeking naar spaarrekening"),
        (Some("Oranje Spaarrekening"), "maandelijks"),
        (None, "To savings account"),
    ] {
        for cents in [50_000, -50_000] {
            let of = Line { name, text, ..line(cents) };
            assert_eq!(first(&books, &of), (false, to(2), vec!["ownAccountText"]), "{text}");
        }
    }
    let transfer = Line { text: "Overboeking naar spaarrekening", ..line(-50_000) };
    // Interest and charges of that account, a payment to a customer, and a line of it.
    for other in [
        Line { text: "Rente spaarrekening", ..transfer },
        Line { text: "Kosten spaarrekening", ..transfer },
        Line { iban: Some(ONE), ..transfer },
        Line { bank_account: 2, ..transfer },
    ] {
        assert_eq!(suggest(&books, &other), [], "{other:?}");
    }
    // Of several savings accounts, the one whose name is on the line.
    books.bank_accounts.push(savings(3, Some("Vakantie")));
    assert_eq!(suggest(&books, &transfer), []);
    let named = Line { text: "Naar spaarrekening vakantie", ..transfer };
    assert_eq!(first(&books, &named).1, to(3));
    // The line of that account is the other half.
    let half = NewLine { id: 5, bank_account: 3, date: DAY, amount: Cents::new(50_000) };
    books.lines.push(half);
    let both = Target::Transfer { bank_account: 3, line: Some(5), transfer: None };
    let found = first(&books, &named);
    assert_eq!(found, (false, all(50_000, both), vec!["ownAccountText", "otherHalf"]));
}

#[test]
fn an_own_iban_in_the_text_is_a_transfer() {
    let books =
        Books { bank_accounts: vec![account(2, Iban::parse(OWN).ok())], ..Books::default() };
    let to = all(700, Target::Transfer { bank_account: 2, line: None, transfer: None });
    for text in [OWN, "naar NL20 INGB 0001 2345 67"] {
        let of = Line { text, ..line(-700) };
        assert_eq!(first(&books, &of), (false, to.clone(), vec!["ownAccount"]), "{text}");
    }
}

#[test]
fn interest_of_the_bank_is_recognised_by_its_words() {
    let books = Books::default();
    let interest = all(123, Target::Interest);
    for (text, cents) in [
        ("Creditrente 4e kwartaal", 123),
        ("CREDITRENTE SPAARREKENING", 123),
        ("Spaarrente 2026", 123),
        ("Debetrente oktober", -123),
    ] {
        let of = Line { text, ..line(cents) };
        assert_eq!(first(&books, &of), (false, interest.clone(), vec!["chargeText"]), "{text}");
        // The other direction, and a line of another account.
        assert_eq!(suggest(&books, &Line { amount: -of.amount, ..of }), [], "{text}");
        assert_eq!(suggest(&books, &Line { iban: Some(ONE), ..of }), [], "{text}");
    }
}

#[test]
fn a_tax_that_the_text_names_is_not_vat() {
    let private = |kind| Target::Private(kind);
    let vat = ReturnPeriod::Vat(VatPeriod::quarter(2026, 3).unwrap());
    let due =
        DueReturn { period: VatPeriod::quarter(2026, 2).unwrap(), payable: Cents::new(5_000) };
    let books = Books {
        returns: vec![FiledReturn { period: vat, payable: Cents::new(5_000) }],
        due_returns: vec![due],
        ..Books::default()
    };
    let of_office = Line { iban: Some(TAX_OFFICE), ..line(-5_000) };
    for (text, target) in [
        ("Inkomstenbelasting 2025", private(PrivateKind::IncomeTax)),
        ("Voorlopige aanslag IB/PVV 2026", private(PrivateKind::IncomeTax)),
        ("Zvw 2026 termijn 3", private(PrivateKind::HealthInsurance)),
        (
            "inkomensafhankelijke bijdrage Zorgverzekeringswet",
            private(PrivateKind::HealthInsurance),
        ),
        ("Motorrijtuigenbelasting", Target::Ledger(codes::CAR_TAX)),
    ] {
        let found = first(&books, &Line { text, ..of_office });
        assert_eq!(found, (false, all(5_000, target), vec!["taxOffice", "taxText"]), "{text}");
        let is_vat = |of: &Suggestion| of.kind() == AllocationKind::Vat;
        assert!(!suggest(&books, &Line { text, ..of_office }).iter().any(is_vat), "{text}");
        // Someone else's line that has the words.
        let other = Line { text, iban: Some(ONE), ..of_office };
        assert_eq!(suggest(&books, &other), [], "{text}");
    }
    let named = Line { iban: None, name: Some("Belastingdienst"), ..of_office };
    let back = Line { amount: Cents::new(5_000), text: "Teruggaaf inkomstenbelasting", ..named };
    assert_eq!(first(&books, &back).1, all(5_000, private(PrivateKind::IncomeTax)));
    // A text about VAT too, or about nothing, stays a matter of the returns.
    for text in ["Omzetbelasting, geen inkomstenbelasting", "1234567890123456"] {
        let found = first(&books, &Line { text, ..of_office });
        assert_eq!(found.1, all(5_000, Target::Vat(Some(vat))), "{text}");
    }
}
