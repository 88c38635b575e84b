//! Tests that every refusal has an English sentence.

use super::{
    examples::{causes, errors, every, period},
    *,
};
use crate::refusals::refusal;
use ::mail::{MailError, SmtpFault};
use jiff::civil::date;
use ledger::{money::Cents, unusual_day::UnusualDay};
use service::{
    Error, InvoiceError, PeriodError,
    bank_lines::LineWarning,
    expenses::ExpenseWarning,
    invoice_documents::NotExpressible,
    invoices::Warning,
    oauth::{authorize::RequestFault, redirect::UriFault, tokens},
    people::Refusal,
};
use std::collections::BTreeSet;
use store::StoreError;

/// Returns one example of each storage failure.
fn failures() -> Vec<StoreError> {
    every! { StoreError:
        StoreError::Unavailable(_) => StoreError::Unavailable("away".into()),
        StoreError::NotWritable(_) => StoreError::NotWritable("disk full".into()),
        StoreError::TooLong => StoreError::TooLong,
        StoreError::Unreadable(_) => StoreError::Unreadable("column 2".into()),
        StoreError::NumberTaken => StoreError::NumberTaken,
        StoreError::Refused(_) => StoreError::Refused("constraint".into()),
        StoreError::AccountClosed => StoreError::AccountClosed,
        StoreError::YearClosed(_) => StoreError::YearClosed(2026),
        StoreError::Panicked => StoreError::Panicked,
        StoreError::Unsupported(_) => StoreError::Unsupported("this is not a backup".into()),
        StoreError::Open(_) => StoreError::Open("books.db".into()),
        StoreError::Connect(_) => StoreError::Connect(Box::new(StoreError::Unavailable("away".into()))),
        StoreError::InTable { .. } => StoreError::InTable { table: "entries".into(), error: Box::new(StoreError::TooLong) },
    }
}

/// Returns one example of each refusal concerning sign-in and credentials.
fn refusals() -> Vec<Refusal> {
    every! { Refusal:
        Refusal::LinkSpent => Refusal::LinkSpent,
        Refusal::EmailUnconfirmed => Refusal::EmailUnconfirmed,
        Refusal::PasswordChanged => Refusal::PasswordChanged,
        Refusal::SignedOut => Refusal::SignedOut,
        Refusal::WrongCode => Refusal::WrongCode,
        Refusal::SecondFactorOn => Refusal::SecondFactorOn,
        Refusal::SecondFactorOff => Refusal::SecondFactorOff,
        Refusal::NoEncryptionKey => Refusal::NoEncryptionKey,
    }
}

#[test]
fn every_fault_of_the_mails_has_a_sentence() {
    let faults = every! { SmtpFault:
        SmtpFault::NotAnAddress => SmtpFault::NotAnAddress,
        SmtpFault::NoHost => SmtpFault::NoHost,
        SmtpFault::Rest => SmtpFault::Rest,
        SmtpFault::Tls => SmtpFault::Tls,
        SmtpFault::Scheme => SmtpFault::Scheme,
        SmtpFault::Unusable => SmtpFault::Unusable,
    };
    let errors = faults.into_iter().map(MailError::Smtp).chain([MailError::From, MailError::To]);
    are_sentences(&errors.map(|error| (mail(&error), error.to_string())).collect::<Vec<_>>());
}

/// Asserts that the texts are unique and read as sentences. The output of `Display` is only meant
/// for the log, and is not a sentence.
fn are_sentences(said: &[(String, String)]) {
    for (sentence, name) in said {
        assert!(
            sentence.contains(' ') && !sentence.ends_with('.') && sentence.trim() == sentence,
            "{name}: {sentence}"
        );
        assert!(!sentence.contains('_') && sentence != name, "{name} has no sentence: {sentence}");
    }
    let apart: BTreeSet<&String> = said.iter().map(|(sentence, _)| sentence).collect();
    assert_eq!(apart.len(), said.len(), "{said:?}");
}

#[test]
fn every_error_has_a_sentence_with_its_values() {
    let said: Vec<_> = errors().iter().map(|error| (refusal(error), error.to_string())).collect();
    are_sentences(&said);
    for (sentence, name) in &said {
        // `Display` prints only the variant and its values, not a sentence.
        assert!(!name.contains(';') && !name.ends_with('.'), "{name}: {sentence}");
    }
    assert_eq!(
        refusal(&PeriodError::Filed(period()).into()),
        "the VAT return of 2026 quarter 3 is filed"
    );
    assert!(
        refusal(
            &PeriodError::CorrectionTooLarge { period: period(), vat: Cents::new(123_456) }.into()
        )
        .contains("1234.56")
    );
}

#[test]
fn every_refusal_of_a_person_and_every_failure_of_the_storage_has_a_sentence() {
    are_sentences(
        &refusals()
            .iter()
            .map(|refused| (refusal(&Error::Refused(*refused)), refused.to_string()))
            .collect::<Vec<_>>(),
    );
    are_sentences(
        &failures().iter().map(|failed| (storage(failed), failed.to_string())).collect::<Vec<_>>(),
    );
}

