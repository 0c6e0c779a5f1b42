/** How a receiver checks a call, by its language: an HMAC over the raw body, compared in constant time. */
export const VERIFIERS: Readonly<Record<string, string>> = {
  'Node.js': `import { createHmac, timingSafeEqual } from 'node:crypto';

function isFromHookline(rawBody, headers, secret) {
  const given = Buffer.from(headers['x-hookline-signature-256'] ?? '');
  const mine = Buffer.from('sha256=' + createHmac('sha256', secret).update(rawBody).digest('hex'));
  return given.length === mine.length && timingSafeEqual(given, mine);
}`,
  Python: `import hashlib, hmac

def is_from_hookline(raw_body: bytes, headers, secret: str) -> bool:
    mine = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(headers.get("X-Hookline-Signature-256", ""), mine)`,
  Go: `func isFromHookline(rawBody []byte, header http.Header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	mine := "sha256=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(header.Get("X-Hookline-Signature-256")), []byte(mine))
}`,
  PHP: `function isFromHookline(string $rawBody, string $secret): bool {
    $given = $_SERVER['HTTP_X_HOOKLINE_SIGNATURE_256'] ?? '';
    return hash_equals('sha256=' . hash_hmac('sha256', $rawBody, $secret), $given);
}`,
};
