import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { EventBus } from './event-bus.js';

/** The event bus, for every module. */
@Global()
@Module({
  imports: [EventEmitterModule.forRoot({ wildcard: false, maxListeners: 50 }), DiscoveryModule],
  providers: [EventBus],
  exports: [EventBus],
})
export class EventsModule {}
