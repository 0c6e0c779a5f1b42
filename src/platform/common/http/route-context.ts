import type { ExecutionContext, Type } from '@nestjs/common';
import type {
  HttpArgumentsHost,
  RpcArgumentsHost,
  WsArgumentsHost,
} from '@nestjs/common/interfaces/features/arguments-host.interface.js';
import type { Response } from 'express';
import type { HttpRequest } from './http-request.js';

/** What guards, interceptors and parameter decorators see of a request to a prepared route. */
export class RouteContext implements ExecutionContext, HttpArgumentsHost {
  constructor(
    private readonly controller: Type,
    private readonly handler: (...args: never[]) => unknown,
    private readonly request: HttpRequest,
    private readonly response: Response,
    private readonly next: unknown,
  ) {}

  getClass<T>(): Type<T> {
    return this.controller as Type<T>;
  }

  getHandler() {
    return this.handler as ReturnType<ExecutionContext['getHandler']>;
  }

  getType<T extends string>(): T {
    return 'http' as T;
  }

  getArgs<T extends unknown[]>(): T {
    return [this.request, this.response, this.next] as T;
  }

  getArgByIndex<T>(index: number): T {
    return this.getArgs()[index] as T;
  }

  switchToHttp(): HttpArgumentsHost {
    return this;
  }

  getRequest<T>(): T {
    return this.request as T;
  }

  getResponse<T>(): T {
    return this.response as T;
  }

  getNext<T>(): T {
    return this.next as T;
  }

  switchToRpc(): RpcArgumentsHost {
    throw new Error('This is an HTTP request.');
  }

  switchToWs(): WsArgumentsHost {
    throw new Error('This is an HTTP request.');
  }
}
