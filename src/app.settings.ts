import { AppModule } from './app.module.js';
import { AllSettings } from './platform/config/all-settings.js';
import { namesFromFile } from './platform/config/settings.js';
import type { Env } from './platform/config/parse.js';

/** Reads and validates every setting of the server (docs/settings.md). Throws SettingError, naming the variable. */
export const readSettings = (env: Env): AllSettings =>
  new AllSettings(env, AppModule.declared.settings, namesFromFile(env));
