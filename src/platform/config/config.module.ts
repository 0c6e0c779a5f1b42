import { DynamicModule, Global, Module } from '@nestjs/common';
import { AllSettings } from './all-settings.js';

/** Provides the settings of the platform and of every module. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: AllSettings): DynamicModule {
    const types = settings.entries().map(([type]) => type);
    return {
      module: ConfigModule,
      providers: [
        { provide: AllSettings, useValue: settings },
        ...settings.entries().map(([provide, useValue]) => ({ provide, useValue })),
      ],
      exports: [AllSettings, ...types],
    };
  }
}
