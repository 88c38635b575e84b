//! Test server with an account and a registered application, and the requests of that application.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;
use service::{
    Environment, Error, accounts,
    environment::{Clock, Visitor},
    oauth::{
        authorize::{self, Approval, Validated},
        clients::{self, NewClient, Registered},
    },
};
use store::{DatabaseUrl, accounts::Plan, keys::Scopes};
use testing::{Engine, Raw, Reply, Server};

/// Email address of the account owner.
pub(crate) const ANNA: &str = "anna@example.com";
/// Registered redirect URI of the application.
pub(crate) const CALLBACK: &str = "https://shop.example.com/callback?tenant=7";
/// Verifier and challenge of the example in RFC 7636, appendix B.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub(crate) const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

pub(crate) type Fields = Vec<(String, String)>;

/// Registered application (client) and the server on which it is registered.
pub(crate) struct Shop {
    pub(crate) server: Server,
    pub(crate) id: String,
    pub(crate) secret: String,
}

/// Access and refresh token from the token endpoint.
#[derive(Debug, Clone)]
pub(crate) struct Tokens {
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Tokens {
    pub(crate) fn of(reply: &Reply) -> Self {
        assert_eq!(reply.status, 200, "{}", reply.text);
        let text = |name: &str| reply.json()[name].as_str().unwrap().to_owned();
        Self { access: text("access_token"), refresh: text("refresh_token") }
    }
}

/// Status and `error` member of a response.
pub(crate) fn error(reply: &Reply) -> (u16, String) {
    (reply.status, reply.json()["error"].as_str().unwrap_or("").to_owned())
}

/// Error for a code or token that cannot be used.
pub(crate) fn invalid_grant() -> (u16, String) {
    (400, "invalid_grant".into())
}

pub(crate) fn invalid_request() -> (u16, String) {
    (400, "invalid_request".into())
}

pub(crate) fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret))))
}

