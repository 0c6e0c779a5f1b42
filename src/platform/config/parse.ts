/** A setting is invalid. The message is a sentence that names the variable. */
export class SettingError extends Error {}

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The descriptions in docs/settings.md, by section and setting name. */
export type AboutSettings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A setting as reported by its reader. */
export interface ReadSetting {
  readonly name: string;
  /** The accepted values, as Markdown. */
  readonly values: string;
  readonly fallback: string;
}

const observers = new WeakMap<Env, (setting: ReadSetting) => void>();

/** Calls `onRead` for each setting that one of the readers below reads from the environment. */
export function observeReaders(env: Env, onRead: (setting: ReadSetting) => void): void {
  observers.set(env, onRead);
}

function tell(env: Env, name: string, values: string, fallback: unknown = ''): void {
  observers.get(env)?.({ name, values, fallback: String(fallback) });
}

/*
 * Readers of single settings. An unset variable means the fallback; an invalid value throws SettingError.
 */

/** The trimmed value. */
export function readText(env: Env, name: string, fallback: string): string {
  tell(env, name, 'text', fallback);
  return (env[name] ?? fallback).trim();
}

/** true, 1, yes or on; false, 0, no or off; in any case. */
export function readBoolean(env: Env, name: string, fallback: boolean): boolean {
  tell(env, name, '`true`, `false`', fallback);
  const value = env[name]?.trim().toLowerCase();
  if (value === undefined || value === '') return fallback;
  if (['true', '1', 'yes', 'on'].includes(value)) return true;
  if (['false', '0', 'no', 'off'].includes(value)) return false;
  throw new SettingError(`${name} must be true or false, but is "${env[name]}".`);
}

/** A whole number from `min` to `max`. */
export function readInteger(env: Env, name: string, fallback: number, min: number, max: number): number {
  tell(env, name, `${min} to ${max}`, fallback);
  const value = env[name]?.trim();
  if (value === undefined || value === '') return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new SettingError(`${name} must be a whole number from ${min} to ${max}, but is "${value}".`);
  return number;
}

const DURATION_UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as 500ms, 5s, 5m, 2h or 5d, in milliseconds. */
export function readDuration(env: Env, name: string, fallback: string, minMs: number, maxMs: number): number {
  tell(env, name, 'duration', fallback);
  return parseDuration(name, env[name]?.trim() || fallback, minMs, maxMs);
}

/** Durations in milliseconds, separated like the values of readList. */
export function readDurations(env: Env, name: string, fallback: string, maxMs: number): readonly number[] {
  tell(env, name, 'durations', fallback);
  const items = splitList(env[name]?.trim() || fallback);
  if (items.length > 100) throw new SettingError(`${name} must have at most 100 durations.`);
  return items.map((item) => parseDuration(name, item, 0, maxMs));
}

/** The milliseconds of a duration such as 500ms, 5s, 5m, 2h or 5d; NaN if malformed. */
export function durationMs(value: string): number {
  const [, digits, unit] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(value) ?? [];
  return Number(digits) * DURATION_UNITS_MS[unit as keyof typeof DURATION_UNITS_MS];
}

function parseDuration(name: string, value: string, minMs: number, maxMs: number): number {
  const ms = durationMs(value);
  if (!(ms >= minMs && ms <= maxMs)) {
    throw new SettingError(
      `${name} must be a duration such as 500ms, 5s, 5m, 2h or 5d, from ${minMs} to ${maxMs} milliseconds, but is "${value}".`,
    );
  }
  return ms;
}

/** One of `choices`. */
export function readChoice<T extends string>(env: Env, name: string, fallback: T, choices: readonly T[]): T {
  tell(env, name, choices.map((choice) => `\`${choice}\``).join(', '), fallback);
  const value = env[name]?.trim();
  if (value === undefined || value === '') return fallback;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw new SettingError(`${name} must be one of ${choices.join(', ')}, but is "${value}".`);
  return choice;
}

/** Values separated by commas, spaces or line breaks, which they cannot contain; empty ones are dropped. */
export function readList(env: Env, name: string): string[] {
  tell(env, name, 'list');
  return splitList(env[name] ?? '').filter((item) => item !== '');
}

/** An item between two commas may be empty. */
function splitList(text: string): string[] {
  return text.trim().split(/\s*,\s*|\s+/);
}

/** A URL with one of `schemes`, without trailing slashes. Undefined when the variable is set to nothing. */
export function readUrl(
  env: Env,
  name: string,
  fallback: string | undefined,
  schemes: readonly string[],
): string | undefined {
  tell(env, name, 'URL', fallback);
  const value = env[name]?.trim();
  if (value === undefined) return fallback;
  if (value === '') return undefined;
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    throw new SettingError(`${name} must be a URL that starts with ${schemes.join(' or ')}.`);
  }
  if (!schemes.includes(`${url.protocol}//`) || url.hostname === '') {
    throw new SettingError(
      `${name} must be a URL that starts with ${schemes.join(' or ')} and names a host.`,
    );
  }
  return value.replace(/(?<!\/)\/+$/, '');
}

/** Whether a text is a CIDR prefix length for addresses of `bits` bits. */
export function isPrefix(prefix: string, bits: number): boolean {
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}
