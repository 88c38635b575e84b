// Drives the flow with simple-oauth2, the most used client for Node.js.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { AuthorizationCode } from "simple-oauth2";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person, account } from "./person.mjs";

const person = new Person();
await person.signIn();
const metadata = await (await fetch(`${JUDGE_ORIGIN}/.well-known/oauth-authorization-server`)).json();
const path = (name) => new URL(metadata[name]).pathname;

for (const authorizationMethod of ["header", "body"]) {
  const client = new AuthorizationCode({
    client: { id: JUDGE_CLIENT_ID, secret: JUDGE_CLIENT_SECRET },
    auth: {
      tokenHost: JUDGE_ORIGIN,
      tokenPath: path("token_endpoint"),
      authorizePath: path("authorization_endpoint"),
      revokePath: path("revocation_endpoint"),
    },
    options: { authorizationMethod },
  });
  const connect = async () => {
    const verifier = randomBytes(32).toString("base64url");
    const asked = client.authorizeURL({
      redirect_uri: JUDGE_REDIRECT_URI,
      scope: ["read", "write"],
      state: "state",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    const back = await person.decide(new URL(asked), "approve");
    assert.equal(back.searchParams.get("state"), "state");
    return client.getToken({ code: back.searchParams.get("code"), redirect_uri: JUDGE_REDIRECT_URI, code_verifier: verifier });
  };

  const first = await connect();
  assert.equal(first.expired(), false);
  assert.deepEqual((await account(first.token.access_token)).scopes, ["read", "write"]);
  const second = await first.refresh();
  assert.notEqual(second.token.refresh_token, first.token.refresh_token);
  assert.deepEqual((await account(second.token.access_token)).scopes, ["read", "write"]);
  // It reads the answer to each revocation as JSON, and stops at the first that is none.
  await second.revokeAll();
  assert.equal(await account(second.token.access_token), 401);
  await assert.rejects(second.refresh(), (error) => error.data?.payload?.error === "invalid_grant");

  const third = await connect();
  await third.revoke("refresh_token");
  assert.equal(await account(third.token.access_token), 401);
}
