import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Declared } from './collect.js';

/** Provides the combined declarations to every module. */
@Global()
@Module({})
export class DeclaredModule {
  static with(declared: Declared): DynamicModule {
    return {
      module: DeclaredModule,
      providers: [{ provide: Declared, useValue: declared }],
      exports: [Declared],
    };
  }
}
