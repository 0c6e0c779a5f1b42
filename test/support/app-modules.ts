import type { Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { AppModule } from '../../src/app.module.js';

const imports = Reflect.getMetadata(MODULE_METADATA.IMPORTS, AppModule) as unknown[];

/** The next servers of this file have one more module; gives what takes it out again. */
export function addToApp(module: Type): () => void {
  imports.push(module);
  forgetDeclared();
  return () => {
    const place = imports.indexOf(module);
    if (place >= 0) imports.splice(place, 1);
    forgetDeclared();
  };
}

function forgetDeclared(): void {
  Object.assign(AppModule, { found: undefined });
}
