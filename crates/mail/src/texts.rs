//! Texts of the emails, read from the message files.

use super::Mail;
use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use ledger::language::Language;
use std::sync::LazyLock;
use unic_langid::LanguageIdentifier;

static DUTCH: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| load(Language::Dutch));
static ENGLISH: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| load(Language::English));

fn load(language: Language) -> FluentBundle<FluentResource> {
    let source = match language {
        Language::Dutch => include_str!("../locales/nl.ftl"),
        Language::English => include_str!("../locales/en.ftl"),
    };
    let locale: LanguageIdentifier = language.as_str().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![locale]);
    // Some mail programs would include the isolation marks around an inserted URL in the link.
    bundle.set_use_isolating(false);
    // Only the valid part of a faulty file is used at run time; a test reports faults.
    let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(read, _)| read);
    bundle.add_resource_overriding(resource);
    bundle
}

/// Subject and text of an email.
pub(super) fn of(mail: &Mail, language: Language, base_url: &str) -> (String, String) {
    let bundle = match language {
        Language::Dutch => &*DUTCH,
        Language::English => &*ENGLISH,
    };
    let mut arguments = FluentArgs::new();
    arguments.set("base_url", base_url);
    let name = name_of(mail);
    match mail {
        Mail::ConfirmSignUp { link }
        | Mail::SignUpTaken { link }
        | Mail::ResetPassword { link }
        | Mail::PasswordChanged { link }
        | Mail::ConfirmEmailChange { link }
        | Mail::SecondFactorOn { link }
        | Mail::SecondFactorOff { link }
        | Mail::RecoveryCodeUsed { link }
        | Mail::RecoveryCodesMade { link }
        | Mail::BankAccountChanged { link } => arguments.set("link", link.as_str()),
        Mail::WebhookDisabled { url, link } => {
            arguments.set("url", url.as_str());
            arguments.set("link", link.as_str());
        }
        Mail::EmailChanged { email } => arguments.set("email", email.as_str()),
        Mail::KorLimitNear { year, link } => {
            arguments.set("year", year.as_str());
            arguments.set("link", link.as_str());
        }
        Mail::QuoteDecided {
            number, customer, total, name, note, link, is_step_refused, ..
        } => {
            for (name, value) in [
                ("number", number),
                ("customer", customer),
                ("total", total),
                ("name", name),
                ("link", link),
            ] {
                arguments.set(name, value.as_str());
            }
            arguments.set("note", note.clone().unwrap_or_default());
            let note = note.as_ref().map(|_| format(bundle, "quote-note", &arguments));
            let step = is_step_refused.then(|| format(bundle, "quote-step-refused", &arguments));
            let more = note.into_iter().chain(step).map(|part| format!("\n\n{part}"));
            arguments.set("more", more.collect::<String>());
        }
        Mail::RecurringStopped { customer, cause, link } => {
            arguments.set("customer", customer.as_str());
            arguments.set("cause", cause.clone().unwrap_or_default());
            arguments.set("link", link.as_str());
        }
        Mail::RecurringPostponed { link } | Mail::RemindersPostponed { link } => {
            arguments.set("link", link.as_str());
        }
        Mail::EmailChangeTaken | Mail::AccountClosed => {}
    }
    let text = |id: &str| format(bundle, id, &arguments);
    let body = format!("{}\n\n{}\n\n{}\n", text("greeting"), text(name), text("signature"));
    (text(&format!("{name}-subject")), body)
}

fn format(bundle: &FluentBundle<FluentResource>, id: &str, arguments: &FluentArgs<'_>) -> String {
    let pattern = bundle.get_message(id).and_then(|message| message.value());
    pattern.map_or_else(
        || id.to_owned(),
        |pattern| bundle.format_pattern(pattern, Some(arguments), &mut Vec::new()).into_owned(),
    )
}

