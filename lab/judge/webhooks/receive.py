"""Receives webhooks and checks them with the library of Standard Webhooks for Python."""

import json
import os
import queue
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

ORIGIN, KEY = os.environ["JUDGE_ORIGIN"], os.environ["JUDGE_KEY"]
received = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        received.put((dict(self.headers), body.decode()))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{ORIGIN}/api/v1/{path}", data, method=method)
    request.add_header("X-API-Key", KEY)
    if data is not None:
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read() or "null")


def refuses(webhook, body, headers):
    try:
        webhook.verify(body, headers)
    except WebhookVerificationError:
        return True
    return False


server = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/hooks"

made = call("POST", "webhooks", {"url": url, "types": ["contact.created"]})
first = Webhook(made["secret"])
call("POST", "contacts", {"name": "Café ’t Hoekje & co <é>"})
headers, body = received.get(timeout=30)
message = first.verify(body, headers)
assert message["type"] == "contact.created", message
assert message["data"] == call("GET", f"contacts/{message['data']['id']}"), message
assert refuses(first, body.replace("contact", "invoice"), headers), "a changed body is taken"
assert refuses(first, body, {**headers, "webhook-id": "msg_other"}), "another id is taken"

call("POST", f"webhooks/{made['id']}/deliveries/{headers['webhook-id']}/redeliver")
again, same = received.get(timeout=30)
assert (again["webhook-id"], same) == (headers["webhook-id"], body), "sent again, it is another message"

second = Webhook(call("POST", f"webhooks/{made['id']}/rotate-secret")["secret"])
call("POST", f"webhooks/{made['id']}/test")
headers, body = received.get(timeout=30)
assert first.verify(body, headers)["type"] == second.verify(body, headers)["type"] == "webhook.test"
print("every message was taken, and none that was changed")
