//! Quotes against their checksums, their lines, their numbers, their documents and their invoices.

use super::{CHUNK, Verification};
use crate::{Context, Error};
use ledger::invoice;
use std::collections::BTreeMap;
use store::{
    Tx,
    quotes::{self as rows, Quote},
};

/// Verifies quotes.
pub(super) fn verify(
    tx: &mut Tx<'_>,
    cx: &Context,
    verification: &mut Verification,
) -> Result<(), Error> {
    let account = cx.actor.account;
    let mut say = |what: String| verification.discrepancies.push(what);
    let (mut after, mut years): (i64, BTreeMap<i16, (i64, i64)>) = Default::default();
    let mut sent = BTreeMap::new();
    loop {
        let quotes = rows::check(tx, account, after, CHUNK)?;
        let Some((last, _)) = quotes.last() else { break };
        after = last.id;
        for (quote, is_intact) in &quotes {
            if !is_intact {
                say(format!("quote {} was changed outside the program", quote.number));
            }
            if !adds_up(quote) {
                say(format!("quote {} of {} is unlike its lines", quote.number, quote.total));
            }
            let of_year = years.entry(quote.number_year).or_default();
            *of_year = (of_year.0 + 1, of_year.1.max(quote.number_in_year));
            sent.insert(quote.id, quote.decided_on);
            let mut made: Vec<i64> =
                quote.content.invoices.iter().map(|made| made.invoice_id).collect();
            made.sort_unstable();
            if made != rows::invoices_naming(tx, account, quote.id)? {
                say(format!("the invoices of quote {} do not name it", quote.number));
            }
        }
    }
    for (year, (count, last)) in years {
        if count != last {
            say(format!("the last quote of {year} is {last}, but {count} were found"));
        }
    }
    let mut after = 0;
    loop {
        let documents = rows::documents_after(tx, account, after, 50)?;
        let Some((last, _)) = documents.last() else { break };
        after = last.quote_id;
        for (document, is_intact) in &documents {
            let id = document.quote_id;
            if !is_intact {
                say(format!("the document of quote {id} was changed outside the program"));
            }
            if let Some(Some(decided_on)) = sent.remove(&id)
                && decided_on != document.sha256
            {
                say(format!("quote {id} was decided on another document"));
            }
        }
    }
    for (id, _) in sent.into_iter().filter(|(_, decided_on)| decided_on.is_some()) {
        say(format!("the document on which quote {id} was decided is gone"));
    }
    Ok(())
}

/// Whether the amounts of a quote follow from its lines.
fn adds_up(quote: &Quote) -> bool {
    let lines: Vec<_> = quote.content.lines.iter().map(|(line, _)| line.clone()).collect();
    let amounts = quote.content.lines.iter().map(|(_, amount)| amount);
    let discount = quote.particulars.discount;
    let priced = invoice::price_less(discount, &lines, quote.quote_date, quote.prices());
    priced.is_ok_and(|priced| {
        let sums = (priced.subtotal, priced.vat_total, priced.total);
        sums == (quote.subtotal, quote.vat_total, quote.total)
            && amounts.eq(priced.line_amounts.iter())
    })
}
