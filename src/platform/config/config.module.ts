import { DynamicModule, Global, Module } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Settings } from './settings.js';

/** Gives every module the validated settings and the clock. */
@Global()
@Module({})
export class ConfigModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Settings, useValue: settings }, Clock],
      exports: [Settings, Clock],
    };
  }
}
