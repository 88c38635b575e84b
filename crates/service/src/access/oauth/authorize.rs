//! Authorization endpoint: validation of an authorization request, and the person's decision (RFC
//! 6749, section 4.1).

use super::{CODE_LIFE, after, clients, parse_scopes, redirect, within};
use crate::{
    AccessError, Environment, Error,
    people::events,
    secrets::{self, SecretKind},
};
use store::{
    Tx,
    accounts::{Account, Plan},
    keys::Scopes,
    oauth::{
        clients::Client,
        codes::{self, Code},
    },
    people,
};

/// Result of validating a request.
#[derive(Debug, Clone)]
pub enum Validated {
    /// Show an error page, since there is no valid redirect URI (RFC 6749, section 4.1.2.1).
    Page(PageFault),
    /// Report the error to the application, once the person has signed in.
    Redirect(ErrorRedirect),
    /// Ask the person for consent.
    Ask(Request),
}

/// Reason why there is no valid redirect URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFault {
    /// A parameter is not UTF-8.
    Unreadable,
    /// No `client_id`, or an empty one.
    MissingClient,
    /// More than one `client_id`.
    RepeatedClient,
    /// No application has this `client_id`.
    UnknownClient,
    /// No `redirect_uri`, or an empty one.
    MissingRedirectUri,
    /// More than one `redirect_uri`.
    RepeatedRedirectUri,
    /// The application did not register this `redirect_uri`.
    UnregisteredRedirectUri,
}

impl PageFault {
    /// Stable name in `snake_case`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::MissingClient => "missing_client",
            Self::RepeatedClient => "repeated_client",
            Self::UnknownClient => "unknown_client",
            Self::MissingRedirectUri => "missing_redirect_uri",
            Self::RepeatedRedirectUri => "repeated_redirect_uri",
            Self::UnregisteredRedirectUri => "unregistered_redirect_uri",
        }
    }
}

/// Error reported to the application through the person's browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorRedirect {
    /// Redirect URI of the application.
    pub redirect_uri: String,
    /// The error.
    pub fault: RequestFault,
    /// `state` parameter of the request, unchanged, if present.
    pub state: Option<String>,
}

/// Reason why a request is returned to the application without a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestFault {
    /// More than one `state`.
    StateRepeated,
    /// No `response_type`.
    ResponseTypeMissing,
    /// More than one `response_type`.
    ResponseTypeRepeated,
    /// A `response_type` other than `code`.
    ResponseTypeUnknown,
    /// No `code_challenge` (RFC 7636).
    ChallengeMissing,
    /// More than one `code_challenge`.
    ChallengeRepeated,
    /// The `code_challenge` is not a SHA-256 in base64url.
    ChallengeForm,
    /// No `code_challenge_method`.
    MethodMissing,
    /// More than one `code_challenge_method`.
    MethodRepeated,
    /// A `code_challenge_method` other than `S256`.
    MethodUnknown,
    /// More than one `scope`.
    ScopeRepeated,
    /// An unknown scope.
    ScopeUnknown,
    /// The application is not registered for the scope.
    ScopeTooWide,
    /// The owner of the account denied the request.
    Denied,
}

impl RequestFault {
    /// Value of `error` (RFC 6749, section 4.1.2.1).
    #[must_use]
    pub fn error(self) -> &'static str {
        match self {
            Self::StateRepeated
            | Self::ResponseTypeMissing
            | Self::ResponseTypeRepeated
            | Self::ChallengeMissing
            | Self::ChallengeRepeated
            | Self::ChallengeForm
            | Self::MethodMissing
            | Self::MethodRepeated
            | Self::MethodUnknown
            | Self::ScopeRepeated => "invalid_request",
            Self::ResponseTypeUnknown => "unsupported_response_type",
            Self::ScopeUnknown | Self::ScopeTooWide => "invalid_scope",
            Self::Denied => "access_denied",
        }
    }
}