#[test]
fn every_cause_is_told_of_what_cannot_be_an_e_invoice() {
    let said: Vec<_> = causes()
        .into_iter()
        .map(|cause| {
            (
                refusal(&InvoiceError::NotExpressible(NotExpressible(vec![cause])).into()),
                cause.to_string(),
            )
        })
        .collect();
    are_sentences(&said);
    let all = refusal(&InvoiceError::NotExpressible(NotExpressible(causes())).into());
    assert_eq!(all.split("; ").count(), causes().len(), "{all}");
}

#[test]
fn every_description_of_oauth_is_printable_ascii_without_quotes_and_backslashes() {
    let requests = every! { RequestFault:
        RequestFault::StateRepeated => RequestFault::StateRepeated,
        RequestFault::ResponseTypeMissing => RequestFault::ResponseTypeMissing,
        RequestFault::ResponseTypeRepeated => RequestFault::ResponseTypeRepeated,
        RequestFault::ResponseTypeUnknown => RequestFault::ResponseTypeUnknown,
        RequestFault::ChallengeMissing => RequestFault::ChallengeMissing,
        RequestFault::ChallengeRepeated => RequestFault::ChallengeRepeated,
        RequestFault::ChallengeForm => RequestFault::ChallengeForm,
        RequestFault::MethodMissing => RequestFault::MethodMissing,
        RequestFault::MethodRepeated => RequestFault::MethodRepeated,
        RequestFault::MethodUnknown => RequestFault::MethodUnknown,
        RequestFault::ScopeRepeated => RequestFault::ScopeRepeated,
        RequestFault::ScopeUnknown => RequestFault::ScopeUnknown,
        RequestFault::ScopeTooWide => RequestFault::ScopeTooWide,
        RequestFault::Denied => RequestFault::Denied,
    };
    let tokens = every! { tokens::Refusal:
        tokens::Refusal::UnknownCode => tokens::Refusal::UnknownCode,
        tokens::Refusal::UsedCode => tokens::Refusal::UsedCode,
        tokens::Refusal::OtherRedirectUri => tokens::Refusal::OtherRedirectUri,
        tokens::Refusal::WrongVerifier => tokens::Refusal::WrongVerifier,
        tokens::Refusal::UnknownRefreshToken => tokens::Refusal::UnknownRefreshToken,
        tokens::Refusal::UsedRefreshToken => tokens::Refusal::UsedRefreshToken,
        tokens::Refusal::ScopeTooWide => tokens::Refusal::ScopeTooWide,
        tokens::Refusal::InvalidClient => tokens::Refusal::InvalidClient,
    };
    let said: Vec<&str> = requests
        .into_iter()
        .map(request_fault)
        .chain(tokens.into_iter().map(token_refusal))
        .collect();
    for description in &said {
        let allowed = |c: char| matches!(c, ' '..='~') && c != '"' && c != '\\';
        assert!(description.contains(' ') && description.chars().all(allowed), "{description}");
    }
    assert_eq!(said.iter().collect::<BTreeSet<_>>().len(), said.len());
    assert_eq!(
        UriFault::ALL.map(redirect_uri).into_iter().collect::<BTreeSet<_>>().len(),
        UriFault::ALL.len()
    );
}

#[test]
fn every_warning_has_a_sentence() {
    let said: Vec<_> = Warning::ALL
        .into_iter()
        .map(|warning| (invoice_warning(warning).to_owned(), warning.code().to_owned()))
        .collect();
    are_sentences(&said);
    let of_lines = LineWarning::RevenueWithoutVat;
    are_sentences(&[(bank_line_warning(of_lines).to_owned(), of_lines.code().to_owned())]);
    let of_expenses = every! { ExpenseWarning:
        ExpenseWarning::VatDiffers { .. } => ExpenseWarning::VatDiffers { line: 0, expected: Cents::new(2100) },
        ExpenseWarning::DateUnusual(_) => ExpenseWarning::DateUnusual(UnusualDay::FarAhead),
        ExpenseWarning::DuplicateAmount { .. } => ExpenseWarning::DuplicateAmount { expenses: vec![3, 7] },
        ExpenseWarning::PaidBeforeBill { .. } => ExpenseWarning::PaidBeforeBill { on: date(2026, 3, 1) },
        ExpenseWarning::MayBeAsset { .. } => ExpenseWarning::MayBeAsset { line: 1 },
        ExpenseWarning::NoArticle23 { .. } => ExpenseWarning::NoArticle23 { line: 1 },
    };
    are_sentences(
        &of_expenses
            .into_iter()
            .map(|warning| (expense_warning(&warning), warning.code().to_owned()))
            .collect::<Vec<_>>(),
    );
}