fn name_of(mail: &Mail) -> &'static str {
    match mail {
        Mail::ConfirmSignUp { .. } => "confirm-sign-up",
        Mail::SignUpTaken { .. } => "sign-up-taken",
        Mail::ResetPassword { .. } => "reset-password",
        Mail::PasswordChanged { .. } => "password-changed",
        Mail::ConfirmEmailChange { .. } => "confirm-email-change",
        Mail::EmailChangeTaken => "email-change-taken",
        Mail::WebhookDisabled { .. } => "webhook-disabled",
        Mail::EmailChanged { .. } => "email-changed",
        Mail::SecondFactorOn { .. } => "second-factor-on",
        Mail::SecondFactorOff { .. } => "second-factor-off",
        Mail::RecoveryCodeUsed { .. } => "recovery-code-used",
        Mail::RecoveryCodesMade { .. } => "recovery-codes-made",
        Mail::BankAccountChanged { .. } => "bank-account-changed",
        Mail::AccountClosed => "account-closed",
        Mail::KorLimitNear { .. } => "kor-limit-near",
        Mail::RecurringStopped { cause: Some(_), .. } => "recurring-refused",
        Mail::RecurringStopped { cause: None, .. } => "recurring-bounced",
        Mail::RecurringPostponed { .. } => "recurring-postponed",
        Mail::RemindersPostponed { .. } => "reminders-postponed",
        Mail::QuoteDecided { is_accepted: true, .. } => "quote-accepted",
        Mail::QuoteDecided { is_accepted: false, .. } => "quote-refused",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote_decided(is_accepted: bool, note: Option<&str>, is_step_refused: bool) -> Mail {
        Mail::QuoteDecided {
            is_accepted,
            number: "O-2026-0001".into(),
            customer: "De Korenaar".into(),
            total: "121.00".into(),
            name: "Anna".into(),
            note: note.map(str::to_owned),
            is_step_refused,
            link: "https://b.example/x?token=t".into(),
        }
    }

    fn recurring_stopped(cause: Option<&str>) -> Mail {
        Mail::RecurringStopped {
            customer: "De Korenaar".into(),
            cause: cause.map(str::to_owned),
            link: "https://b.example/x?token=t".into(),
        }
    }

    #[test]
    fn the_owner_reads_what_the_customer_wrote() {
        let mail = quote_decided(true, Some("Please begin in March"), true);
        let (subject, text) = of(&mail, Language::English, "https://b.example");
        assert_eq!(subject, "Quote O-2026-0001 is accepted");
        assert!(text.contains("Please begin in March"), "{text}");
        assert!(text.contains("The invoice that should follow was not made"), "{text}");
        let (_, text) =
            of(&quote_decided(true, None, false), Language::English, "https://b.example");
        assert!(!text.contains("wrote") && !text.contains("was not made"), "{text}");
    }

    #[test]
    fn every_mail_is_complete_in_both_languages() {
        let link = || "https://b.example/x?token=t".to_owned();
        let mails = [
            Mail::ConfirmSignUp { link: link() },
            Mail::SignUpTaken { link: link() },
            Mail::ResetPassword { link: link() },
            Mail::PasswordChanged { link: link() },
            Mail::ConfirmEmailChange { link: link() },
            Mail::EmailChangeTaken,
            Mail::WebhookDisabled { url: "https://shop.example/hooks".into(), link: link() },
            Mail::EmailChanged { email: "new@example.com".into() },
            Mail::SecondFactorOn { link: link() },
            Mail::SecondFactorOff { link: link() },
            Mail::RecoveryCodeUsed { link: link() },
            Mail::RecoveryCodesMade { link: link() },
            Mail::BankAccountChanged { link: link() },
            Mail::AccountClosed,
            Mail::KorLimitNear { year: "2026".into(), link: link() },
            recurring_stopped(Some("period_filed")),
            recurring_stopped(None),
            Mail::RecurringPostponed { link: link() },
            Mail::RemindersPostponed { link: link() },
            quote_decided(true, None, false),
            quote_decided(true, Some("Please begin in March"), true),
            quote_decided(false, Some("Too dear"), false),
        ];
        for mail in &mails {
            let reported: Vec<_> = Language::ALL
                .iter()
                .map(|language| of(mail, *language, "https://b.example"))
                .collect();
            assert_ne!(reported[0], reported[1], "{mail:?}");
            for (subject, text) in reported {
                assert!(
                    subject.is_ascii() && subject.len() < 78 && !subject.contains(name_of(mail)),
                    "{subject}"
                );
                assert!(
                    !text.contains(['{', '}', '$', '\u{2068}']) && !text.contains(name_of(mail)),
                    "{text}"
                );
                assert!(text.ends_with("Grootboek\nhttps://b.example\n"), "{text}");
                let links = matches!(
                    mail,
                    Mail::EmailChangeTaken | Mail::EmailChanged { .. } | Mail::AccountClosed
                );
                assert_eq!(text.lines().any(|line| line == link()), !links, "{text}");
            }
        }
    }

    #[test]
    fn both_message_files_are_valid() {
        for source in [include_str!("../locales/nl.ftl"), include_str!("../locales/en.ftl")] {
            assert!(FluentResource::try_new(source.to_owned()).is_ok());
        }
    }
}
