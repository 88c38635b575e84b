//! The table of pages: where each is, who answers, who may, and where the navigation leads. The router, the navigation and the lists of the
//! tests are made from it.

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

/// Who may see a page and send its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Public,
    /// Whoever is signed in.
    SignedIn,
    /// Whoever is signed in, with an account in the Netherlands.
    Dutch,
    /// Whoever gave their password within the last ten minutes.
    RecentPassword,
}

/// A part of the navigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// At the top, without a title.
    Overview,
    /// What is sold.
    Sales,
    /// What is bought.
    Costs,
    /// Hours and projects.
    Time,
    /// Taxes and the journal.
    Tax,
    /// Below the groups.
    Last,
}

/// A place of the navigation.
#[derive(Clone, Copy)]
pub struct Link {
    /// Where it leads.
    pub path: &'static str,
    /// Who sees it.
    pub access: Access,
    /// Where it stands.
    pub group: Group,
    /// The name of its picture in `icons.svg`.
    pub icon: &'static str,
    /// The letter after `g` that leads to it.
    pub key: &'static str,
    /// What it is called.
    pub name: fn(Texts) -> Phrase<'static>,
}

/// A page, with the forms that are sent to its address.
pub struct Page {
    path: &'static str,
    access: Access,
    link: Option<Link>,
    /// The page that shows its form, where that is not the one above it.
    shown_at: Option<&'static str>,
    methods: Vec<&'static str>,
    handlers: MethodRouter<AppState>,
    /// The same list as a file.
    download: Option<MethodRouter<AppState>>,
}

/// Where a page is and who may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// Its path, with the names of what stands in it in braces.
    pub path: String,
    /// Which methods it knows: `get`, `post`.
    pub methods: Vec<&'static str>,
    /// Who may see it.
    pub access: Access,
}

impl Page {
    /// A page for whoever is signed in.
    pub fn at(path: &'static str) -> Self {
        let handlers = MethodRouter::new();
        Self { path, access: Access::SignedIn, link: None, shown_at: None, methods: Vec::new(), handlers, download: None }
    }

    /// It is for everybody.
    pub fn public(self) -> Self {
        Self { access: Access::Public, ..self }
    }

    /// It is for accounts in the Netherlands.
    pub fn dutch(self) -> Self {
        Self { access: Access::Dutch, ..self }
    }

    /// It asks for the password again, unless it was given within the last ten minutes.
    pub fn with_recent_password(self) -> Self {
        Self { access: Access::RecentPassword, ..self }
    }

    /// What answers when it is looked at.
    pub fn get<H: Handler<T, AppState>, T: 'static>(mut self, handler: H) -> Self {
        self.methods.push("get");
        self.handlers = self.handlers.get(handler);
        self
    }

    /// What answers when a form is sent to it.
    pub fn post<H: Handler<T, AppState>, T: 'static>(mut self, handler: H) -> Self {
        self.methods.push("post");
        self.handlers = self.handlers.post(handler);
        self
    }

    /// Whoever looks at it is led to that page: for forms that another page has than the one above their address.
    pub fn shown_at(self, path: &'static str) -> Self {
        Self { shown_at: Some(path), ..self }
    }

    /// What writes its list as a file, at its path with `.csv` and `.xlsx` behind it.
    pub fn files<H: Handler<T, AppState>, T: 'static>(self, handler: H) -> Self {
        Self { download: Some(routing::get(handler)), ..self }
    }

    /// It stands in the navigation.
    pub fn linked(self, group: Group, icon: &'static str, key: &'static str, name: fn(Texts) -> Phrase<'static>) -> Self {
        let link = Link { path: self.path, access: self.access, group, icon, key, name };
        Self { link: Some(link), ..self }
    }

    /// Its place in the navigation, if it has one.
    pub fn link(self) -> Option<Link> {
        self.link.map(|link| Link { access: self.access, ..link })
    }

    /// Every address that it has.
    pub fn routes(self) -> Vec<Route> {
        let file = |ending| Route { path: format!("{}{ending}", self.path), methods: vec!["get"], access: self.access };
        let files = self.download.is_some().then(|| [file(".csv"), file(".xlsx")]);
        let own = Route { path: self.path.to_owned(), methods: self.methods, access: self.access };
        let own = (!own.methods.is_empty()).then_some(own);
        own.into_iter().chain(files.into_iter().flatten()).collect()
    }

    /// Puts it into a router, with what `guard` puts around handlers that only some may reach.
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
            // Loaded again, or gone back to, an address that only takes a form leads to the page that shows the form.
            false => router.route(self.path, guarded(self.handlers.get(lead_to_shown))),
        }
    }
}

/// `GET` of an address that only takes a form.
async fn lead_to_shown(address: Uri) -> Response {
    see_other(&shown(address.path()))
}

/// The page that is shown at an address, or the nearest above it: what only takes a form shows nothing.
pub(super) fn shown(path: &str) -> String {
    static SHOWN: LazyLock<Vec<(&str, bool, Option<&str>)>> = LazyLock::new(|| {
        super::super::table().into_iter().map(|page| (page.path, page.methods.contains(&"get"), page.shown_at)).collect()
    });
    let is_at = |pattern: &str, path: &str| {
        let (mut parts, mut names) = (path.split('/'), pattern.split('/'));
        parts.by_ref().zip(names.by_ref()).all(|(part, name)| part == name || name.starts_with('{'))
            && pattern.split('/').count() == path.split('/').count()
    };
    if let Some((.., Some(there))) = SHOWN.iter().find(|(pattern, _, there)| there.is_some() && is_at(pattern, path)) {
        return (*there).to_owned();
    }
    let mut above = path;
    while !above.is_empty() {
        if SHOWN.iter().any(|(pattern, is_shown, _)| *is_shown && is_at(pattern, above)) {
            return above.to_owned();
        }
        above = above.rfind('/').and_then(|end| above.get(..end)).unwrap_or("");
    }
    "/".to_owned()
}
