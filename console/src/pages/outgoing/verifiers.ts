const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';

const MAX_AGE_SECONDS = 300;

/** Whether a call is from Hookline, unaltered and recent. rawBody: as received, before parsing. */
export function isFromHookline(rawBody, headers, secret) {
  const given = {};
  for (const [name, value] of headers instanceof Headers ? headers : Object.entries(headers))
    given[name.toLowerCase()] = String(value);
  const sentAt = given['webhook-timestamp'] ?? '';
  const age = Date.now() / 1000 - Number(sentAt);
  if (sentAt === '' || !(Math.abs(age) <= MAX_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key);
  mac.update(\`\${given['webhook-id']}.\${sentAt}.\`).update(rawBody);
  const mine = Buffer.from('v1,' + mac.digest('base64'));
  // While a secret is being replaced, there is one signature for each.
  return (given['webhook-signature'] ?? '').split(' ').some((signature) => {
    const theirs = Buffer.from(signature);
    return theirs.length === mine.length && timingSafeEqual(theirs, mine);
  });
}`;

const PYTHON = `import base64
import hashlib
import hmac
import time

MAX_AGE_SECONDS = 300


def is_from_hookline(raw_body: bytes, headers, secret: str) -> bool:
    """Whether a call is from Hookline, unaltered and recent. raw_body: as received, before parsing."""
    given = {name.lower(): value for name, value in headers.items()}
    sent_at = given.get("webhook-timestamp", "")
    try:
        age = int(time.time()) - int(sent_at)
    except ValueError:
        return False
    if abs(age) > MAX_AGE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    head = f"{given.get('webhook-id', '')}.{sent_at}."
    mac = hmac.new(key, head.encode(errors="replace") + raw_body, hashlib.sha256)
    mine = b"v1," + base64.b64encode(mac.digest())
    # While a secret is being replaced, there is one signature for each.
    return any(
        hmac.compare_digest(signature.encode(errors="replace"), mine)
        for signature in given.get("webhook-signature", "").split(" ")
    )`;

const GO = `package hooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const maxAge = 5 * time.Minute

// IsFromHookline reports whether a call is from Hookline, unaltered and recent. rawBody: as received, before parsing.
func IsFromHookline(rawBody []byte, header http.Header, secret string) bool {
	sentAt := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > maxAge {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + sentAt + "."))
	mac.Write(rawBody)
	mine := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// While a secret is being replaced, there is one signature for each.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), mine) {
			return true
		}
	}
	return false
}`;

const PHP = `<?php

const MAX_AGE_SECONDS = 300;

/** Whether this call is from Hookline, unaltered and recent. $rawBody: file_get_contents('php://input') */
function isFromHookline(string $rawBody, string $secret): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $sentAt = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^[0-9]+$/D', $sentAt) || abs(time() - (int) $sentAt) > MAX_AGE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $mine = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$rawBody", $key, true));
    // While a secret is being replaced, there is one signature for each.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($mine, $signature)) {
            return true;
        }
    }
    return false;
}`;

/** Copyable functions per language that verify a call by Standard Webhooks 1.0.0. */
export const VERIFIERS: Readonly<Record<string, string>> = { 'Node.js': NODE, Python: PYTHON, Go: GO, PHP };
