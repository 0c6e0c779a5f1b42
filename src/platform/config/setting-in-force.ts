import type { ReadSetting } from './parse.js';

/** Where the value of a setting comes from. */
export const ORIGINS = ['default', 'environment', 'file'] as const;

/** A setting as it is in force in this process. */
export interface SettingInForce extends ReadSetting {
  /** As it was given, or else the default. Empty if it is hidden. */
  readonly value: string;
  readonly origin: (typeof ORIGINS)[number];
  /** Its value is a secret, or has one in it. */
  readonly isHidden: boolean;
}

/** How a setting was given. */
export interface GivenSetting {
  /** Undefined when the environment does not have it. */
  readonly text: string | undefined;
  readonly isFromFile: boolean;
  /** What its reader has told of its values: a class that reads it by itself may keep a secret in it. */
  readonly isDescribed: boolean;
}

export const MAX_VALUE_LENGTH = 1_000;
const SECRET_NAME = /KEY|PASSWORD|TOKEN|SECRET/;
/** What ends a user or password in a URL, or begins its query. */
const SECRET_PART = /[@?#]/;

/** Tells the value in force and its origin; of a secret only whether it is set. */
export function inForce(read: ReadSetting, { text, isFromFile, isDescribed }: GivenSetting): SettingInForce {
  const given = text?.trim();
  const isDefault = given === undefined || (given === '' && read.values !== 'URL');
  const value = isDefault ? read.fallback : given;
  const isSecret = !isDescribed || (read.values === 'text' && SECRET_NAME.test(read.name));
  const isHidden = value !== '' && (isSecret || hasSecret(read.values, value));
  return {
    ...read,
    value: isHidden ? '' : value.slice(0, MAX_VALUE_LENGTH),
    origin: isDefault ? 'default' : isFromFile ? 'file' : 'environment',
    isHidden,
  };
}

/** A URL is read as those read it that connect: it may have blanks in its password, or no slashes. */
function hasSecret(values: string, text: string): boolean {
  if (values !== 'URL' || !URL.canParse(text)) return mayHoldUrlWithSecret(text);
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].some((part) => part !== '');
}

function mayHoldUrlWithSecret(text: string): boolean {
  const colon = text.indexOf(':');
  return colon >= 0 && SECRET_PART.test(text.slice(colon));
}
