import { Module } from '@nestjs/common';
import { Entity, type MigrationInterface } from 'typeorm';
import { readSettings } from '../src/app.settings.js';
import { definePermissions } from '../src/platform/access/access.js';
import { type Env, readText } from '../src/platform/config/parse.js';
import { type Declaration, Declares } from '../src/platform/modules/declares.js';
import { explainStartFailure } from '../src/startup/start-failure.js';
import { addToApp } from './support/app-modules.js';

@Entity('posts')
class PostAgain {}

class MakeAgain1700000000010 implements MigrationInterface {
  async up(): Promise<void> {}
  async down(): Promise<void> {}
}

class AgainSettings {
  readonly siteUrl: string;
  constructor(env: Env) {
    this.siteUrl = readText(env, 'SITE_URL', '');
  }
}

/** The error with which a server refuses to start with one more module. */
function refusalOfStartWith(declaration: Declaration): string | undefined {
  @Module({})
  @Declares(declaration)
  class AgainModule {}
  const removeFromApp = addToApp(AgainModule);
  try {
    readSettings({});
    return undefined;
  } catch (error) {
    return explainStartFailure(error, undefined);
  } finally {
    removeFromApp();
  }
}

describe('a start with two modules that declare the same thing', () => {
  it.each<[string, Declaration, string]>([
    ['table', { entities: [PostAgain] }, 'The table posts is declared by PostsModule and by AgainModule.'],
    [
      'permission',
      { permissions: [definePermissions({ Again: ['manage_team'] })] },
      'The permission manage_team is declared by TeamsModule and by AgainModule.',
    ],
    [
      'migration timestamp',
      { migrations: [MakeAgain1700000000010] },
      'A migration with the timestamp 1700000000010 is declared by OutgoingHooksModule and by AgainModule.',
    ],
    ['variable', { settings: AgainSettings }, 'SITE_URL is read by Settings and by AgainSettings.'],
  ])('names the %s and both modules', (_, declaration, sentence) => {
    expect(refusalOfStartWith(declaration)).toBe(sentence);
  });

  it('succeeds without a conflict', () => {
    expect(refusalOfStartWith({})).toBeUndefined();
  });
});
