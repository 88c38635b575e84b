"""Lists and calls every tool of the open data with the official client of the Model Context Protocol for Python.

Compares each response with the JSON for the same parameters; the client itself validates it by the tool's output schema.
"""

import asyncio
import json
import os
import urllib.error
import urllib.parse
import urllib.request

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

ORIGIN = os.environ["JUDGE_ORIGIN"]
INVOICE = {
    "invoiceDate": "2026-03-02",
    "customer": {"country": "NL"},
    "items": [
        {"description": "Design", "quantity": 8.5, "unitPrice": 95.5, "vatRate": 21},
        {"description": "Guide", "unitPrice": 12.35, "vatRate": 9},
    ],
}


def read(path: str, body: dict | None = None) -> dict:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{ORIGIN}/open-data/{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def examples(tool) -> dict:
    """Example values of the parameters, from the description."""
    properties = tool.input_schema["properties"] if hasattr(tool, "input_schema") else tool.inputSchema["properties"]
    return {name: schema["examples"][0] for name, schema in properties.items() if schema.get("examples")}


def text(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def main() -> None:
    catalog = read("catalog.json")
    expected = [f"data_{one['id']}" for one in catalog["datasets"]]
    expected += [f"calculate_{one['id']}" for one in catalog["calculators"]]
    async with streamable_http_client(f"{ORIGIN}/open-data/mcp") as streams:
        async with ClientSession(*streams[:2]) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            assert [tool.name for tool in tools] == expected, [tool.name for tool in tools]
            for tool in tools:
                kind, name = tool.name.split("_", 1)
                if kind == "data":
                    arguments, wanted = {"lang": "nl"}, read(f"{name}.json?lang=nl")
                elif name == "invoice":
                    arguments, wanted = INVOICE, read("calculators/invoice.json", INVOICE)
                else:
                    arguments = examples(tool)
                    query = urllib.parse.urlencode({key: text(value) for key, value in arguments.items()})
                    wanted = read(f"calculators/{name}.json?{query}")
                answer = await session.call_tool(tool.name, arguments)
                failed = getattr(answer, "is_error", None) or getattr(answer, "isError", None)
                structured = getattr(answer, "structured_content", None) or getattr(answer, "structuredContent", None)
                assert not failed, (tool.name, answer)
                assert structured == wanted, (tool.name, arguments)
            refused = await session.call_tool("calculate_vat", {"amount": -1, "rate": 500})
            assert getattr(refused, "is_error", None) or getattr(refused, "isError", None), refused
            said = refused.content[0].text
            assert "amount" in said and "rate" in said, said
    print(f"{len(expected)} tools called from Python; each answers what the JSON says")


asyncio.run(main())
