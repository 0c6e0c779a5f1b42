import { InvalidBodyParam, ValidationFailed } from '../../platform/common/errors/common-errors.js';
import { newId } from '../../platform/common/ids.js';
import { byteLength, runeLength } from '../../platform/common/utf8.js';
import { splitRoles } from '../permissions/actor.js';
import type { User } from './user.entity.js';
import { definedOnly } from '../../platform/common/defined-only.js';
import type { UserFieldsDto } from './dto/user.dto.js';

/** Validation rules for account fields (docs/contract/messaging.md#user-rules). Pure functions. */

const MAX_USERNAME_BYTES = 64;
const MAX_EMAIL_BYTES = 128;
const MAX_NAME_RUNES = 64;
const MAX_POSITION_RUNES = 128;
const MAX_LOCALE_LENGTH = 5;
export const MAX_TIMEZONE_RUNES = 256;
export const MAX_PROPS_RUNES = 8000;
const MAX_ROLES_BYTES = 256;
const MAX_BOT_DESCRIPTION_RUNES = 1024;
const MIN_PASSWORD_BYTES = 8;
const MAX_PASSWORD_BYTES = 72;

export const RESERVED_USERNAMES: ReadonlySet<string> = new Set([
  'all',
  'channel',
  'here',
  'matterbot',
  'system',
]);
/** Names that the server itself posts under; webhooks may use them, accounts may not. */
const SERVER_NAMES: ReadonlySet<string> = new Set(['hookline', 'webhook']);
const BOT_DOMAIN = '@localhost';
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]+";
const EMAIL = new RegExp(`^${ATOM}(\\.${ATOM})*@${ATOM}(\\.${ATOM})*$`, 'u');
const DEFAULT_LOCALE = 'en';
/** Locales that common clients support. */
const LOCALES = new Set(
  'bg de en en-AU es fa fr hr hu it ja ko nl pl pt-BR ro ru sv tr uk vi zh-CN zh-TW'.split(' '),
);

export type Profile = Pick<
  User,
  | 'username'
  | 'email'
  | 'nickname'
  | 'firstName'
  | 'lastName'
  | 'position'
  | 'locale'
  | 'timezone'
  | 'props'
  | 'notifyProps'
  | 'roles'
>;

const rule = (name: string, field: string, reason: string): ValidationFailed =>
  new ValidationFailed(`model.user.is_valid.${name}.app_error`, field, reason);

/** Whether `name` has the form of a username. Does not check reserved words. */
export function isUsernameShaped(name: string): boolean {
  return /^[a-z0-9._-]+$/.test(name) && name.length <= MAX_USERNAME_BYTES;
}

/** Whether `email` is a bare address in lower case. */
export function isEmail(email: string): boolean {
  return byteLength(email) <= MAX_EMAIL_BYTES && email === email.toLowerCase() && EMAIL.test(email);
}

/**
 * Throws ValidationFailed for the first invalid field, in the contract's order. An account keeps its username
 * and address even if they became reserved later. `nameField` is the field that has the first name: bots have a
 * display name.
 */
export function requireValidProfile(
  profile: Profile & Pick<User, 'isBot'>,
  stored?: Pick<User, 'username' | 'email'>,
  nameField: 'first_name' | 'display_name' = 'first_name',
): void {
  const { username, email } = profile;
  const isReserved = RESERVED_USERNAMES.has(username) || SERVER_NAMES.has(username);
  if (!isUsernameShaped(username) || (isReserved && username !== stored?.username)) {
    throw rule(
      'username',
      'username',
      `it must be 1 to ${MAX_USERNAME_BYTES} letters, digits, dots, dashes or underscores, and not a reserved word`,
    );
  }
  if (!isEmail(email))
    throw rule('email', 'email', `it must be an e-mail address of at most ${MAX_EMAIL_BYTES} bytes`);
  const isOwn = email === stored?.email || (profile.isBot && email === botEmail(username));
  if (email.endsWith(BOT_DOMAIN) && !isOwn)
    throw rule('email', 'email', `addresses that end with ${BOT_DOMAIN} are reserved for bots`);
  requireRunes('nickname', 'nickname', profile.nickname, MAX_NAME_RUNES);
  requireRunes('position', 'position', profile.position, MAX_POSITION_RUNES);
  requireRunes('first_name', nameField, profile.firstName, MAX_NAME_RUNES);
  requireRunes('last_name', 'last_name', profile.lastName, MAX_NAME_RUNES);
  if (!isLocale(profile.locale))
    throw rule('locale', 'locale', `it must be a language tag of at most ${MAX_LOCALE_LENGTH} characters`);
  requireRunes('timezone_limit', 'timezone', JSON.stringify(profile.timezone), MAX_TIMEZONE_RUNES);
  requireRunes('props_limit', 'props', JSON.stringify(profile.props), MAX_PROPS_RUNES);
  requireRunes('notify_props_limit', 'notify_props', JSON.stringify(profile.notifyProps), MAX_PROPS_RUNES);
  requireRolesFit(profile.roles);
}

