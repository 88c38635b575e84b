// Runs the flow with openid-client, like applications that rely on the metadata, with the code of docs/oauth.md.
import assert from "node:assert/strict";
import * as client from "openid-client";
import { ask, finish, makeConfig } from "./openid-client-client.mjs";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person, account } from "./person.mjs";

const person = new Person();
await person.signIn();
const resource = new URL(`${JUDGE_ORIGIN}/api/v1/account`);

for (const authentication of [client.ClientSecretBasic(JUDGE_CLIENT_SECRET), client.ClientSecretPost(JUDGE_CLIENT_SECRET)]) {
  // The server under test listens on this machine without TLS.
  const config = await makeConfig(JUDGE_ORIGIN, JUDGE_CLIENT_ID, authentication, { execute: [client.allowInsecureRequests] });
  assert.ok(config.serverMetadata().supportsPKCE());
  const asked = await ask(config, JUDGE_REDIRECT_URI);
  const back = await person.decide(new URL(asked.url), "approve");
  const first = await finish(config, back.href, asked);
  assert.equal(first.expiresIn() > 3500, true);
  const read = await client.fetchProtectedResource(config, first.access_token, resource, "GET");
  assert.deepEqual((await read.json()).scopes, ["read", "write"]);

  const second = await client.refreshTokenGrant(config, first.refresh_token);
  assert.notEqual(second.refresh_token, first.refresh_token);
  await client.tokenRevocation(config, second.refresh_token);
  assert.equal(await account(second.access_token), 401);
  await assert.rejects(client.refreshTokenGrant(config, second.refresh_token), (error) => error.error === "invalid_grant");

  // A code is valid once, and only with its own verifier.
  const again = await ask(config, JUDGE_REDIRECT_URI);
  const stolen = await person.decide(new URL(again.url), "approve");
  const wrong = { ...again, verifier: client.randomPKCECodeVerifier() };
  await assert.rejects(finish(config, stolen.href, wrong), (error) => error.error === "invalid_grant");

  const refused = await ask(config, JUDGE_REDIRECT_URI);
  const denied = await person.decide(new URL(refused.url), "deny");
  await assert.rejects(finish(config, denied.href, refused), (error) => error.error === "access_denied");
}