pub(crate) fn fields(pairs: &[(&str, &str)]) -> Fields {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Replaces the value of a field, or removes the field.
pub(crate) fn with(mut fields: Fields, name: &str, value: Option<&str>) -> Fields {
    fields.retain(|(field, _)| field != name);
    fields.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    fields
}

pub(crate) fn encoded(fields: &Fields) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

pub(crate) fn register(
    server: &Server,
    name: &str,
    redirect_uri: &str,
    scopes: Scopes,
) -> Registered {
    let new = NewClient {
        name: name.into(),
        redirect_uris: vec![redirect_uri.into()],
        scopes,
        id: None,
        secret: None,
    };
    let now = server.clock.now();
    server.write(move |tx| clients::register(tx, &Environment::at(now), &new))
}

impl Shop {
    pub(crate) fn start(engine: Engine) -> Self {
        Self::on(Server::start(engine))
    }

    /// Registers the application and an account on a server without accounts.
    pub(crate) fn on(server: Server) -> Self {
        server.account_of(ANNA, "NL", Plan::Starter);
        let Registered { client_id, client_secret } = register(
            &server,
            "Example Shop",
            CALLBACK,
            Scopes { read: true, write: true, file: false },
        );
        Self { server, id: client_id, secret: client_secret }
    }

    /// Registers a second application.
    pub(crate) fn other(&self) -> Registered {
        register(&self.server, "Other", CALLBACK, Scopes { read: true, write: true, file: false })
    }

    /// Sets the clock to this number of seconds after the start.
    pub(crate) fn after(&self, seconds: i64) {
        let start: Timestamp = "2026-03-15T11:00:00Z".parse().unwrap();
        self.server.clock.set(&(start + SignedDuration::from_secs(seconds)).to_string());
    }

    /// Parameters of a valid authorization request.
    pub(crate) fn request(&self, scope: &str) -> Fields {
        fields(&[
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", CALLBACK),
            ("scope", scope),
            ("state", "xyz"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ])
    }

    pub(crate) fn validate(&self, request: &Fields) -> Validated {
        let request = request.clone();
        self.server.write(move |tx| authorize::validate(tx, &request))
    }

    /// Redirect URL after the account owner has approved the request.
    pub(crate) fn approved(&self, email: &str, request: &Fields) -> Result<String, Error> {
        let Validated::Ask(request) = self.validate(request) else {
            panic!("cannot be granted: {request:?}")
        };
        let (email, now, issuer) = (email.to_owned(), self.server.clock.now(), self.issuer());
        self.server.store.write_blocking(move |tx| {
            let account = &accounts::by_email(tx, &email)?;
            let (request, issuer) = (&request, &*issuer);
            let approval = Approval { account, request, min_plan: Plan::Starter, issuer };
            authorize::approve(
                tx,
                &Environment::at(now).from_client(Visitor::new("192.0.2.1", "")),
                &approval,
            )
        })
    }

    pub(crate) fn issuer(&self) -> String {
        format!("http://{}", self.server.address)
    }

    /// Authorization code for an application.
    pub(crate) fn code_for(&self, client: &str, email: &str, scope: &str) -> String {
        let request = with(self.request(scope), "client_id", Some(client));
        parameter(&self.approved(email, &request).unwrap(), "code").unwrap()
    }

    pub(crate) fn code(&self, scope: &str) -> String {
        self.code_for(&self.id, ANNA, scope)
    }

    /// Form fields that exchange a code for tokens.
    pub(crate) fn exchange_fields(&self, code: &str) -> Fields {
        fields(&[
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", CALLBACK),
            ("code_verifier", VERIFIER),
            ("client_id", &self.id),
            ("client_secret", &self.secret),
        ])
    }

    pub(crate) fn refresh_fields(&self, token: &str) -> Fields {
        fields(&[
            ("grant_type", "refresh_token"),
            ("refresh_token", token),
            ("client_id", &self.id),
            ("client_secret", &self.secret),
        ])
    }

    /// Posts a form.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], fields: &Fields) -> Reply {
        let mut all = vec![("content-type", "application/x-www-form-urlencoded")];
        all.extend(headers);
        self.server.send("POST", path, &all, Some(encoded(fields).as_bytes()))
    }

    pub(crate) fn token(&self, fields: &Fields) -> Reply {
        self.post("/api/oauth/token", &[], fields)
    }

    pub(crate) fn exchange(&self, code: &str) -> Reply {
        self.token(&self.exchange_fields(code))
    }

    pub(crate) fn refresh(&self, token: &str) -> Reply {
        self.token(&self.refresh_fields(token))
    }

    pub(crate) fn revoke(&self, token: &str) -> Reply {
        let fields =
            fields(&[("token", token), ("client_id", &self.id), ("client_secret", &self.secret)]);
        self.post("/api/oauth/revoke", &[], &fields)
    }

    /// Tokens for the scopes read and write, granted by Anna.
    pub(crate) fn connect(&self) -> Tokens {
        Tokens::of(&self.exchange(&self.code("read write")))
    }

    /// Requests the account with an access token.
    pub(crate) fn get(&self, access: &str) -> Reply {
        self.server.send(
            "GET",
            "/api/v1/account",
            &[("authorization", &format!("Bearer {access}"))],
            None,
        )
    }

    pub(crate) fn works(&self, access: &str) -> bool {
        let reply = self.get(access);
        assert!(reply.status == 200 || reply.code() == "invalid_token", "{}", reply.text);
        reply.status == 200
    }

    /// Row count of a table.
    pub(crate) fn rows(&self, table: &str) -> usize {
        let count = Raw::open(&self.server.database)
            .rows(&format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}"));
        count[0][0].as_deref().unwrap().parse().unwrap()
    }

    /// Complete contents of the database, as bytes.
    pub(crate) fn database_bytes(&self) -> Vec<u8> {
        match &self.server.database.url {
            DatabaseUrl::Sqlite(path) => {
                let log = path.with_extension("db-wal");
                [std::fs::read(path).unwrap(), std::fs::read(log).unwrap()].concat()
            }
            DatabaseUrl::Postgres(_) => {
                let raw = Raw::open(&self.server.database);
                let rows = raw
                    .tables()
                    .into_iter()
                    .flat_map(|table| raw.rows(&format!("SELECT t::text FROM {table} t")));
                rows.flat_map(|row| row[0].clone().unwrap().into_bytes()).collect()
            }
        }
    }

    /// Security events that the owner can see, oldest first.
    pub(crate) fn events(&self, email: &str) -> Vec<(String, String)> {
        let email = email.to_owned();
        let events = self.server.write(move |tx| {
            let account = accounts::by_email(tx, &email)?;
            service::people::events::list(tx, account.owner.id, 50)
        });
        events.into_iter().rev().map(|event| (event.kind, event.detail)).collect()
    }
}

/// Value of a query parameter of a URL.
pub(crate) fn parameter(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split_once('?').unwrap();
    form_urlencoded::parse(query.as_bytes())
        .find(|(field, _)| field == name)
        .map(|(_, value)| value.into_owned())
}

/// Names of the members of a JSON object.
pub(crate) fn names(body: &Value) -> Vec<String> {
    body.as_object().unwrap().keys().cloned().collect()
}
