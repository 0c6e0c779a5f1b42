import { type DynamicModule, Global, Module } from '@nestjs/common';
import { AllSettings } from '../config/all-settings.js';
import { Declared } from './collect.js';

/** Provides the settings and the combined declarations to every module. */
@Global()
@Module({})
export class DeclaredModule {
  static with(declared: Declared, settings: AllSettings): DynamicModule {
    const providers = [
      { provide: Declared, useValue: declared },
      { provide: AllSettings, useValue: settings },
      ...settings.entries().map(([provide, useValue]) => ({ provide, useValue })),
    ];
    return { module: DeclaredModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
