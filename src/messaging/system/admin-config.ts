import type { ClientConfig } from './client-config.js';

/**
 * Maps client settings to their place in the configuration of a stock server. Only these names are included,
 * so the result never contains settings that clients may not read.
 */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  ServiceSettings: [
    'SiteURL',
    'EnableIncomingWebhooks',
    'EnableOutgoingWebhooks',
    'EnableCommands',
    'EnablePostUsernameOverride',
    'EnablePostIconOverride',
    'EnableUserAccessTokens',
    'EnableOAuthServiceProvider',
    'EnableBotAccountCreation',
    'EnableLinkPreviews',
    'EnableLatex',
    'EnableSVGs',
    'EnableTesting',
    'EnableDeveloper',
    'EnableTutorial',
    'EnableGifPicker',
    'EnableEmojiPicker',
    'EnableCustomEmoji',
    'EnableUserTypingMessages',
    'EnableUserStatuses',
    'PostEditTimeLimit',
    'PostPriority',
    'CollapsedThreads',
    'ThreadAutoFollow',
    'TimeBetweenUserTypingUpdatesMilliseconds',
  ],
  TeamSettings: [
    'SiteName',
    'EnableUserCreation',
    'EnableOpenServer',
    'EnableUserDeactivation',
    'EnableCustomBrand',
    'CustomBrandText',
    'CustomDescriptionText',
    'RestrictDirectMessage',
    'TeammateNameDisplay',
    'LockTeammateNameDisplay',
    'MaxNotificationsPerChannel',
    'EnableConfirmNotificationsToChannel',
  ],
  EmailSettings: [
    'EnableSignUpWithEmail',
    'EnableSignInWithEmail',
    'EnableSignInWithUsername',
    'SendEmailNotifications',
    'SendPushNotifications',
    'RequireEmailVerification',
  ],
  FileSettings: ['EnableFileAttachments', 'EnablePublicLink', 'MaxFileSize'],
  PrivacySettings: ['ShowEmailAddress', 'ShowFullName'],
  LocalizationSettings: ['DefaultClientLocale', 'AvailableLocales'],
};
/** Stock clients read these under other names. */
const RENAMED: readonly (readonly [section: string, name: string, of: string])[] = [
  ['PasswordSettings', 'MinimumLength', 'PasswordMinimumLength'],
  ['PasswordSettings', 'Lowercase', 'PasswordRequireLowercase'],
  ['PasswordSettings', 'Uppercase', 'PasswordRequireUppercase'],
  ['PasswordSettings', 'Number', 'PasswordRequireNumber'],
  ['PasswordSettings', 'Symbol', 'PasswordRequireSymbol'],
  ['GuestAccountsSettings', 'Enable', 'EnableGuestAccounts'],
  ['PluginSettings', 'Enable', 'PluginsEnabled'],
];

/** Read-only settings by section, as a stock server shows them to administrators. */
export type AdminConfig = Record<string, Record<string, string | number | boolean>>;

/** Sorts the settings for clients into the sections of a stock configuration. */
export function adminConfig(client: ClientConfig): AdminConfig {
  const config: AdminConfig = {};
  const set = (section: string, name: string, text: string | undefined): void => {
    if (text !== undefined) (config[section] ??= {})[name] = valueOf(text);
  };
  for (const [section, names] of Object.entries(SECTIONS))
    for (const name of names) set(section, name, client[name]);
  for (const [section, name, of] of RENAMED) set(section, name, client[of]);
  return config;
}

function valueOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
