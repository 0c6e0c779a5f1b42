"""Receives the calls of an outgoing webhook with JSON bodies, and verifies their signatures. Needs Python 3.9 or newer.

HOOKLINE_SIGNING_SECRET=whsec_... PORT=3000 python3 receive.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["HOOKLINE_SIGNING_SECRET"].removeprefix("whsec_"))
TOLERANCE_S = 300
MAX_BYTES = 1024 * 1024


def is_signed(headers, body):
    """The scheme of Standard Webhooks. While secrets overlap, a call has several signatures."""
    delivery, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_S:
        return False
    digest = hmac.new(KEY, f"{delivery}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length) if length <= MAX_BYTES else b""
        if not is_signed(self.headers, body):
            return self.answer(401, b"")
        payload = json.loads(body)
        print(f"{self.headers['webhook-id']}: {payload['user_name']} wrote {payload['text']}", flush=True)
        self.answer(200, json.dumps({"text": f"Done, {payload['user_name']}."}).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
