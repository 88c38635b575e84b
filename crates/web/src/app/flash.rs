//! What was just done, told once at the top of the next page.
//!
//! The address says which page tells it (`?done=…`), a cookie that goes when it is told says that it is so: a link, or loading the page
//! again, tells nothing.

use crate::app::{cookies::Cookies, page::Page, texts::Phrase};
use axum::{
    http::{HeaderMap, Uri, header},
    response::Response,
};

/// What the cookie says when a form came from somebody whose session had ended. The sign-in pages tell it.
const NOTHING_SAVED: &str = "nothing-saved";

/// What the page at an address is to tell, going by the cookie that came.
pub(crate) fn told_at(cookies: Cookies, address: &Uri, headers: &HeaderMap) -> Option<String> {
    let what = cookies.read_done(headers)?;
    let is_here = match what {
        NOTHING_SAVED => matches!(address.path(), "/login" | "/login/code"),
        _ => address.query().is_some_and(|query| query.split('&').any(|pair| pair.strip_prefix("done=") == Some(what))),
    };
    is_here.then(|| what.to_owned())
}

impl Page {
    /// Lets the page that an answer leads to tell what its address says was done.
    pub(crate) fn noted(&self, response: Response) -> Response {
        let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
        let what = location.and_then(|location| location.split_once("?done=")).map(|(_, what)| what.to_owned());
        match what {
            Some(what) => self.with_done(response, &what),
            None => response,
        }
    }

    /// Lets the sign-in page tell that the form which came was not looked at.
    pub(crate) fn nothing_saved(&self, response: Response) -> Response {
        self.with_done(response, NOTHING_SAVED)
    }

    fn with_done(&self, mut response: Response, what: &str) -> Response {
        response.headers_mut().append(header::SET_COOKIE, self.app.cookies().done(what));
        response
    }

    /// What was just done.
    pub(crate) fn done(&self) -> Option<Phrase<'static>> {
        let texts = self.texts;
        Some(match self.told()? {
            "key-revoked" => texts.t("done-key-revoked"),
            "disconnected" => texts.t("done-disconnected"),
            "signed-out" => texts.t("done-signed-out"),
            "confirmed" => texts.t("done-confirmed"),
            "password-set" => texts.t("done-password-set"),
            "password-changed" => texts.t("done-password-changed"),
            "saved" => texts.t("done-saved"),
            "session-ended" => texts.t("done-session-ended"),
            "sessions-ended" => texts.t("done-sessions-ended"),
            "email-mailed" => texts.t("done-email-mailed"),
            "email-changed" => texts.t("done-email-changed"),
            "second-factor-off" => texts.t("done-second-factor-off"),
            "closed" => texts.t("done-closed"),
            _ => return None,
        })
    }

    /// Whether what is told is that nothing was done.
    pub(crate) fn is_nothing_saved(&self) -> bool {
        self.told() == Some(NOTHING_SAVED)
    }

    /// Whether that was another password: who changed it because somebody else knew it is told what still opens the books.
    pub(crate) fn is_password_done(&self) -> bool {
        matches!(self.told(), Some("password-changed" | "password-set"))
    }
}
