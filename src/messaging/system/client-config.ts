import { API_VERSION, VERSION } from '../../platform/common/version.js';
import type { ClientSettings } from '../../platform/config/all-settings.js';
import type { Settings } from '../../platform/config/settings.js';
import { MAX_MESSAGE_RUNES } from '../posts/content/split.js';
import type { UsersSettings } from '../users/users.settings.js';

/** The flat map of settings for clients (docs/contract/messaging.md#client-configuration). */
export type ClientConfig = Record<string, string>;

/** The public settings, which a sign-in page needs. */
export function anonymousConfig(settings: Settings, users: UsersSettings): ClientConfig {
  return texts({
    Version: API_VERSION,
    BuildNumber: API_VERSION,
    BuildDate: '',
    BuildHash: `hookline-${VERSION}`,
    BuildHashEnterprise: '',
    BuildEnterpriseReady: false,
    SiteURL: settings.siteUrl ?? '',
    SiteName: 'Hookline',
    WebsocketURL: '',
    WebsocketPort: 80,
    WebsocketSecurePort: 443,
    EnableSignInWithEmail: true,
    EnableSignInWithUsername: true,
    EnableSignUpWithEmail: true,
    EnableSignUpWithGitLab: false,
    EnableSignUpWithGoogle: false,
    EnableSignUpWithOffice365: false,
    EnableSignUpWithOpenId: false,
    EnableLdap: false,
    EnableSaml: false,
    EnableMultifactorAuthentication: false,
    EnableUserCreation: users.enableUserCreation,
    EnableOpenServer: users.enableOpenServer,
    EnableGuestAccounts: false,
    PasswordMinimumLength: 8,
    PasswordRequireLowercase: false,
    PasswordRequireUppercase: false,
    PasswordRequireNumber: false,
    PasswordRequireSymbol: false,
    PasswordEnableForgotLink: false,
    DefaultClientLocale: 'en',
    AvailableLocales: 'en',
    DiagnosticId: '',
    DiagnosticsEnabled: false,
    HasImageProxy: false,
    PluginsEnabled: false,
    EnableCustomEmoji: false,
    EnableCustomBrand: false,
    CustomBrandText: '',
    CustomDescriptionText: '',
    AndroidLatestVersion: '',
    AndroidMinVersion: '',
    IosLatestVersion: '',
    IosMinVersion: '',
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
      EnableIncomingWebhooks: false,
      EnableOutgoingWebhooks: false,
      EnableCommands: false,
      EnablePostUsernameOverride: false,
      EnablePostIconOverride: false,
      EnableUserAccessTokens: false,
      EnableOAuthServiceProvider: false,
      EnableBotAccountCreation: false,
      PostEditTimeLimit: -1,
      PostPriority: true,
      EnableFileAttachments: false,
      MaxFileSize: 0,
      MaxPostSize: MAX_MESSAGE_RUNES,
      TeammateNameDisplay: 'username',
      LockTeammateNameDisplay: false,
      RestrictDirectMessage: 'any',
      ShowEmailAddress: true,
      ShowFullName: true,
      EnableChannelViewedMessages: true,
      EnableConfirmNotificationsToChannel: true,
      EnableUserDeactivation: false,
      EnableUserStatuses: true,
      EnableUserTypingMessages: true,
      TimeBetweenUserTypingUpdatesMilliseconds: 5000,
      MaxNotificationsPerChannel: 1000,
      CollapsedThreads: 'disabled',
      ThreadAutoFollow: false,
      EnablePreviewFeatures: false,
      EnableTutorial: false,
      EnableLinkPreviews: false,
      EnableGifPicker: false,
      EnableEmojiPicker: true,
      EnableSVGs: false,
      EnableLatex: false,
      EnablePublicLink: false,
      EnableTesting: false,
      EnableDeveloper: settings.developerMode,
      SendEmailNotifications: false,
      SendPushNotifications: false,
      RequireEmailVerification: false,
      ExperimentalEnablePostMetadata: true,
      ExperimentalViewArchivedChannels: true,
      FeatureFlagCollapsedThreads: false,
      ...ofModules,
    }),
  };
}

function texts(values: Record<string, string | number | boolean>): ClientConfig {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
