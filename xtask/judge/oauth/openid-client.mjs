// Drives the flow with openid-client, as applications do that find everything by the metadata.
import assert from "node:assert/strict";
import * as client from "openid-client";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person, account } from "./person.mjs";

const person = new Person();
await person.signIn();
const resource = new URL(`${JUDGE_ORIGIN}/api/v1/account`);

for (const authentication of [client.ClientSecretBasic(JUDGE_CLIENT_SECRET), client.ClientSecretPost(JUDGE_CLIENT_SECRET)]) {
  // The server under test listens on this machine without TLS.
  const options = { algorithm: "oauth2", execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(JUDGE_ORIGIN), JUDGE_CLIENT_ID, undefined, authentication, options);
  assert.ok(config.serverMetadata().supportsPKCE());
  const ask = async (state, verifier) =>
    client.buildAuthorizationUrl(config, {
      redirect_uri: JUDGE_REDIRECT_URI,
      scope: "read write",
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()];
  const back = await person.decide(await ask(state, verifier), "approve");
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const first = await client.authorizationCodeGrant(config, back, checks);
  assert.equal(first.expiresIn() > 3500, true);
  const read = await client.fetchProtectedResource(config, first.access_token, resource, "GET");
  assert.deepEqual((await read.json()).scopes, ["read", "write"]);

  const second = await client.refreshTokenGrant(config, first.refresh_token);
  assert.notEqual(second.refresh_token, first.refresh_token);
  await client.tokenRevocation(config, second.refresh_token);
  assert.equal(await account(second.access_token), 401);
  await assert.rejects(client.refreshTokenGrant(config, second.refresh_token), (error) => error.error === "invalid_grant");

  // A code counts once, and with its own verifier.
  const again = client.randomState();
  const stolen = await person.decide(await ask(again, client.randomPKCECodeVerifier()), "approve");
  const wrong = { pkceCodeVerifier: client.randomPKCECodeVerifier(), expectedState: again };
  await assert.rejects(client.authorizationCodeGrant(config, stolen, wrong), (error) => error.error === "invalid_grant");

  const denied = await person.decide(await ask(again, verifier), "deny");
  const refusal = client.authorizationCodeGrant(config, denied, { pkceCodeVerifier: verifier, expectedState: again });
  await assert.rejects(refusal, (error) => error.error === "access_denied");
}
