// Receives webhooks and checks them with the library of Standard Webhooks for Node.js.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { JUDGE_ORIGIN: origin, JUDGE_KEY: key } = process.env;
const arrivals = [];
const waiting = [];
const server = createServer(async (request, answer) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const message = { headers: request.headers, body };
  const next = waiting.shift();
  if (next) next(message);
  else arrivals.push(message);
  answer.writeHead(204).end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const received = () => (arrivals.length ? Promise.resolve(arrivals.shift()) : new Promise((resolve) => waiting.push(resolve)));

async function call(method, path, body) {
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${origin}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer.json();
}

const url = `http://127.0.0.1:${server.address().port}/hooks`;
const made = await call('POST', 'webhooks', { url, types: ['contact.*'] });
const first = new Webhook(made.secret);
await call('POST', 'contacts', { name: 'Café ’t Hoekje & co <é>' });
const { headers, body } = await received();
const message = first.verify(body, headers);
assert.equal(message.type, 'contact.created');
assert.deepEqual(message.data, await call('GET', `contacts/${message.data.id}`));
assert.throws(() => first.verify(body.replace('contact', 'invoice'), headers));
assert.throws(() => first.verify(body, { ...headers, 'webhook-timestamp': '1' }));

await call('POST', `webhooks/${made.id}/deliveries/${headers['webhook-id']}/redeliver`);
const again = await received();
assert.deepEqual([again.headers['webhook-id'], again.body], [headers['webhook-id'], body]);

const second = new Webhook((await call('POST', `webhooks/${made.id}/rotate-secret`)).secret);
await call('POST', `webhooks/${made.id}/test`);
const tested = await received();
for (const secret of [first, second]) assert.equal(secret.verify(tested.body, tested.headers).type, 'webhook.test');
console.log('every message was taken, and none that was changed');
server.close();
server.closeAllConnections();
