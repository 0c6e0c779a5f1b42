import { adminConfig } from './admin-config.js';

describe('adminConfig', () => {
  it('groups the settings into sections, each with its type', () => {
    expect(
      adminConfig({
        SiteURL: 'https://chat.example.com',
        EnableIncomingWebhooks: 'true',
        PostEditTimeLimit: '-1',
        PasswordMinimumLength: '8',
        SecretOfSomeModule: 'hidden',
      }),
    ).toEqual({
      ServiceSettings: {
        SiteURL: 'https://chat.example.com',
        EnableIncomingWebhooks: true,
        PostEditTimeLimit: -1,
      },
      PasswordSettings: { MinimumLength: 8 },
    });
  });
});