export function botEmail(username: string): string {
  return `${username.toLowerCase()}${BOT_DOMAIN}`;
}

export function requireBotDescription(description: string): void {
  if (runeLength(description) <= MAX_BOT_DESCRIPTION_RUNES) return;
  throw new ValidationFailed(
    'model.bot.is_valid.description.app_error',
    'description',
    `it must have at most ${MAX_BOT_DESCRIPTION_RUNES} characters`,
  );
}

export function requireRolesFit(roles: string): void {
  if (byteLength(roles) > MAX_ROLES_BYTES)
    throw rule('roles_limit', 'roles', `it must have at most ${MAX_ROLES_BYTES} bytes`);
}

/** The password policy: length limits, but no character class rules (as in the newest peer). */
export function requirePasswordPolicy(password: string): void {
  const length = byteLength(password);
  if (length < MIN_PASSWORD_BYTES)
    throw rule('pwd_min_length', 'password', `it must have at least ${MIN_PASSWORD_BYTES} characters`);
  if (length > MAX_PASSWORD_BYTES)
    throw rule('pwd_max_length', 'password', `it must have at most ${MAX_PASSWORD_BYTES} bytes`);
}

export function supportedLocale(locale: string): string {
  return LOCALES.has(locale) ? locale : DEFAULT_LOCALE;
}

/** The value as a map of strings. Throws InvalidBodyParam naming the field. */
export function stringMap(field: string, value: Record<string, unknown>): Record<string, string> {
  if (Object.values(value).every((item) => typeof item === 'string')) return value as Record<string, string>;
  throw new InvalidBodyParam(field, 'its values must be strings');
}

/** Whether `roles` is a list of well-formed role names, other than `system_admin` alone. */
export function isRoleList(roles: string): boolean {
  const names = splitRoles(roles);
  return (
    names.every((name) => /^[a-z0-9_]{1,64}$/.test(name)) &&
    !(names.length === 1 && names[0] === 'system_admin')
  );
}

export const DEFAULT_TIMEZONE: Readonly<Record<string, string>> = {
  useAutomaticTimezone: 'true',
  automaticTimezone: '',
  manualTimezone: '',
};

export const DEFAULT_NOTIFY_PROPS: Readonly<Record<string, string>> = {
  channel: 'true',
  comments: 'never',
  desktop: 'mention',
  desktop_sound: 'true',
  desktop_threads: 'all',
  email: 'true',
  email_threads: 'all',
  first_name: 'false',
  mention_keys: '',
  push: 'mention',
  push_status: 'online',
  push_threads: 'all',
};

function requireRunes(name: string, field: string, text: string, max: number): void {
  if (runeLength(text) > max) throw rule(name, field, `it must have at most ${max} characters`);
}

function isLocale(locale: string): boolean {
  if (locale === '') return true;
  if (locale.length > MAX_LOCALE_LENGTH) return false;
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-')).length === 1;
  } catch {
    return false;
  }
}

/** The fields of a body as stored; skips omitted fields. Throws InvalidBodyParam. */
export function profileChange(body: UserFieldsDto): Partial<Profile> {
  return definedOnly({
    username: body.username?.toLowerCase(),
    email: body.email?.toLowerCase(),
    nickname: body.nickname,
    firstName: body.first_name,
    lastName: body.last_name,
    position: body.position,
    locale: body.locale,
    timezone: body.timezone && stringMap('timezone', body.timezone),
    props: body.props && stringMap('props', body.props),
    notifyProps: body.notify_props && stringMap('notify_props', body.notify_props),
  });
}

export function newUser(now: number, input: Partial<User>): User {
  return {
    id: newId(),
    createAt: now,
    updateAt: now,
    deleteAt: 0,
    passwordHash: '',
    emailVerified: false,
    emailSource: '',
    knownAddresses: '',
    nickname: '',
    firstName: '',
    lastName: '',
    position: '',
    roles: 'system_user',
    props: {},
    lastPasswordUpdate: now,
    failedAttempts: 0,
    lastFailedAt: 0,
    lastLogin: 0,
    remoteId: '',
    isDeactivatedHere: false,
    isBot: false,
    botOwnerId: '',
    botDescription: '',
    ...input,
    username: input.username || newId(),
    email: input.email ?? '',
    notifyProps: { ...DEFAULT_NOTIFY_PROPS, ...input.notifyProps },
    timezone: { ...DEFAULT_TIMEZONE, ...input.timezone },
    locale: supportedLocale(input.locale ?? ''), // unknown locales fall back to the default
  };
}
