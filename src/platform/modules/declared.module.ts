import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Declared } from './collect.js';

/** Gives every module what all of them declare. */
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
