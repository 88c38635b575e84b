// Drives the flow with passport-oauth2, as a site does that lets its people connect their books.
import assert from "node:assert/strict";
import OAuth2Strategy from "passport-oauth2";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person } from "./person.mjs";

const person = new Person();
await person.signIn();
const metadata = await (await fetch(`${JUDGE_ORIGIN}/.well-known/oauth-authorization-server`)).json();

class Strategy extends OAuth2Strategy {
  userProfile(token, done) {
    this._oauth2.useAuthorizationHeaderforGET(true);
    this._oauth2.get(`${JUDGE_ORIGIN}/api/v1/account`, token, (error, body) => done(error, error ? undefined : JSON.parse(body)));
  }
}

const options = {
  authorizationURL: metadata.authorization_endpoint,
  tokenURL: metadata.token_endpoint,
  clientID: JUDGE_CLIENT_ID,
  clientSecret: JUDGE_CLIENT_SECRET,
  callbackURL: JUDGE_REDIRECT_URI,
  scope: ["read", "write"],
  scopeSeparator: " ",
  state: true,
  pkce: true,
};
const strategy = new Strategy(options, (access, refresh, parameters, profile, done) => done(null, { access, refresh, parameters, profile }));

/** What the strategy makes of a request of the site: as passport does, it is given what to do in each case. */
function handle(request) {
  return new Promise((resolve) => {
    const run = Object.create(strategy);
    run.redirect = (location) => resolve({ location });
    run.success = (user) => resolve({ user });
    run.fail = (info) => resolve({ refused: info });
    run.error = (error) => resolve({ error });
    run.authenticate(request, {});
  });
}

async function connect(decision) {
  const session = {};
  const { location } = await handle({ query: {}, session });
  const back = await person.decide(new URL(location), decision);
  return handle({ query: Object.fromEntries(back.searchParams), session });
}

const { user, error } = await connect("approve");
assert.ok(user, String(error));
assert.deepEqual([user.parameters.expires_in, user.parameters.scope], [3600, "read write"]);
assert.deepEqual(user.profile.scopes, ["read", "write"]);
const refreshed = await new Promise((resolve, reject) => {
  strategy._oauth2.getOAuthAccessToken(user.refresh, { grant_type: "refresh_token" }, (error, access, refresh) =>
    error ? reject(error) : resolve({ access, refresh }),
  );
});
assert.ok(refreshed.access !== user.access && refreshed.refresh !== user.refresh);
const denied = await connect("deny");
assert.ok(denied.refused, "a person who says no is no failure of the site");
