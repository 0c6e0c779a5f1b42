"""Pulls the deliveries of an outgoing webhook and answers each in its channel. Needs Python 3.9 or newer.

HOOKLINE_URL=https://chat.example.com HOOKLINE_HOOK=ID HOOKLINE_TOKEN=TOKEN python3 pull.py
"""

import json
import os
import sys
import time
import traceback
import urllib.request

HOOK = f"{os.environ['HOOKLINE_URL']}/api/v4/hooks/outgoing/{os.environ['HOOKLINE_HOOK']}"
HEADERS = {
    "Authorization": f"Bearer {os.environ['HOOKLINE_TOKEN']}",
    "Content-Type": "application/json",
}


def post(route, body):
    request = urllib.request.Request(f"{HOOK}/{route}", json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def handle(delivery_id, payload):
    """Your work. `webhook-id` stays the same when a delivery is repeated, so use it to recognize repetitions."""
    print(f"{delivery_id}: {payload['user_name']} wrote {payload['text']}", flush=True)
    return {"text": f"Done, {payload['user_name']}."}


def settle(delivery):
    lease = delivery["lease_id"]
    try:
        reply = handle(delivery["headers"]["webhook-id"], json.loads(delivery["body"]))
        post("ack", {"lease_ids": [lease], "replies": {lease: {"body": json.dumps(reply)}}})
    except Exception:
        traceback.print_exc()
        post("nack", {"lease_ids": [lease]})


while True:
    try:
        for pulled in post("pull", {"limit": 10, "wait": "30s", "lease": "60s"})["deliveries"]:
            settle(pulled)
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
        time.sleep(5)
