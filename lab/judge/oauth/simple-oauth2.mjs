// Runs the flow with simple-oauth2, the most used client for Node.js, with the code of docs/oauth.md.
import assert from "node:assert/strict";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person, account } from "./person.mjs";
import { ask, finish, makeClient } from "./simple-oauth2-client.mjs";

const person = new Person();
await person.signIn();

for (const method of ["header", "body"]) {
  const client = await makeClient(JUDGE_ORIGIN, JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, method);
  const connect = async () => {
    const asked = ask(client, JUDGE_REDIRECT_URI);
    const back = await person.decide(new URL(asked.url), "approve");
    return finish(client, JUDGE_REDIRECT_URI, back.href, asked);
  };

  const first = await connect();
  assert.equal(first.expired(), false);
  assert.deepEqual((await account(first.token.access_token)).scopes, ["read", "write"]);
  const second = await first.refresh();
  assert.notEqual(second.token.refresh_token, first.token.refresh_token);
  assert.deepEqual((await account(second.token.access_token)).scopes, ["read", "write"]);
  // It parses the response to each revocation as JSON, and fails if one is not.
  await second.revokeAll();
  assert.equal(await account(second.token.access_token), 401);
  await assert.rejects(second.refresh(), (error) => error.data?.payload?.error === "invalid_grant");

  const third = await connect();
  await third.revoke("refresh_token");
  assert.equal(await account(third.token.access_token), 401);

  // A denial, and a response to another session's request.
  const asked = ask(client, JUDGE_REDIRECT_URI);
  const denied = await person.decide(new URL(asked.url), "deny");
  await assert.rejects(finish(client, JUDGE_REDIRECT_URI, denied.href, asked), /access_denied/);
  await assert.rejects(finish(client, JUDGE_REDIRECT_URI, denied.href, ask(client, JUDGE_REDIRECT_URI)), /session/);
}
