import type { NestExpressApplication } from '@nestjs/platform-express';
import { ConsoleFiles } from './console/console-page.js';
import { ConsoleSettings } from './console/console.settings.js';

/** Serves the assets of the console. Browsers cache them: file names change with their content. */
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
