//! Error texts for developers of applications (OAuth 2.0), and for the operator who registers them.
//! A description contains printable ASCII without quotes and backslashes (RFC 6749, sections
//! 4.1.2.1 and 5.2).

use service::oauth::{authorize::RequestFault, redirect::UriFault, tokens::Refusal};

/// Returns the `error_description` for an authorization request that has a fault or was denied.
#[must_use]
pub fn request_fault(fault: RequestFault) -> &'static str {
    match fault {
        RequestFault::StateRepeated => "send state once",
        RequestFault::ResponseTypeMissing => "send response_type, which is code",
        RequestFault::ResponseTypeRepeated => "send response_type once",
        RequestFault::ResponseTypeUnknown => "send response_type code; no other is known",
        RequestFault::ChallengeMissing => "send code_challenge: PKCE is required (RFC 7636)",
        RequestFault::ChallengeRepeated => "send code_challenge once",
        RequestFault::ChallengeForm => {
            "send as code_challenge a SHA-256 in base64url: 43 characters without padding"
        }
        RequestFault::MethodMissing => "send code_challenge_method, which is S256",
        RequestFault::MethodRepeated => "send code_challenge_method once",
        RequestFault::MethodUnknown => "send code_challenge_method S256; no other is accepted",
        RequestFault::ScopeRepeated => "send scope once",
        RequestFault::ScopeUnknown => {
            "send as scope one or more of read, write and file, separated by one space"
        }
        RequestFault::ScopeTooWide => {
            "ask for less: the application is not registered for this scope"
        }
        RequestFault::Denied => {
            "the owner of the account did not allow it; ask again when they want to connect"
        }
    }
}

/// Returns the `error_description` for a rejected token request.
#[must_use]
pub fn token_refusal(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::UnknownCode => {
            "the code is unknown, expired or not for this application: let the user connect again"
        }
        Refusal::UsedCode => {
            "the code was used before, so what it gave has ended: let the user connect again"
        }
        Refusal::OtherRedirectUri => {
            "send the redirect_uri that the code was sent to, to the letter"
        }
        Refusal::WrongVerifier => {
            "send the code_verifier that the code_challenge of the request was made from (S256)"
        }
        Refusal::UnknownRefreshToken => {
            "the refresh token is unknown, expired, revoked or not for this application: let the user connect again"
        }
        Refusal::UsedRefreshToken => {
            "the refresh token was used before, so the connection has ended: let the user connect again"
        }
        Refusal::ScopeTooWide => "scope is more than was granted; leave it out or ask for less",
        Refusal::InvalidClient => {
            "the client is unknown or its secret is wrong; send client_id and client_secret by HTTP Basic, each form-urlencoded, or in the body"
        }
    }
}

/// Returns the reason why a redirect URI cannot be registered.
#[must_use]
pub fn redirect_uri(fault: UriFault) -> &'static str {
    match fault {
        UriFault::TooLong => "a redirect URI has at most 2000 characters",
        UriFault::Characters => {
            "a redirect URI holds only the characters of RFC 3986: write others percent-encoded, and a host name in punycode"
        }
        UriFault::Fragment => {
            "a redirect URI has no fragment: leave out # and what follows (RFC 6749, section 3.1.2)"
        }
        UriFault::NotWhole => {
            "write the redirect URI whole, with its scheme, such as https://app.example.com/callback"
        }
        UriFault::User => {
            "a redirect URI has no user name or password: leave out what stands before @"
        }
        UriFault::Parameters => {
            "the query of a redirect URI cannot hold code, state, iss or error: the answer adds them"
        }
        UriFault::Localhost => {
            "write http://127.0.0.1 or http://[::1] instead of localhost (RFC 8252, section 8.3); any port is then allowed"
        }
        UriFault::NotEncrypted => {
            "use https: http is only for 127.0.0.1 and [::1], the person's own machine"
        }
        UriFault::Scheme => {
            "use https, or for a native application a scheme that is a reversed domain name of yours, such as com.example.app:/callback (RFC 8252, section 7.1)"
        }
    }
}
