import type { Type } from '@nestjs/common';
import { AppModule } from '../../src/app.module.js';

const imports = Reflect.getMetadata('imports', AppModule) as unknown[];

/** Adds a module to the servers that this file starts next. Returns a function that removes it. */
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
  AppModule['collected'] = undefined;
}
