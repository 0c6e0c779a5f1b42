import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS, type Access } from '../../src/platform/access/access.js';
import { AUDITED, type AuditMetadata } from '../../src/platform/common/audited.js';
import type { TestServer } from './test-server.js';

/** A route as its controller declares it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly access: Access | undefined;
  readonly audited: string | undefined;
  /** The names of what the audit row of a request concerns; undefined for the response. */
  readonly auditTarget: string | undefined;
}

/** All routes of a server. */
export function routesOf(server: TestServer): Route[] {
  const discovery = server.app.get(DiscoveryService, { strict: false });
  const reflector = server.app.get(Reflector);
  const scanner = new MetadataScanner();
  return discovery.getControllers().flatMap(({ instance, metatype }) =>
    scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((name): Route[] => {
      const handler = (instance as Record<string, () => unknown>)[name]!;
      const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
      if (method === undefined) return [];
      const parts = [
        first(Reflect.getMetadata(PATH_METADATA, metatype!)),
        first(Reflect.getMetadata(PATH_METADATA, handler)),
      ];
      return [
        {
          method: RequestMethod[method],
          path: `/${parts
            .map((part) => part.replace(/^\/|\/$/g, ''))
            .filter(Boolean)
            .join('/')}`,
          access: reflector.getAllAndOverride<Access | undefined>(ACCESS, [
            handler,
            metatype as () => unknown,
          ]),
          audited: reflector.get<AuditMetadata | undefined>(AUDITED, handler)?.action,
          auditTarget: reflector.get<AuditMetadata | undefined>(AUDITED, handler)?.target,
        },
      ];
    }),
  );
}

const first = (path: string | string[] | undefined): string => (Array.isArray(path) ? path[0] : path) ?? '';
