// Runs the flow with passport-oauth2, like a site whose users connect their books, with the code of docs/oauth.md.
import assert from "node:assert/strict";
import { makeStrategy } from "./passport-oauth2-client.mjs";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person } from "./person.mjs";

const person = new Person();
await person.signIn();
const strategy = await makeStrategy(JUDGE_ORIGIN, JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_REDIRECT_URI);

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
