// A user with a browser, who signs in and decides, for the programs here that run the flow with a client.
import assert from "node:assert/strict";

export const { JUDGE_ORIGIN, JUDGE_CLIENT_ID, JUDGE_CLIENT_SECRET, JUDGE_REDIRECT_URI } = process.env;
const { JUDGE_EMAIL, JUDGE_PASSWORD } = process.env;

/** A person with a browser, as far as forms go: keeps cookies, sends forms, follows nothing by itself. */
export class Person {
  cookies = new Map();

  async request(url, options = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...options.headers, cookie, accept: "text/html" };
    const answer = await fetch(url, { ...options, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [pair] = set.split(";");
      const at = pair.indexOf("=");
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  /** Sends the page's first form that `fits`, with what is hidden in it and what is `given`. */
  async submit(page, url, fits, given) {
    for (const [, attributes, inside] of page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
      if (!fits(attributes + inside)) continue;
      const body = new URLSearchParams();
      for (const [input] of inside.matchAll(/<input\b[^>]*>/g)) {
        if (attribute(input, "type") === "hidden") body.append(attribute(input, "name"), attribute(input, "value") ?? "");
      }
      for (const [name, value] of Object.entries(given)) body.set(name, value);
      const action = new URL(attribute(attributes, "action") ?? url, url);
      return this.request(action, { method: "POST", body, headers: { origin: JUDGE_ORIGIN } });
    }
    assert.fail(`no such form on ${url}`);
  }

  async signIn() {
    const url = `${JUDGE_ORIGIN}/login`;
    const page = await (await this.request(url)).text();
    const given = { email: JUDGE_EMAIL, password: JUDGE_PASSWORD };
    const answer = await this.submit(page, url, (form) => form.includes('name="password"'), given);
    assert.equal(answer.status, 303, "signing in leads on");
  }

  /** Decides on the consent page; gives where the server leads to. */
  async decide(url, decision) {
    const shown = await this.request(url);
    assert.equal(shown.status, 200, "the consent page is shown");
    const page = await shown.text();
    const answer = await this.submit(page, url.href, (form) => form.includes(`value="${decision}"`), { decision });
    assert.equal(answer.status, 303, "the decision leads back to the application");
    return new URL(answer.headers.get("location"));
  }
}

function attribute(tag, name) {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  const named = { amp: "&", quot: '"', lt: "<", gt: ">", apos: "'" };
  return found?.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) =>
    name ? named[name] : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)),
  );
}

/** What the account says with a token; the status alone when the token is refused. */
export async function account(token) {
  const answer = await fetch(`${JUDGE_ORIGIN}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status === 200 ? answer.json() : answer.status;
}
