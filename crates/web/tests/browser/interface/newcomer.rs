//! A newcomer's stopwatch: how much somebody has to do who was never here, until the first invoice is sent, the first expense is booked with
//! its receipt, and a quarter is filed.

use crate::{DARK_PHONE, DESK, KIM, PASSWORD, Visit, picture};
use browser_testing::BrowserOptions;
use store::accounts::Plan;
use testing::year;

/// Seconds to find out what a page is about, before anything on it is done.
const READING: u32 = 8;
/// Seconds to decide on a button or a link and press it.
const PRESSING: u32 = 4;
/// Seconds to understand a field, to go to it and to fill it in.
const FILLING: u32 = 10;

/// Counts what somebody does, and turns it into time by three figures. They follow the keystroke-level model of Card, Moran and Newell
/// ("The Psychology of Human-Computer Interaction", 1983), with its 1.35 s of thinking taken three times because nothing here is known yet:
/// a button is 1.35 × 2 s of thinking and 1.3 s of pointing and pressing; a field is 1.35 × 3 s of thinking, 1.3 s of going to it and fifteen
/// letters of 0.28 s each; and a page that was not seen before takes 8 s to read its headings.
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

    /// Presses what leads to another page.
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

    /// What was done until here, in seconds.
    fn seconds(&self) -> u32 {
        self.pages * READING + self.presses * PRESSING + self.fields * FILLING
    }

    /// It took no longer than so many minutes.
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

/// Books such as the demo's, of somebody who is not signed in.
fn arrived(options: BrowserOptions) -> Visit {
    let visit = Visit::start(options);
    visit.account(KIM, "NL", Plan::Starter);
    year::live(&visit.server, &visit.server.key(KIM, true, true));
    visit.goto("/login");
    visit
}

/// At most 3 minutes to the first invoice, 2 to the first expense and 5 to the first return (the issue of the application).
#[test]
fn a_newcomer_is_done_in_minutes() {
    for options in [DESK, DARK_PHONE] {
        let visit = arrived(options);
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

        // The first quarter is over.
        visit.later(20 * 86_400);
        visit.sign_in(KIM);
        visit.goto("/");
        let mut filing = Stopwatch::start(&visit);
        let quarter = if options.language == "nl" { "1e kwartaal 2026" } else { "Q1 2026" };
        visit.press(&visit.t("home-file").replace("{ $quarter }", quarter));
        (filing.presses, filing.pages) = (filing.presses + 1, filing.pages + 1);
        // Each figure of the return is copied into the tax office's form: a press here, a press and a paste there, and a look at both.
        let copied = visit.script("return document.querySelectorAll('[data-copy]').length", Vec::new()).as_u64().unwrap();
        filing.fields += u32::try_from(copied).unwrap();
        visit.submit("/file");
        (filing.presses, filing.pages) = (filing.presses + 1, filing.pages + 1);
        visit.see_around("done-vat-filed");
        filing.within(5, "the first return");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
