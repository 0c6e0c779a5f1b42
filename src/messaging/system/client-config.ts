import { API_VERSION, VERSION } from '../../platform/common/version.js';
import type { ClientSettings } from '../../platform/config/all-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import { MAX_MESSAGE_RUNES } from '../posts/content/split.js';
import type { UsersSettings } from '../users/users.settings.js';

/** The flat map of settings for clients (docs/contract/messaging.md#client-configuration). */
export type ClientConfig = Record<string, string>;
/** Read-only settings by section, as a stock server shows them to administrators. */
export type AdminConfig = Record<string, Record<string, string | number | boolean>>;

const words = (text: string): string[] => text.trim().split(/\s+/);
const all = <T>(names: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, value]));

/** Features that this server does not have, and settings that it leaves empty. */
const OFF = words(`
  BuildEnterpriseReady EnableSignUpWithGitLab EnableSignUpWithGoogle EnableSignUpWithOffice365
  EnableSignUpWithOpenId EnableLdap EnableSaml EnableMultifactorAuthentication EnableGuestAccounts
  PasswordRequireLowercase PasswordRequireUppercase PasswordRequireNumber PasswordRequireSymbol
  PasswordEnableForgotLink DiagnosticsEnabled HasImageProxy PluginsEnabled EnableCustomEmoji
  EnableCustomBrand
`);
const EMPTY = words(`
  BuildDate BuildHashEnterprise WebsocketURL DiagnosticId CustomBrandText CustomDescriptionText
  AndroidLatestVersion AndroidMinVersion IosLatestVersion IosMinVersion
`);
/** The same for signed-in callers, unless a module of this server has the setting. */
const OFF_SIGNED_IN = words(`
  EnableIncomingWebhooks EnableOutgoingWebhooks EnableCommands EnablePostUsernameOverride
  EnablePostIconOverride EnableUserAccessTokens EnableOAuthServiceProvider EnableBotAccountCreation
  EnableFileAttachments LockTeammateNameDisplay EnableUserDeactivation ThreadAutoFollow
  EnablePreviewFeatures EnableTutorial EnableLinkPreviews EnableGifPicker EnableSVGs EnableLatex
  EnablePublicLink EnableTesting SendEmailNotifications SendPushNotifications RequireEmailVerification
  FeatureFlagCollapsedThreads
`);
const ON_SIGNED_IN = words(`
  PostPriority ShowEmailAddress ShowFullName EnableChannelViewedMessages
  EnableConfirmNotificationsToChannel EnableUserStatuses EnableUserTypingMessages EnableEmojiPicker
  ExperimentalEnablePostMetadata ExperimentalViewArchivedChannels
`);

export function anonymousConfig(settings: Settings, users: UsersSettings): ClientConfig {
  return texts({
    ...all(OFF, false),
    ...all(EMPTY, ''),
    Version: API_VERSION,
    BuildNumber: API_VERSION,
    BuildHash: `hookline-${VERSION}`,
    SiteURL: settings.siteUrl ?? '',
    SiteName: 'Hookline',
    WebsocketPort: 80,
    WebsocketSecurePort: 443,
    EnableUserCreation: users.enableUserCreation,
    EnableOpenServer: users.enableOpenServer,
    PasswordMinimumLength: 8,
    DefaultClientLocale: 'en',
    AvailableLocales: 'en',
    EnableSignInWithEmail: true,
    EnableSignInWithUsername: true,
    EnableSignUpWithEmail: true,
  });
}

/** The settings for signed-in callers. Module settings override these. */
export function fullConfig(
  settings: Settings,
  users: UsersSettings,
  ofModules: ClientSettings,
): ClientConfig {
  return {
    ...anonymousConfig(settings, users),
    ...texts({
      ...all(OFF_SIGNED_IN, false),
      ...all(ON_SIGNED_IN, true),
      PostEditTimeLimit: -1,
      MaxFileSize: 0,
      MaxPostSize: MAX_MESSAGE_RUNES,
      TeammateNameDisplay: 'username',
      RestrictDirectMessage: 'any',
      TimeBetweenUserTypingUpdatesMilliseconds: 5000,
      MaxNotificationsPerChannel: 1000,
      CollapsedThreads: 'disabled',
      EnableDeveloper: settings.developerMode,
      ...ofModules,
    }),
  };
}

function texts(values: Record<string, string | number | boolean>): ClientConfig {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

/** Where stock servers show client settings. Only these are included, so nothing else can leak. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  ServiceSettings: words(`
    SiteURL EnableIncomingWebhooks EnableOutgoingWebhooks EnableCommands EnablePostUsernameOverride
    EnablePostIconOverride EnableUserAccessTokens EnableOAuthServiceProvider EnableBotAccountCreation
    EnableLinkPreviews EnableLatex EnableSVGs EnableTesting EnableDeveloper EnableTutorial EnableGifPicker
    EnableEmojiPicker EnableCustomEmoji EnableUserTypingMessages EnableUserStatuses PostEditTimeLimit
    PostPriority CollapsedThreads ThreadAutoFollow TimeBetweenUserTypingUpdatesMilliseconds
  `),
  TeamSettings: words(`
    SiteName EnableUserCreation EnableOpenServer EnableUserDeactivation EnableCustomBrand CustomBrandText
    CustomDescriptionText RestrictDirectMessage TeammateNameDisplay LockTeammateNameDisplay
    MaxNotificationsPerChannel EnableConfirmNotificationsToChannel
  `),
  EmailSettings: words(`
    EnableSignUpWithEmail EnableSignInWithEmail EnableSignInWithUsername SendEmailNotifications
    SendPushNotifications RequireEmailVerification
  `),
  FileSettings: words('EnableFileAttachments EnablePublicLink MaxFileSize'),
  PrivacySettings: words('ShowEmailAddress ShowFullName'),
  LocalizationSettings: words('DefaultClientLocale AvailableLocales'),
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
