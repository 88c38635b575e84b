//! Small writers of statements, as far as the tests need them.

use jiff::civil::Date;
use std::fmt::Write;

/// Payment on the account of the tests, in each format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Payment {
    pub(crate) date: Date,
    pub(crate) cents: i64,
    pub(crate) name: String,
    pub(crate) iban: Option<String>,
    pub(crate) text: String,
    pub(crate) end_to_end_id: Option<String>,
}

pub(crate) const ACCOUNT: &str = "NL02ABNA0123456789";

fn euros(cents: i64, point: char) -> String {
    format!("{}{point}{:02}", cents.abs() / 100, cents.abs() % 100)
}

fn sum(payments: &[Payment]) -> i64 {
    payments.iter().map(|payment| payment.cents).sum()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Writes camt.053.001.08, valid by its schema. `opening` is the balance before the payments, which
/// lie between the days.
pub(crate) fn camt(payments: &[Payment], opening: i64, first: Date, last: Date) -> String {
    let balance = |code: &str, cents: i64, date: Date| {
        let direction = if cents < 0 { "DBIT" } else { "CRDT" };
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy=\"EUR\">{}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Dt><Dt>{date}</Dt></Dt></Bal>\n",
            euros(cents, '.')
        )
    };
    let mut file = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.08\"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId><CreDtTm>{last}T23:59:59</CreDtTm></GrpHdr><Stmt><Id>1</Id><CreDtTm>{last}T23:59:59</CreDtTm><Acct><Id><IBAN>{ACCOUNT}</IBAN></Id><Ccy>EUR</Ccy></Acct>\n{}{}",
        balance("OPBD", opening, first),
        balance("CLBD", opening + sum(payments), last),
    );
    for payment in payments {
        // Issued or received credit transfers.
        let (direction, party, family) =
            if payment.cents < 0 { ("DBIT", "Cdtr", "ICDT") } else { ("CRDT", "Dbtr", "RCDT") };
        let iban = payment.iban.as_ref().map_or(String::new(), |iban| {
            format!("<{party}Acct><Id><IBAN>{iban}</IBAN></Id></{party}Acct>")
        });
        let reference = payment.end_to_end_id.as_deref().unwrap_or("NOTPROVIDED");
        writeln!(
            file,
            "<Ntry><Amt Ccy=\"EUR\">{}</Amt><CdtDbtInd>{direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>{}</Dt></BookgDt><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>{family}</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>{}</EndToEndId></Refs><RltdPties><{party}><Pty><Nm>{}</Nm></Pty></{party}>{iban}</RltdPties><RmtInf><Ustrd>{}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>",
            euros(payment.cents, '.'),
            payment.date,
            escaped(reference),
            escaped(&payment.name),
            escaped(&payment.text),
        )
        .unwrap();
    }
    file.push_str("</Stmt></BkToCstmrStmt></Document>\n");
    file
}

fn mark(cents: i64) -> char {
    if cents < 0 { 'D' } else { 'C' }
}

/// Writes MT940 as ABN AMRO does.
pub(crate) fn mt940(payments: &[Payment], opening: i64, first: Date, last: Date) -> String {
    let balance = |cents: i64, date: Date| {
        format!("{}{}EUR{}", mark(cents), date.strftime("%y%m%d"), euros(cents, ','))
    };
    let mut file = format!(
        "ABNANL2A\r\n940\r\nABNANL2A\r\n:20:ABN AMRO BANK NV\r\n:25:{ACCOUNT}\r\n:28:1/1\r\n:60F:{}\r\n",
        balance(opening, first)
    );
    for payment in payments {
        let date = payment.date;
        write!(
            file,
            ":61:{}{}{}{}N654NONREF\r\n",
            date.strftime("%y%m%d"),
            date.strftime("%m%d"),
            mark(payment.cents),
            euros(payment.cents, ',')
        )
        .unwrap();
        let mut details = String::from(":86:/TRTP/SEPA OVERBOEKING");
        if let Some(iban) = &payment.iban {
            details += &format!("/IBAN/{iban}/BIC/ABNANL2A");
        }
        details += &format!("/NAME/{}/REMI/{}", payment.name, payment.text);
        if let Some(reference) = &payment.end_to_end_id {
            details += &format!("/EREF/{reference}");
        }
        let characters: Vec<char> = details.chars().collect();
        for line in characters.chunks(65) {
            file.extend(line);
            file.push_str("\r\n");
        }
    }
    write!(file, ":62F:{}\r\n-\r\n", balance(opening + sum(payments), last)).unwrap();
    file
}

/// Writes CSV as Rabobank does.
pub(crate) fn csv(payments: &[Payment], opening: i64) -> String {
    let mut file = String::from(
        "\"IBAN/BBAN\",\"Munt\",\"BIC\",\"Volgnr\",\"Datum\",\"Rentedatum\",\"Bedrag\",\"Saldo na trn\",\"Tegenrekening IBAN/BBAN\",\"Naam tegenpartij\",\"Code\",\"Transactiereferentie\",\"Omschrijving-1\"\r\n",
    );
    let mut balance = opening;
    for payment in payments {
        balance += payment.cents;
        let cells = [
            ACCOUNT.to_owned(),
            "EUR".to_owned(),
            "RABONL2U".to_owned(),
            String::new(),
            payment.date.to_string(),
            payment.date.to_string(),
            format!("{}{}", if payment.cents < 0 { '-' } else { '+' }, euros(payment.cents, ',')),
            format!("{}{}", if balance < 0 { '-' } else { '+' }, euros(balance, ',')),
            payment.iban.clone().unwrap_or_default(),
            payment.name.clone(),
            "cb".to_owned(),
            payment.end_to_end_id.clone().unwrap_or_default(),
            payment.text.clone(),
        ];
        let cells: Vec<String> =
            cells.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect();
        file += &cells.join(",");
        file += "\r\n";
    }
    file
}
