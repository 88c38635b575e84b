// Lists and calls every tool of the open data with the official client of the Model Context Protocol for TypeScript.
// Compares each response with the JSON for the same parameters; the client itself validates it by the tool's output schema.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import assert from "node:assert/strict";

const { JUDGE_ORIGIN } = process.env;
const invoice = {
  invoiceDate: "2026-03-02",
  customer: { country: "NL" },
  items: [
    { description: "Design", quantity: 8.5, unitPrice: 95.5, vatRate: 21 },
    { description: "Guide", unitPrice: 12.35, vatRate: 9 },
  ],
};

async function read(path, body) {
  const options = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${JUDGE_ORIGIN}/open-data/${path}`, options);
  assert.equal(answer.status, 200, path);
  return answer.json();
}

/** What the description gives as an example of each parameter. */
function examples(tool) {
  const given = Object.entries(tool.inputSchema.properties).filter(([, schema]) => schema.examples?.length);
  return Object.fromEntries(given.map(([name, schema]) => [name, schema.examples[0]]));
}

const catalog = await read("catalog.json");
const expected = [
  ...catalog.datasets.map((one) => `data_${one.id}`),
  ...catalog.calculators.map((one) => `calculate_${one.id}`),
];
const client = new Client({ name: "judge", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${JUDGE_ORIGIN}/open-data/mcp`)));
const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), expected);
for (const tool of tools) {
  assert.ok(tool.annotations.readOnlyHint && tool.annotations.idempotentHint, tool.name);
  const [kind, name] = [tool.name.slice(0, tool.name.indexOf("_")), tool.name.slice(tool.name.indexOf("_") + 1)];
  let [given, wanted] = [{ lang: "nl" }, undefined];
  if (kind === "data") {
    wanted = await read(`${name}.json?lang=nl`);
  } else if (name === "invoice") {
    given = invoice;
    wanted = await read("calculators/invoice.json", invoice);
  } else {
    given = examples(tool);
    wanted = await read(`calculators/${name}.json?${new URLSearchParams(given)}`);
  }
  const answer = await client.callTool({ name: tool.name, arguments: given });
  assert.ok(!answer.isError, `${tool.name}: ${JSON.stringify(answer.content)}`);
  assert.deepEqual(answer.structuredContent, wanted, tool.name);
}
const refused = await client.callTool({ name: "calculate_vat", arguments: { amount: -1, rate: 500 } });
assert.ok(refused.isError && /amount/.test(refused.content[0].text) && /rate/.test(refused.content[0].text));
await client.close();
console.log(`${expected.length} tools called from TypeScript; each answers what the JSON says`);
