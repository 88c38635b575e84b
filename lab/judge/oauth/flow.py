"""Runs the whole OAuth flow with Authlib and the code of docs/oauth.md: consent, exchange, refresh, reading, revocation."""

import json
import os
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

import requests
from authlib.integrations.base_client.errors import OAuthError
from authlib_client import ask, finish, make_client

ORIGIN = os.environ["JUDGE_ORIGIN"]
REDIRECT_URI = os.environ["JUDGE_REDIRECT_URI"]


class Forms(HTMLParser):
    """Forms of a page: their actions and hidden fields."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[dict] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        given = dict(attributes)
        if tag == "form":
            self.forms.append({"action": given.get("action", ""), "hidden": {}, "values": set(), "names": set()})
        elif tag in ("input", "button") and self.forms:
            form = self.forms[-1]
            form["names"].add(given.get("name"))
            form["values"].add(given.get("value"))
            if given.get("type") == "hidden":
                form["hidden"][given["name"]] = given.get("value", "")


class Person:
    """A user with a browser that supports forms."""

    def __init__(self) -> None:
        self.http = requests.Session()

    def cookies(self) -> dict:
        # Like browsers, send cookies for encrypted connections to this machine too.
        return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies)}

    def submit(self, url: str, fits, given: dict) -> requests.Response:
        shown = self.http.get(url, headers=self.cookies())
        assert shown.status_code == 200, (url, shown.status_code)
        form = next(form for form in Forms(shown.text).forms if fits(form))
        fields = form["hidden"] | given
        headers = self.cookies() | {"Origin": ORIGIN}
        return self.http.post(urljoin(url, form["action"]), fields, headers=headers, allow_redirects=False)

    def sign_in(self) -> None:
        given = {"email": os.environ["JUDGE_EMAIL"], "password": os.environ["JUDGE_PASSWORD"]}
        answer = self.submit(f"{ORIGIN}/login", lambda form: "password" in form["names"], given)
        assert answer.status_code == 303, answer.status_code

    def decide(self, url: str, decision: str) -> str:
        answer = self.submit(url, lambda form: decision in form["values"], {"decision": decision})
        assert answer.status_code == 303, answer.status_code
        return answer.headers["Location"]


def main() -> None:
    metadata = requests.get(f"{ORIGIN}/.well-known/oauth-authorization-server").json()
    assert metadata["issuer"] == ORIGIN
    person = Person()
    person.sign_in()
    for method in metadata["token_endpoint_auth_methods_supported"]:
        identity, secret = os.environ["JUDGE_CLIENT_ID"], os.environ["JUDGE_CLIENT_SECRET"]
        client, metadata = make_client(ORIGIN, identity, secret, REDIRECT_URI, method)
        asked = ask(client, metadata)
        back = person.decide(asked["url"], "approve")
        assert parse_qs(urlsplit(back).query)["iss"] == [ORIGIN]
        endpoint = metadata["token_endpoint"]
        token = finish(client, metadata, back, asked)
        assert (token["expires_in"], token["scope"]) == (3600, "read write"), token
        account = client.get(f"{ORIGIN}/api/v1/account")
        assert account.status_code == 200, account.text

        refreshed = client.refresh_token(endpoint, refresh_token=token["refresh_token"])
        assert refreshed["refresh_token"] != token["refresh_token"]
        revoked = client.revoke_token(metadata["revocation_endpoint"], token=refreshed["refresh_token"])
        assert revoked.status_code == 200, revoked.text
        assert client.get(f"{ORIGIN}/api/v1/account").status_code == 401

        try:
            client.refresh_token(endpoint, refresh_token=refreshed["refresh_token"])
        except OAuthError as error:
            assert error.error == "invalid_grant", error
        else:
            raise AssertionError("a revoked refresh token was taken")

        asked = ask(client, metadata)
        denied = parse_qs(urlsplit(person.decide(asked["url"], "deny")).query)
        assert (denied["error"], denied["state"]) == (["access_denied"], [asked["state"]]), json.dumps(denied)


main()
