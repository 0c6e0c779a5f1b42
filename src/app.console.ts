import type { NestExpressApplication } from '@nestjs/platform-express';
import { ConsoleFiles } from './console/console-files.js';
import { ConsoleSettings } from './console/console.settings.js';

/** Serves the files of the console, which browsers keep: another content has another name. */
export function setUpConsole(app: NestExpressApplication): void {
  if (!app.get(ConsoleSettings).enableConsole) return;
  app.useStaticAssets(app.get(ConsoleFiles).assets, {
    prefix: '/console/',
    index: false,
    redirect: false,
    immutable: true,
    maxAge: '1y',
  });
}