impl ErrorRedirect {
    /// Returns the URL to which the browser is redirected. `description` becomes the
    /// `error_description`; `issuer` is the server's own URL (RFC 9207).
    #[must_use]
    pub fn address(&self, description: &str, issuer: &str) -> String {
        let mut parameters =
            vec![("error", self.fault.error()), ("error_description", description)];
        parameters.extend(self.state.as_deref().map(|state| ("state", state)));
        parameters.push(("iss", issuer));
        redirect::with_parameters(&self.redirect_uri, &parameters)
    }
}

/// A valid request, which can be granted.
#[derive(Debug, Clone)]
pub struct Request {
    /// Application that makes the request.
    pub client: Client,
    /// Redirect URI for the response.
    pub redirect_uri: String,
    /// Requested scopes.
    pub scopes: Scopes,
    /// `state` parameter, returned to the application unchanged.
    pub state: Option<String>,
    /// Hash to which the code verifier must correspond (RFC 7636, section 4.2).
    pub challenge: String,
}

/// Validates an authorization request, given its decoded query parameters.
///
/// A parameter without a value is treated as omitted, and unknown parameters are ignored (RFC 6749,
/// section 3.1).
///
/// # Errors
/// The storage failed.
pub fn validate(tx: &mut Tx<'_>, parameters: &[(String, String)]) -> Result<Validated, Error> {
    let client = match once(parameters, "client_id") {
        Once::Missing => return Ok(Validated::Page(PageFault::MissingClient)),
        Once::Repeated => return Ok(Validated::Page(PageFault::RepeatedClient)),
        Once::Value(id) => clients::by_id(tx, id)?,
    };
    let Some(client) = client else { return Ok(Validated::Page(PageFault::UnknownClient)) };
    let redirect_uri = match once(parameters, "redirect_uri") {
        Once::Missing => return Ok(Validated::Page(PageFault::MissingRedirectUri)),
        Once::Repeated => return Ok(Validated::Page(PageFault::RepeatedRedirectUri)),
        Once::Value(uri) => uri,
    };
    let registered = store::oauth::clients::redirect_uris(tx, &client.id)?;
    if !registered.iter().any(|registered| redirect::matches(registered, redirect_uri)) {
        return Ok(Validated::Page(PageFault::UnregisteredRedirectUri));
    }
    Ok(validate_rest(parameters, client, redirect_uri))
}

/// Validates the remaining parameters after the redirect URI has been found valid.
fn validate_rest(parameters: &[(String, String)], client: Client, redirect_uri: &str) -> Validated {
    let (state, state_repeated) = match once(parameters, "state") {
        Once::Missing => (None, false),
        Once::Repeated => (None, true),
        Once::Value(state) => (Some(state.to_owned()), false),
    };
    let refuse = |fault| {
        let redirect_uri = redirect_uri.to_owned();
        Validated::Redirect(ErrorRedirect { redirect_uri, fault, state: state.clone() })
    };
    if state_repeated {
        return refuse(RequestFault::StateRepeated);
    }
    match once(parameters, "response_type") {
        Once::Missing => return refuse(RequestFault::ResponseTypeMissing),
        Once::Repeated => return refuse(RequestFault::ResponseTypeRepeated),
        Once::Value("code") => {}
        Once::Value(_) => return refuse(RequestFault::ResponseTypeUnknown),
    }
    let challenge = match once(parameters, "code_challenge") {
        Once::Missing => return refuse(RequestFault::ChallengeMissing),
        Once::Repeated => return refuse(RequestFault::ChallengeRepeated),
        Once::Value(challenge) if is_challenge(challenge) => challenge.to_owned(),
        Once::Value(_) => return refuse(RequestFault::ChallengeForm),
    };
    match once(parameters, "code_challenge_method") {
        // An omitted method would mean `plain` (RFC 7636, section 4.3).
        Once::Missing => return refuse(RequestFault::MethodMissing),
        Once::Repeated => return refuse(RequestFault::MethodRepeated),
        Once::Value("S256") => {}
        Once::Value(_) => return refuse(RequestFault::MethodUnknown),
    }
    let scopes = match once(parameters, "scope") {
        Once::Missing => Scopes { read: true, write: false, file: false },
        Once::Repeated => return refuse(RequestFault::ScopeRepeated),
        Once::Value(text) => match parse_scopes(text) {
            Some(scopes) => scopes,
            None => return refuse(RequestFault::ScopeUnknown),
        },
    };
    if !within(scopes, client.scopes) {
        return refuse(RequestFault::ScopeTooWide);
    }
    Validated::Ask(Request {
        client,
        redirect_uri: redirect_uri.to_owned(),
        scopes,
        state,
        challenge,
    })
}

