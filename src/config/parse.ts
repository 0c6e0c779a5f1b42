/** Reading of single settings. Each failure is a sentence that names the variable. */
export class SettingError extends Error {}

export type Env = Readonly<Record<string, string | undefined>>;

export function readText(env: Env, name: string, fallback: string): string {
  return (env[name] ?? fallback).trim();
}

export function readBoolean(env: Env, name: string, fallback: boolean): boolean {
  const value = env[name]?.trim().toLowerCase();
  if (value === undefined || value === '') return fallback;
  if (['true', '1', 'yes', 'on'].includes(value)) return true;
  if (['false', '0', 'no', 'off'].includes(value)) return false;
  throw new SettingError(`${name} must be true or false, but is "${env[name]}".`);
}

export function readInteger(env: Env, name: string, fallback: number, min: number, max: number): number {
  const value = env[name]?.trim();
  if (value === undefined || value === '') return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new SettingError(`${name} must be a whole number from ${min} to ${max}, but is "${value}".`);
  }
  return number;
}

export function readChoice<T extends string>(env: Env, name: string, fallback: T, choices: readonly T[]): T {
  const value = env[name]?.trim();
  if (value === undefined || value === '') return fallback;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined)
    throw new SettingError(`${name} must be one of ${choices.join(', ')}, but is "${value}".`);
  return choice;
}

export function readList(env: Env, name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function readUrl(
  env: Env,
  name: string,
  fallback: string | undefined,
  schemes: readonly string[],
): string | undefined {
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
  return value.replace(/\/+$/, '');
}
