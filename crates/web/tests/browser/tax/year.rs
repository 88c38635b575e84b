//! A year from opening balance to closing: depreciation, mileage, income tax estimate, reopening.

use crate::{BOTH, DESK, KIM, NO_SCRIPTS, Visit};
use serde_json::json;
use std::{
    cell::Cell,
    thread,
    time::{Duration, Instant},
};
use store::accounts::Plan;

#[test]
// Long: one scenario in order.
fn a_year_is_opened_estimated_closed_and_reopened() {
    for options in BOTH {
        let visit = Visit::signed_in(options);
        let key = visit.server.key(KIM, true, true);
        visit.goto("/journal");
        visit.see_t("journal-empty-title");
        visit.unfold("journal-record");
        visit.press_t("opening-title");
        visit.choose_day("date", "2025-01-01");
        visit.fill("1100 ", "8000");
        visit.fill("0200 ", "1200");
        visit.press_t("opening-button");
        visit.see_t("done-opening-made");
        visit.arrive("/journal/1");
        visit.goto("/journal/opening");
        visit.see_t("opening-again");

        visit.goto("/assets");
        visit.see_t("assets-empty-title");
        visit.press_t("asset-new");
        visit.fill("description", "Laptop");
        visit.choose_day("date", "2025-01-15");
        visit.fill("cost", "1899");
        visit.fill("lifeYears", "3");
        visit.press_t("expense-book");
        assert!(visit.has("#lifeYears-fault"), "{}", visit.text());
        visit.assert_accessible();
        visit.fill("lifeYears", "5");
        visit.fill("residualValue", "189");
        visit.press_t("expense-book");
        visit.see_around("done-asset-bought");
        visit.choose_day("until", "2025-12-31");
        visit.press_t("asset-depreciate");
        visit.see_around("done-asset-depreciated");
        visit.assert_accessible();

        visit.goto("/mileage");
        visit.choose_day("date", "2025-02-12");
        for (field, text) in
            [("km", "120"), ("from", "Utrecht"), ("to", "Zwolle"), ("purpose", "Meeting")]
        {
            visit.fill(field, text);
        }
        visit.press_t("expense-book");
        visit.see_around("done-trip-recorded");

        let invoice = json!({"invoiceDate": "2025-11-20", "status": "sent", "customer": {"name": "De Pier"},
            "items": [{"description": "Work", "unitPrice": 50_000, "vatRate": 21}]});
        assert_eq!(visit.server.post(&key, "/api/v1/invoices", &invoice).status, 201);
        visit.goto("/year/2025");
        assert!(visit.has("[data-id='8000'] data[value='50000.00']"), "{}", visit.text());
        // A year's depreciation of 1710 over five years; 120 km at 23 cents.
        assert_eq!(visit.by_api("summary/2025")["costs"], 369.6);
        visit.tick("hoursCriterion");
        visit.fill("otherIncome", "veel");
        visit.press_t("year-recalculate");
        visit.see_t("year-amount-fault");
        visit.assert_accessible();
        visit.fill("otherIncome", "10000");
        visit.press_t("year-recalculate");
        assert!(visit.ticked("hoursCriterion"));
        for step in [
            "year-tax-self-employed",
            "year-tax-exemption",
            "year-tax-other-income",
            "year-tax-total",
        ] {
            visit.see_t(step);
        }
        visit.assert_accessible();

        visit.press_t("year-close");
        visit.see_t("done-year-closed");
        visit.see_t("year-closed");
        // A closed year accepts no entries.
        visit.goto("/journal/new");
        visit.choose_day("date", "2025-12-30");
        visit.fill("description", "Bank");
        visit.choose("lines.0.account", "4610");
        visit.fill("lines.0.debit", "12");
        visit.choose("lines.1.account", "1100");
        visit.fill("lines.1.credit", "12");
        visit.press_t("journal-book");
        visit.see(&visit.t("refused-year-closed").replace("{ $year }", "2025"));
        assert_eq!(visit.value("lines.0.debit"), "12");
        visit.goto("/year/2025");
        visit.press_t("year-reopen");
        visit.see_t("done-year-reopened");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}

/// From 31 December to the closed year in at most 12 presses of Enter, with the keyboard alone.
#[test]
// Long: one scenario in order.
fn a_year_is_finished_by_keyboard_in_twelve_presses() {
    for options in [DESK, NO_SCRIPTS] {
        let visit = Visit::start(options);
        visit.server.clock.set("2026-12-31T20:00:00Z");
        visit.account(KIM, "NL", Plan::Starter);
        visit.sign_in(KIM);
        let key = visit.server.key(KIM, true, true);
        let send = |path: &str, body: serde_json::Value| {
            let reply = visit.server.post(&key, &format!("/api/v1/{path}"), &body);
            assert_eq!(reply.status, 201, "{}", reply.text);
        };
        send(
            "assets",
            json!({"date": "2026-01-15", "description": "Laptop", "account": "0200", "cost": 1899, "lifeYears": 5}),
        );
        send(
            "expenses",
            json!({"date": "2026-07-01", "supplier": "Insurer", "periodFrom": "2026-07-01", "periodUntil": "2027-06-30",
                "items": [{"category": "4400", "amount": 365, "vatTreatment": "none"}]}),
        );
        send(
            "expenses",
            json!({"date": "2026-05-01", "supplier": "Wholesale", "items": [{"category": "7000", "amount": 1000, "vatRate": 21}]}),
        );
        // The first three returns are already filed.
        visit.goto("/");
        for quarter in 1..=3 {
            visit.goto(&format!("/vat/2026/{quarter}"));
            visit.tab_to(&format!("form[action='/vat/2026/{quarter}/file'] button"));
            visit.enter();
            visit.see_around("done-vat-filed");
        }
        visit.goto("/");
        let presses = Cell::new(0);
        let press = |selector: &str| {
            visit.tab_to(selector);
            visit.enter();
            presses.set(presses.get() + 1);
        };
        let is_done = |step: &str| {
            let item = format!("[data-step='{step}'][data-status='done']");
            let end = Instant::now() + Duration::from_secs(20);
            while !visit.has(&item) {
                assert!(Instant::now() < end, "{step}: {}", visit.text());
                thread::sleep(Duration::from_millis(20));
            }
        };
        press("a[href='/year/2026#closing']");
        visit.arrive("/year/2026#closing");
        for step in ["depreciation", "cutOff", "goodsPrivateUse"] {
            // The form for goods is in a collapsed section.
            if step == "goodsPrivateUse" {
                press("[data-step='goodsPrivateUse'] summary");
            }
            press(&format!("[data-step='{step}'] button[value='do.{step}']"));
            is_done(step);
        }
        // From 1 January on, the last return can be filed and the year closed.
        visit.server.clock.set("2027-01-01T01:00:00Z");
        visit.reload();
        press("[data-step='lastReturn'] a");
        visit.arrive("/vat/2026/4");
        press("form[action='/vat/2026/4/file'] button");
        visit.see_around("done-vat-filed");
        press("a[href='/year/2026#closing']");
        visit.arrive("/year/2026#closing");
        press("[data-step='close'] button[value='do.close']");
        is_done("close");
        assert!(presses.get() <= 12, "{} presses", presses.get());
        assert_eq!(visit.by_api("years/2026")["status"], "closed");
        assert_eq!(visit.server.discrepancies(KIM), Vec::<String>::new());
    }
}
