import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { FastExpressAdapter } from '../../platform/common/http/fast-express.adapter.js';
import { HookExecutionController } from './hook-execution.controller.js';

/** Registers the fast lane of executions: their route is public, reads no session, and takes bytes. */
@Injectable()
export class ExecutionFastLane implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost<FastExpressAdapter>,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    const controller = this.modules.get(HookExecutionController);
    this.http.httpAdapter.fastLanes.add({
      route: '/hooks/:id',
      pattern: /^\/hooks\/([A-Za-z0-9]+)(?:\?|$)/,
      handle: (id, request, response) => controller.executeIncomingWebhook(id, request, response),
    });
  }
}
