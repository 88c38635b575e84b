//! The fields of the forms by which people sign up and in, and change how they do.

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

/// An e-mail address that mails can be sent to.
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

/// A text that is compared with another, whatever it is.
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

/// A password that is chosen, by somebody of whom others know these texts.
struct NewPassword<'t>(&'t [&'t str]);

impl Reader for NewPassword<'_> {
    type Value = String;

    fn read(&self, raw: &Raw) -> Result<String, Reason> {
        let password = raw.text().ok_or(Reason::NotAText)?;
        passwords::validate(password, self.0).map_or(Ok(password.to_owned()), |fault| Err(fault.reason))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "minLength": MIN_CHARS, "maxLength": MAX_CHARS })
    }

    fn missing(&self) -> Reason {
        Reason::PasswordTooShort { least: MIN_CHARS }
    }
}

/// What a person or a company is called; whatever is wrong with it is one fault.
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

/// A country of the list that the form has.
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
        // The page has the list.
        Reason::UnknownValue { known: Vec::new() }
    }
}

/// A code of the second factor, right or wrong.
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

/// What somebody gives to open an account.
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

/// The fields of signing up.
pub fn sign_up(fields: &mut Fields<'_, '_>) -> Parsed<SignUp> {
    let personal = [fields.text("email"), fields.text("name")];
    let email = fields.required("email", EMAIL, Email);
    let password = fields.required("password", NEW_PASSWORD, NewPassword(&personal));
    let name = fields.required("name", "The person's or company's name.", Name);
    let country = fields.required("country", "Where they are established.", ListedCountry);
    let given = email.zip(password).zip(name).zip(country);
    Parsed::new(None, given.map(|(((email, password), name), country)| SignUp { email, password, name, country }))
}

/// What somebody gives to sign in.
pub struct SignIn {
    /// The address as it was typed, by which tries are counted.
    pub typed: String,
    /// The address; none where it cannot be anybody's.
    pub email: Option<EmailAddress>,
    /// Password.
    pub password: String,
}

/// The fields of signing in, of which none is at fault: what is wrong is not told.
pub fn sign_in(fields: &mut Fields<'_, '_>) -> Parsed<SignIn> {
    let typed = fields.optional("email", EMAIL, Text).unwrap_or_default();
    let password = fields.optional("password", PASSWORD, Text).unwrap_or_default();
    Parsed::new(None, Some(SignIn { email: EmailAddress::parse(&typed).ok(), typed, password }))
}

/// The field of an address to which a link is mailed.
pub fn email(fields: &mut Fields<'_, '_>) -> Parsed<EmailAddress> {
    let email = fields.required("email", EMAIL, Email);
    Parsed::new(None, email)
}

/// The field of a password that is asked again; an empty one is wrong as any other.
pub fn password(fields: &mut Fields<'_, '_>) -> Parsed<String> {
    let password = fields.optional("password", PASSWORD, Text).unwrap_or_default();
    Parsed::new(None, Some(password))
}

/// The field of a password that is set by a link, by somebody of whom others know these texts.
pub fn new_password(fields: &mut Fields<'_, '_>, personal: &[&str]) -> Parsed<String> {
    let password = fields.required("password", NEW_PASSWORD, NewPassword(personal));
    Parsed::new(None, password)
}

/// The fields of changing the password: the new one, and the one that there is, which is compared whatever is wrong with the other.
pub fn changed_password(fields: &mut Fields<'_, '_>, personal: &[&str]) -> Parsed<String, String> {
    let current = fields.optional("password", PASSWORD, Text).unwrap_or_default();
    let new = fields.required("new_password", NEW_PASSWORD, NewPassword(personal));
    Parsed::with_partial(None, new, current)
}

/// The field of a code of the second factor.
pub fn code(fields: &mut Fields<'_, '_>) -> Parsed<Code> {
    let code = fields.required("code", "What the app shows, or a recovery code.", SecondFactorCode);
    Parsed::new(None, code)
}
