//! Table of all pages, with the path, handlers, access and navigation link of each. The router, the
//! navigation and the lists used by the tests are derived from the table.

use crate::{
    render::see_other,
    texts::{Phrase, Texts},
};
use axum::{
    Router,
    handler::Handler,
    http::Uri,
    response::Response,
    routing::{self, MethodRouter},
};
use std::sync::LazyLock;
use web_core::AppState;

/// Access to a page and its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everyone, even without signing in.
    Public,
    /// Any signed-in user.
    SignedIn,
    /// Signed-in users with an account in the Netherlands.
    Dutch,
    /// Users who entered their password within the last ten minutes.
    RecentPassword,
}

/// Group of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// At the top, without a title.
    Overview,
    /// Sales.
    Sales,
    /// Purchases and costs.
    Costs,
    /// Hours and projects.
    Time,
    /// Taxes and the journal.
    Tax,
    /// Below the groups.
    Last,
}

/// Navigation link.
#[derive(Clone, Copy)]
pub struct Link {
    /// Target path.
    pub path: &'static str,
    /// Access that a user needs to see the link.
    pub access: Access,
    /// Group that contains the link.
    pub group: Group,
    /// Name of the link's icon in `icons.svg`.
    pub icon: &'static str,
    /// Letter of the keyboard shortcut, typed after `g`.
    pub key: &'static str,
    /// Name, as a text in the language of the page.
    pub name: fn(Texts) -> Phrase<'static>,
}

/// A page, with the forms submitted to its path.
pub struct Page {
    path: &'static str,
    access: Access,
    link: Option<Link>,
    /// Path of the page that shows the form, if it is not the nearest page above this path.
    shown_at: Option<&'static str>,
    methods: Vec<&'static str>,
    handlers: MethodRouter<AppState>,
    /// Handler that exports the page's list as a file.
    download: Option<MethodRouter<AppState>>,
}

/// Path, methods and access of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Path, with its parameters in braces.
    pub path: String,
    /// Supported methods: `get`, `post`.
    pub methods: Vec<&'static str>,
    /// Access that a user needs.
    pub access: Access,
}

impl Page {
    /// Creates a page for signed-in users.
    pub fn at(path: &'static str) -> Self {
        let handlers = MethodRouter::new();
        Self {
            path,
            access: Access::SignedIn,
            link: None,
            shown_at: None,
            methods: Vec::new(),
            handlers,
            download: None,
        }
    }

    /// Makes the page public.
    pub fn public(self) -> Self {
        Self { access: Access::Public, ..self }
    }

    /// Restricts the page to accounts in the Netherlands.
    pub fn dutch(self) -> Self {
        Self { access: Access::Dutch, ..self }
    }

    /// Requires the password again, unless it was entered within the last ten minutes.
    pub fn with_recent_password(self) -> Self {
        Self { access: Access::RecentPassword, ..self }
    }

    /// Sets the handler that shows the page.
    pub fn get<H: Handler<T, AppState>, T: 'static>(mut self, handler: H) -> Self {
        self.methods.push("get");
        self.handlers = self.handlers.get(handler);
        self
    }

    /// Sets the handler that receives the page's form.
    pub fn post<H: Handler<T, AppState>, T: 'static>(mut self, handler: H) -> Self {
        self.methods.push("post");
        self.handlers = self.handlers.post(handler);
        self
    }

    /// Redirects `GET` to `path`. Needed if the form is not on the nearest page above its own path.
    pub fn shown_at(self, path: &'static str) -> Self {
        Self { shown_at: Some(path), ..self }
    }

    /// Sets the handler that exports the page's list as a file, at the page's path with `.csv` or
    /// `.xlsx` appended.
    pub fn files<H: Handler<T, AppState>, T: 'static>(self, handler: H) -> Self {
        Self { download: Some(routing::get(handler)), ..self }
    }

    /// Adds the page to the navigation.
    pub fn linked(
        self,
        group: Group,
        icon: &'static str,
        key: &'static str,
        name: fn(Texts) -> Phrase<'static>,
    ) -> Self {
        let link = Link { path: self.path, access: self.access, group, icon, key, name };
        Self { link: Some(link), ..self }
    }

    /// Navigation link, if the page has one.
    pub fn link(self) -> Option<Link> {
        self.link.map(|link| Link { access: self.access, ..link })
    }

    /// Routes of the page, including those of its CSV and XLSX exports.
    pub fn routes(self) -> Vec<Route> {
        let file = |ending| Route {
            path: format!("{}{ending}", self.path),
            methods: vec!["get"],
            access: self.access,
        };
        let files = self.download.is_some().then(|| [file(".csv"), file(".xlsx")]);
        let own = Route { path: self.path.to_owned(), methods: self.methods, access: self.access };
        let own = (!own.methods.is_empty()).then_some(own);
        own.into_iter().chain(files.into_iter().flatten()).collect()
    }

    /// Adds the page to a router; `guard` adds the access check to the handlers.
    pub fn add_to(
        self,
        router: Router<AppState>,
        guard: impl Fn(Access, MethodRouter<AppState>) -> MethodRouter<AppState>,
    ) -> Router<AppState> {
        let guarded = |handlers| guard(self.access, handlers);
        let router = match self.download {
            Some(download) => {
                let download = guarded(download);
                let path = |ending: &str| format!("{}{ending}", self.path);
                router.route(&path(".csv"), download.clone()).route(&path(".xlsx"), download)
            }
            None => router,
        };
        match self.methods.contains(&"get") {
            _ if self.methods.is_empty() => router,
            true => router.route(self.path, guarded(self.handlers)),
            // A browser that reloads or revisits a path that only receives a form is redirected to
            // the page that shows the form.
            false => router.route(self.path, guarded(self.handlers.get(lead_to_shown))),
        }
    }
}

/// Handles `GET` for a path that only receives a form.
async fn lead_to_shown(address: Uri) -> Response {
    see_other(&shown(address.path()))
}

/// Path of the page that is shown for a path: `shown_at` if the path has one, otherwise the nearest
/// page at or above the path.
pub(super) fn shown(path: &str) -> String {
    static SHOWN: LazyLock<Vec<(&str, bool, Option<&str>)>> = LazyLock::new(|| {
        super::super::table()
            .into_iter()
            .map(|page| (page.path, page.methods.contains(&"get"), page.shown_at))
            .collect()
    });
    let is_at = |pattern: &str, path: &str| {
        let (mut parts, mut names) = (path.split('/'), pattern.split('/'));
        parts.by_ref().zip(names.by_ref()).all(|(part, name)| part == name || name.starts_with('{'))
            && pattern.split('/').count() == path.split('/').count()
    };
    if let Some((.., Some(there))) =
        SHOWN.iter().find(|(pattern, _, there)| there.is_some() && is_at(pattern, path))
    {
        return (*there).to_owned();
    }
    let mut above = path;
    while !above.is_empty() {
        // If several patterns match, the router prefers the one with the fewest parameters.
        let parameters = |pattern: &str| pattern.matches('{').count();
        let matching = SHOWN.iter().filter(|(pattern, ..)| is_at(pattern, above));
        if matching.min_by_key(|(pattern, ..)| parameters(pattern)).is_some_and(|of| of.1) {
            return above.to_owned();
        }
        above = above.rfind('/').and_then(|end| above.get(..end)).unwrap_or("");
    }
    "/".to_owned()
}
