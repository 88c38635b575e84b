//! Estimated time that a newcomer needs to send the first invoice, to book the first expense with
//! its receipt, and to file the first quarter.

use crate::{DARK_PHONE, DESK, KIM, PASSWORD, Visit, picture};
use browser_testing::BrowserOptions;
use store::accounts::Plan;
use testing::year;

/// Seconds to read a new page.
const READING: u32 = 8;
/// Seconds to choose a button or a link and press it.
const PRESSING: u32 = 4;
/// Seconds to understand a field, move to it and fill it in.
const FILLING: u32 = 10;

/// Counts actions and estimates their duration by the keystroke-level model of Card, Moran and
/// Newell ("The Psychology of Human-Computer Interaction", 1983). The model's 1.35 s of thinking
/// is multiplied by 2 or 3, as everything is new to the user. A button takes 1.35 × 2 s of thinking
/// and 1.3 s of pointing and pressing. A field takes 1.35 × 3 s of thinking, 1.3 s of pointing, and
/// 0.28 s for each of fifteen letters. A new page takes 8 s, for reading its headings.
struct Stopwatch<'v> {
    visit: &'v Visit,
    pages: u32,
    presses: u32,
    fields: u32,
}

impl<'v> Stopwatch<'v> {
    fn start(visit: &'v Visit) -> Self {
        Self { visit, pages: 1, presses: 0, fields: 0 }
    }

    /// Presses a button or link that opens another page.
    fn press(&mut self, id: &str) {
        self.visit.press_t(id);
        self.presses += 1;
        self.pages += 1;
    }

    fn fill(&mut self, field: &str, text: &str) {
        self.visit.fill(field, text);
        self.fields += 1;
    }

    fn choose(&mut self, field: &str, option: &str) {
        self.visit.choose(field, option);
        self.fields += 1;
    }

    /// Estimated duration of the actions so far, in seconds.
    fn seconds(&self) -> u32 {
        self.pages * READING + self.presses * PRESSING + self.fields * FILLING
    }

    /// Asserts that the actions took at most this number of minutes.
    fn within(&self, minutes: u32, what: &str) {
        let Self { pages, presses, fields, .. } = self;
        let seconds = self.seconds();
        eprintln!("{what}: {pages} pages, {presses} presses, {fields} fields, about {seconds} s");
        assert!(
            seconds <= minutes * 60,
            "{what} takes {pages} pages, {presses} presses and {fields} fields: about {seconds} s, not {minutes} min"
        );
    }
}

/// Starts a visit with a year of bookkeeping in the account and the user signed out.
fn start_signed_out(options: BrowserOptions) -> Visit {
    let visit = Visit::start(options);
    visit.account(KIM, "NL", Plan::Starter);
    year::live(&visit.server, &visit.server.key(KIM, true, true));
    visit.goto("/login");
    visit
}

/// At most 3 minutes to the first invoice, 2 to the first expense and 5 to the first VAT return.
#[test]
fn a_newcomer_needs_only_minutes() {
    for options in [DESK, DARK_PHONE] {
        let visit = start_signed_out(options);
        let mut invoice = Stopwatch::start(&visit);
        invoice.fill(visit.t("field-email"), KIM);
        invoice.fill(visit.t("field-password"), PASSWORD);
        invoice.press("sign-in-button");
        invoice.press("home-new-invoice");
        invoice.fill("customer.name", "Bakkerij De Korenaar");
        invoice.fill("customer.email", "bakker@example.com");
        invoice.fill("items.0.description", "Design of a sign");
        invoice.fill("items.0.unitPrice", "450");
        invoice.press("invoice-save-mail");
        invoice.press("send-send");
        visit.see_around("done-invoice-mailed");
        visit.mail("bakker@example.com", 1);
        invoice.within(3, "the first invoice");

        let file = visit.folder().join("receipt.png");
        std::fs::write(&file, picture()).unwrap();
        visit.goto("/");
        let mut expense = Stopwatch::start(&visit);
        expense.press("home-new-expense");
        expense.fill("supplier", "Papierhal");
        expense.choose("items.0.category", "4100");
        expense.fill("items.0.amount", "121");
        visit.attach("receipt", &file);
        expense.fields += 1;
        expense.press("expense-book");
        visit.see_around("done-expense-recorded");
        visit.see("receipt.png");
        expense.within(2, "the first expense");

        // After the end of the first quarter.
        visit.later(20 * 86_400);
        visit.sign_in(KIM);
        visit.goto("/");
        let mut filing = Stopwatch::start(&visit);
        let quarter = if options.language == "nl" { "1e kwartaal 2026" } else { "Q1 2026" };
        visit.press(&visit.t("home-file").replace("{ $period }", quarter));
        (filing.presses, filing.pages) = (filing.presses + 1, filing.pages + 1);
        // The user copies each figure into the tax office's form, which is assumed to take as long
        // as filling in a field.
        let figures = visit
            .script("return document.querySelectorAll('[data-copy]').length", Vec::new())
            .as_u64()
            .unwrap();
        filing.fields += u32::try_from(figures).unwrap();
        visit.submit("/file");
        (filing.presses, filing.pages) = (filing.presses + 1, filing.pages + 1);
        visit.see_around("done-vat-filed");
        filing.within(5, "the first return");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