enum Once<'p> {
    Missing,
    Repeated,
    Value(&'p str),
}

/// Returns the value of a parameter that may occur at most once.
fn once<'p>(parameters: &'p [(String, String)], name: &str) -> Once<'p> {
    let mut values = parameters
        .iter()
        .filter(|(parameter, _)| parameter == name)
        .map(|(_, value)| value.as_str());
    match (values.next(), values.next()) {
        (None | Some(""), None) => Once::Missing,
        (Some(value), None) => Once::Value(value),
        (_, Some(_)) => Once::Repeated,
    }
}

/// Whether the text has the form of 32 bytes in base64url without padding (RFC 7636, section 4.2,
/// for S256).
fn is_challenge(text: &str) -> bool {
    text.len() == 43
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Checks that the owner of an account may connect an application to it.
///
/// # Errors
/// The plan is too low, or the account is not Dutch.
pub fn may_approve(account: &Account, min_plan: Plan) -> Result<(), Error> {
    // The country is checked first, because a higher plan would not help a foreign account.
    if !account.country.is_dutch() {
        return Err(AccessError::DutchAccountRequired.into());
    }
    if account.plan < min_plan {
        return Err(AccessError::PlanRequired { minimum: min_plan }.into());
    }
    Ok(())
}

/// A person's consent to a request.
#[derive(Debug, Clone, Copy)]
pub struct Approval<'a> {
    /// Account to connect.
    pub account: &'a Account,
    /// Request to which the person consents.
    pub request: &'a Request,
    /// Lowest plan that may connect applications.
    pub min_plan: Plan,
    /// URL of the server (RFC 9207).
    pub issuer: &'a str,
}

/// Grants the request: issues a code to the application and returns the URL to which the browser is
/// redirected.
///
/// # Errors
/// The account may not be connected ([`may_approve`]) or has been closed, the application has been
/// removed since the request was validated, or the random number generator failed.
pub fn approve(
    tx: &mut Tx<'_>,
    env: &Environment,
    approval: &Approval<'_>,
) -> Result<String, Error> {
    let Approval { account, request, min_plan, issuer } = *approval;
    may_approve(account, min_plan)?;
    if !people::lock_owner(tx, account.id)? {
        return Err(Error::NotFound("account"));
    }
    if clients::by_id(tx, &request.client.id)?.is_none() {
        return Err(Error::Changed);
    }
    let secret = secrets::draw(env.random(), SecretKind::Code)?;
    let code = Code {
        account: account.id,
        client: request.client.id.clone(),
        redirect_uri: request.redirect_uri.clone(),
        challenge: request.challenge.clone(),
        scopes: request.scopes,
        created_at: env.now,
        expires_at: after(env.now, CODE_LIFE),
        grant: None,
    };
    codes::insert(tx, &secrets::hash(&secret), &code)?;
    events::record_for_owner(
        tx,
        env,
        account.id,
        events::EventKind::ApplicationConnected,
        &request.client.name,
    )?;
    let mut parameters = vec![("code", secret.as_str())];
    parameters.extend(request.state.as_deref().map(|state| ("state", state)));
    parameters.push(("iss", issuer));
    Ok(redirect::with_parameters(&request.redirect_uri, &parameters))
}

/// Denies the request, because the person does not consent or may not connect applications; returns
/// the error for the application.
#[must_use]
pub fn deny(request: &Request) -> ErrorRedirect {
    ErrorRedirect {
        redirect_uri: request.redirect_uri.clone(),
        fault: RequestFault::Denied,
        state: request.state.clone(),
    }
}
