import { OutboundFailure } from './outbound-failure.js';

const MAX_LENGTH = 2_048;
/** DNS has no longer names, and converting one to ASCII takes a time that grows with the square of its length. */
const TOO_LONG_HOST = /^https?:\/\/[^/?#\\]{320}/;

/**
 * Parses a URL that the outbound client can call: http or https, with a host and without credentials. Throws
 * OutboundFailure `bad_url`, whose message says what is wrong without repeating any part of the URL.
 */
export function requireCallableUrl(text: string): URL {
  if (text.length > MAX_LENGTH) throw bad(`The URL is longer than ${MAX_LENGTH} characters.`);
  if (!/^https?:\/\/[^/?#\\\s]/.test(text))
    throw bad('The URL must begin with http:// or https:// and name a host.');
  if (TOO_LONG_HOST.test(text)) throw bad('The host of the URL is too long.');
  // eslint-disable-next-line no-control-regex -- what a URL parser would strip in silence must not get that far
  if (/[\u0000-\u0020\u007f]/.test(text))
    throw bad('The URL must not contain white space or control characters.');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad('The URL cannot be read.');
  }
  // Tested on the text, because the parser drops empty credentials.
  if (/^https?:\/\/[^/?#\\]*@/.test(text)) throw bad('The URL must not contain a user name or password.');
  if (/^\.|\.\./.test(url.hostname)) throw bad('The URL must name a host.');
  return url;
}

/** The port of a URL, which is empty in it if it is the usual one. */
export function portOf(protocol: string, port: string): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function bad(sentence: string): OutboundFailure {
  return new OutboundFailure('bad_url', sentence);
}
