//! Fields of the forms for sign-up, sign-in, and changing credentials.

use super::{Country, Fields, Parsed, Raw, Reader, SingleLine};
use ledger::country::CountryCode;
use mail::Mailer;
use serde_json::{Value, json};
use service::{
    EmailAddress, Reason,
    accounts::NAME_CHARS,
    passwords::{self, MAX_CHARS, MIN_CHARS},
    people::second_factor::Code,
};

const EMAIL: &str = "The address that the account has, or is to have.";
const PASSWORD: &str = "The password of the account.";
const NEW_PASSWORD: &str = "The password that the account is to have.";

/// Email address to which messages can be sent.
struct Email;

impl Reader for Email {
    type Value = EmailAddress;

    fn read(&self, raw: &Raw) -> Result<EmailAddress, Reason> {
        let address = EmailAddress::parse(raw.text().ok_or(Reason::NotAText)?)?;
        if Mailer::accepts(address.as_str()) { Ok(address) } else { Err(Reason::InvalidEmail) }
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "email", "maxLength": 254 })
    }

    fn missing(&self) -> Reason {
        Reason::InvalidEmail
    }
}

/// Any text that is only compared with another value.
pub(super) struct Text;

impl Reader for Text {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        raw.text().map(str::to_owned).ok_or(Reason::NotAText)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string" })
    }
}

/// New password. It is rejected if it is easy to guess from the given strings, which others may
/// know about the person.
struct NewPassword<'t>(&'t [&'t str]);

impl Reader for NewPassword<'_> {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        let password = raw.text().ok_or(Reason::NotAText)?;
        passwords::validate(password, self.0)
            .map_or(Ok(password.to_owned()), |fault| Err(fault.reason))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "minLength": MIN_CHARS, "maxLength": MAX_CHARS })
    }

    fn missing(&self) -> Reason {
        Reason::PasswordTooShort { least: MIN_CHARS }
    }
}

/// Name of a person or company; every fault is reported with the same reason.
struct Name;

impl Reader for Name {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        SingleLine(NAME_CHARS).read(raw).map_err(|_| self.missing())
    }

    fn schema(&self) -> Value {
        SingleLine(NAME_CHARS).schema()
    }

    fn missing(&self) -> Reason {
        Reason::InvalidName { most: NAME_CHARS }
    }
}

/// Country from the list in the form.
struct ListedCountry;

impl Reader for ListedCountry {
    type Value = CountryCode;

    fn read(&self, raw: &Raw) -> Result<CountryCode, Reason> {
        Country.read(raw).map_err(|_| self.missing())
    }

    fn schema(&self) -> Value {
        Country.schema()
    }

    fn missing(&self) -> Reason {
        // `known` stays empty, because the page shows the list of countries.
        Reason::UnknownValue { known: Vec::new() }
    }
}

/// Second-factor code; the reader does not verify it.
struct SecondFactorCode;

impl Reader for SecondFactorCode {
    type Value = Code;

    fn read(&self, raw: &Raw) -> Result<Code, Reason> {
        raw.text().map(Code::read).ok_or(Reason::NotAText)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string" })
    }
}

/// Input for a sign-up.
pub struct SignUp {
    /// Email address.
    pub email: EmailAddress,
    /// Password.
    pub password: String,
    /// 1 to [`NAME_CHARS`] characters on one line.
    pub name: String,
    /// Country of the business.
    pub country: CountryCode,
}

/// Reads the fields of a sign-up.
pub fn sign_up(fields: &mut Fields<'_, '_>) -> Parsed<SignUp> {
    let personal = [fields.text("email"), fields.text("name")];
    let email = fields.required("email", EMAIL, Email);
    let password = fields.required("password", NEW_PASSWORD, NewPassword(&personal));
    let name = fields.required("name", "The person's or company's name.", Name);
    let country = fields.required("country", "Where they are established.", ListedCountry);
    let input = email.zip(password).zip(name).zip(country);
    Parsed::new(
        None,
        input.map(|(((email, password), name), country)| SignUp { email, password, name, country }),
    )
}

/// Input for a sign-in.
pub struct SignIn {
    /// Email address as typed; the key by which attempts are counted.
    pub typed: String,
    /// Email address, if the typed text is valid.
    pub email: Option<EmailAddress>,
    /// Password.
    pub password: String,
}

/// Reads the fields of a sign-in. Reports no faults, so as not to reveal what is wrong.
pub fn sign_in(fields: &mut Fields<'_, '_>) -> Parsed<SignIn> {
    let typed = fields.optional("email", EMAIL, Text).unwrap_or_default();
    let password = fields.optional("password", PASSWORD, Text).unwrap_or_default();
    Parsed::new(None, Some(SignIn { email: EmailAddress::parse(&typed).ok(), typed, password }))
}

/// Reads the email address to which a link is mailed.
pub fn email(fields: &mut Fields<'_, '_>) -> Parsed<EmailAddress> {
    let email = fields.required("email", EMAIL, Email);
    Parsed::new(None, email)
}

/// Reads the current password for confirmation. An empty one is treated like any wrong password.
pub fn password(fields: &mut Fields<'_, '_>) -> Parsed<String> {
    let password = fields.optional("password", PASSWORD, Text).unwrap_or_default();
    Parsed::new(None, Some(password))
}

/// Reads a new password that is set through a link; `personal` contains facts about the person that
/// others know.
pub fn new_password(fields: &mut Fields<'_, '_>, personal: &[&str]) -> Parsed<String> {
    let password = fields.required("password", NEW_PASSWORD, NewPassword(personal));
    Parsed::new(None, password)
}

/// Reads the fields of a password change: the new password, and the current one, which is verified
/// even if the new one has faults.
pub fn changed_password(fields: &mut Fields<'_, '_>, personal: &[&str]) -> Parsed<String, String> {
    let current = fields.optional("password", PASSWORD, Text).unwrap_or_default();
    let new = fields.required("new_password", NEW_PASSWORD, NewPassword(personal));
    Parsed::with_partial(None, new, current)
}

/// Reads a code of the second factor.
pub fn code(fields: &mut Fields<'_, '_>) -> Parsed<Code> {
    let code = fields.required("code", "What the app shows, or a recovery code.", SecondFactorCode);
    Parsed::new(None, code)
}
