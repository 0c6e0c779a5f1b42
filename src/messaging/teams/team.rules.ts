import { rulesOf } from '../../platform/common/errors/record-rules.js';
import { byteLength, runeLength } from '../../platform/common/utf8.js';
import type { User } from '../users/user.entity.js';
import type { Team } from './team.entity.js';
import type { TeamChange } from './teams.service.js';

const MAX_NAME_BYTES = 64;
const MAX_DISPLAY_NAME_RUNES = 64;
const MAX_DESCRIPTION_BYTES = 255;
const MAX_EMAIL_BYTES = 128;
const MAX_COMPANY_BYTES = 64;
const MAX_DOMAINS_BYTES = 500;
/** A team's name is the first segment of its URL; these prefixes are client routes. */
const RESERVED_PREFIXES = (
  'admin api boards channel claim error files help landing login ' +
  'mfa oauth playbooks plug plugins post signup'
).split(' ');

const requireRule = rulesOf('team');

/** Whether `name` has the form of a team name. Does not check reserved words. */
export function isTeamName(name: string): boolean {
  return name.length <= MAX_NAME_BYTES && /^[a-z0-9][a-z0-9-]*[a-z0-9]$/.test(name);
}

/**
 * Throws ValidationFailed for the first rule that the record breaks, in the contract's order
 * (docs/contract/messaging.md#teams).
 */
export function requireValidTeam(team: Team): void {
  const { displayName, name, email, type } = team;
  const isAddress = byteLength(email) <= MAX_EMAIL_BYTES && isEmail(email);
  requireRule(isAddress, 'email', 'email', 'it must be an e-mail address.');
  const isNamed = displayName !== '' && runeLength(displayName) <= MAX_DISPLAY_NAME_RUNES;
  requireRule(isNamed, 'name', 'display_name', 'it must have 1 to 64 characters.');
  requireBytes('url', 'name', name, MAX_NAME_BYTES);
  requireBytes('description', 'description', team.description, MAX_DESCRIPTION_BYTES);
  const reserved = RESERVED_PREFIXES.find((prefix) => name.toLowerCase().startsWith(prefix));
  const isFree = reserved === undefined;
  requireRule(isFree, 'reserved', 'name', `it must not start with the reserved word ${reserved}.`);
  requireRule(
    isTeamName(name),
    'characters',
    'name',
    'it must have 2 or more of a-z, 0-9 and hyphen, and begin and end with a letter or digit.',
  );
  requireRule(type === 'O' || type === 'I', 'type', 'type', 'it must be O (open) or I (by invitation).');
  requireBytes('company', 'company_name', team.companyName, MAX_COMPANY_BYTES);
  requireBytes('domains', 'allowed_domains', team.allowedDomains, MAX_DOMAINS_BYTES);
}

function requireBytes(rule: string, field: string, text: string, max: number): void {
  requireRule(byteLength(text) <= max, rule, field, `it must have at most ${max} bytes.`);
}

/** Whether an address is in a comma- or space-separated list of domains. An empty list allows all. */
export function isEmailAllowed(email: string, allowedDomains: string): boolean {
  const domains = domainsOf(allowedDomains);
  return domains.length === 0 || domains.some((domain) => email.toLowerCase().endsWith(`@${domain}`));
}

/**
 * Whether an address counts for a team with allowed domains. Addresses are not verified: a sign-up address
 * counts if the team lets the user in (`isAdmitted`), and an address that the user set later does not count.
 */
export function isAddressTrusted({ emailSource }: Pick<User, 'emailSource'>, isAdmitted: boolean): boolean {
  return emailSource === '' || (emailSource === 'sign-up' && isAdmitted);
}

/** Whether the team restricts addresses to certain domains. */
export function hasAllowedDomains(allowedDomains: string): boolean {
  return domainsOf(allowedDomains).length > 0;
}

function domainsOf(allowedDomains: string): string[] {
  return allowedDomains
    .toLowerCase()
    .split(/[\s,@]+/)
    .filter((domain) => domain !== '');
}

/** Empty is valid, because a team created in local mode has no creator and thus no address. */
function isEmail(text: string): boolean {
  return text === '' || /^[^\s@<>]+@[^\s@<>]+$/.test(text);
}

/** The fields of a change that differ from the team, because clients send all fields back. */
export function changedFields(team: Team, change: TeamChange): TeamChange {
  const isKept = ([field, value]: [string, unknown]): boolean => value === team[field as keyof TeamChange];
  return Object.fromEntries(Object.entries(change).filter((entry) => !isKept(entry)));
}
