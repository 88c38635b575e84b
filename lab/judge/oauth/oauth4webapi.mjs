// Runs the whole OAuth flow with oauth4webapi, the strictest of the clients: it checks what the RFCs require of responses.
import * as oauth from "oauth4webapi";
import assert from "node:assert/strict";
import { JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_ORIGIN, JUDGE_REDIRECT_URI, Person } from "./person.mjs";

// The server under test listens on this machine without TLS.
const insecure = { [oauth.allowInsecureRequests]: true };

const issuer = new URL(JUDGE_ORIGIN);
const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
const server = await oauth.processDiscoveryResponse(issuer, discovery);
assert.deepEqual(server.code_challenge_methods_supported, ["S256"]);
assert.equal(server.authorization_response_iss_parameter_supported, true);

const resource = new URL(`${JUDGE_ORIGIN}/api/v1/account`);
const metadata = await oauth.processResourceDiscoveryResponse(
  issuer,
  await oauth.resourceDiscoveryRequest(issuer, insecure),
);
assert.deepEqual(metadata.authorization_servers, [JUDGE_ORIGIN]);

const client = { client_id: JUDGE_CLIENT_ID };
const person = new Person();
await person.signIn();

function ask(challenge, state, scope) {
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: JUDGE_REDIRECT_URI,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  }).toString();
  return url;
}

async function refused(token) {
  try {
    await oauth.protectedResourceRequest(token, "GET", resource, undefined, undefined, insecure);
  } catch (error) {
    assert.ok(error instanceof oauth.WWWAuthenticateChallengeError, String(error));
    assert.equal(error.response.status, 401);
    assert.equal(error.cause[0].parameters.error, "invalid_token");
    return;
  }
  assert.fail("a dead token was taken");
}

async function connected(authentication) {
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const back = await person.decide(ask(await oauth.calculatePKCECodeChallenge(verifier), state, "read write"), "approve");
  const parameters = oauth.validateAuthResponse(server, client, back, state);
  const exchange = await oauth.authorizationCodeGrantRequest(
    server, client, authentication, parameters, JUDGE_REDIRECT_URI, verifier, insecure);
  return oauth.processAuthorizationCodeResponse(server, client, exchange);
}

for (const authentication of [oauth.ClientSecretBasic(JUDGE_CLIENT_SECRET), oauth.ClientSecretPost(JUDGE_CLIENT_SECRET)]) {
  const first = await connected(authentication);
  assert.deepEqual([first.expires_in, first.scope, first.token_type], [3600, "read write", "bearer"]);
  const read = await oauth.protectedResourceRequest(first.access_token, "GET", resource, undefined, undefined, insecure);
  assert.deepEqual((await read.json()).scopes, ["read", "write"]);

  const refresh = (token) => oauth.refreshTokenGrantRequest(server, client, authentication, token, insecure);
  const second = await oauth.processRefreshTokenResponse(server, client, await refresh(first.refresh_token));
  assert.notEqual(second.refresh_token, first.refresh_token);

  const revocation = await oauth.revocationRequest(server, client, authentication, second.refresh_token, insecure);
  await oauth.processRevocationResponse(revocation);
  await refused(second.access_token);

  // The reuse of a refresh token revokes all tokens derived from it.
  const third = await connected(authentication);
  const fourth = await oauth.processRefreshTokenResponse(server, client, await refresh(third.refresh_token));
  await assert.rejects(
    refresh(third.refresh_token).then((answer) => oauth.processRefreshTokenResponse(server, client, answer)),
    (error) => error instanceof oauth.ResponseBodyError && error.error === "invalid_grant",
  );
  await refused(fourth.access_token);
}

const wrong = await oauth.refreshTokenGrantRequest(
  server, client, oauth.ClientSecretBasic("another secret: 100% + é"), "unknown", insecure);
await assert.rejects(
  oauth.processRefreshTokenResponse(server, client, wrong),
  (error) => error instanceof oauth.WWWAuthenticateChallengeError || error.error === "invalid_client",
);

const state = oauth.generateRandomState();
const denied = await person.decide(ask(await oauth.calculatePKCECodeChallenge("x".repeat(43)), state, "read"), "deny");
assert.throws(
  () => oauth.validateAuthResponse(server, client, denied, state),
  (error) => error instanceof oauth.AuthorizationResponseError && error.error === "access_denied",
);
