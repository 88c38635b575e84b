//! Third-party client: the crate `oauth2` exchanges, refreshes and revokes tokens.

use crate::help::{ANNA, CALLBACK, Shop, parameter};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, HttpRequest,
    HttpResponse, PkceCodeChallenge, RedirectUrl, RefreshToken, RevocationUrl, Scope,
    StandardRevocableToken, TokenResponse, TokenUrl, basic::BasicClient,
};
use std::convert::Infallible;
use testing::{Server, on_both_engines};

const BASE: &str = "https://books.example.com";

/// Sends a request of the crate to the test server and ignores its host.
fn send(server: &Server, request: &HttpRequest) -> Result<HttpResponse, Infallible> {
    let headers: Vec<_> = request
        .headers()
        .iter()
        .map(|(name, value)| (name.as_str(), value.to_str().unwrap()))
        .collect();
    let path = request.uri().path_and_query().unwrap().as_str();
    let reply = server.send(request.method().as_str(), path, &headers, Some(request.body()));
    let mut response = oauth2::http::Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    Ok(response.body(reply.text.into_bytes()).unwrap())
}

on_both_engines! {
    fn the_crate_oauth2_connects_refreshes_and_revokes(engine) {
        let shop = Shop::on(Server::start_set(engine, |settings| settings.base_url = BASE.into()));
        let metadata =
            shop.server.send("GET", "/.well-known/oauth-authorization-server", &[], None).json();
        let endpoint = |name: &str| metadata[name].as_str().unwrap().to_owned();
        for how in [AuthType::BasicAuth, AuthType::RequestBody] {
            let client = BasicClient::new(ClientId::new(shop.id.clone()))
                .set_client_secret(ClientSecret::new(shop.secret.clone()))
                .set_auth_type(how)
                .set_auth_uri(AuthUrl::new(endpoint("authorization_endpoint")).unwrap())
                .set_token_uri(TokenUrl::new(endpoint("token_endpoint")).unwrap())
                .set_revocation_url(RevocationUrl::new(endpoint("revocation_endpoint")).unwrap())
                .set_redirect_uri(RedirectUrl::new(CALLBACK.into()).unwrap());
            let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
            let scopes = ["read", "write"].map(|scope| Scope::new(scope.into()));
            let (address, state) = client
                .authorize_url(CsrfToken::new_random)
                .add_scopes(scopes)
                .set_pkce_challenge(challenge)
                .url();
            let request = web::oauth::authorize::parameters(address.query().unwrap()).unwrap();
            let answer = shop.approved(ANNA, &request).unwrap();
            assert_eq!(parameter(&answer, "state").as_ref(), Some(state.secret()));

            let http = |request: HttpRequest| send(&shop.server, &request);
            let code = AuthorizationCode::new(parameter(&answer, "code").unwrap());
            let first =
                client.exchange_code(code).set_pkce_verifier(verifier).request(&http).unwrap();
            assert_eq!(first.expires_in().unwrap().as_secs(), 3600);
            assert_eq!(
                first.scopes().unwrap().iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
                ["read", "write"]
            );
            assert!(shop.works(first.access_token().secret()));
            let old = first.refresh_token().unwrap();
            let second = client
                .exchange_refresh_token(&RefreshToken::new(old.secret().clone()))
                .request(&http)
                .unwrap();
            assert!(shop.works(second.access_token().secret()));
            let token =
                StandardRevocableToken::RefreshToken(second.refresh_token().unwrap().clone());
            client.revoke_token(token).unwrap().request(&http).unwrap();
            assert!(!shop.works(second.access_token().secret()));
            // The crate parses error responses.
            let refused = client
                .exchange_refresh_token(second.refresh_token().unwrap())
                .request(&http)
                .unwrap_err();
            let oauth2::RequestTokenError::ServerResponse(response) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!(*response.error(), oauth2::basic::BasicErrorResponseType::InvalidGrant);
        }
    }
}
