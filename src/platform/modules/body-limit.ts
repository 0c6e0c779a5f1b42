import { SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner } from '@nestjs/core';

const BODY_LIMIT = 'hookline:body-limit';
const API = '/api/v4';

/** A route, or every route of a controller, that takes bodies of so many bytes even where MAX_PAYLOAD_BYTES is less. */
export const BodyLimit = (bytes: number): MethodDecorator & ClassDecorator => SetMetadata(BODY_LIMIT, bytes);

/** A path below the API's prefix whose bodies may be larger. */
interface LargerBody {
  readonly path: RegExp;
  readonly bytes: number;
}

/** How many bytes the body of a request may have. Bodies are read before routing, so this goes by the path. */
export class BodyLimits {
  private readonly larger: readonly LargerBody[];

  constructor(controllers: readonly Type[]) {
    this.larger = controllers.flatMap(largerBodies);
  }

  /** The limit of this path; `usual` where no route asks for more. */
  of(url: string, usual: number): number {
    const larger = this.larger.find(({ path }) => path.test(url));
    return larger === undefined ? usual : Math.max(usual, larger.bytes);
  }
}

function largerBodies(controller: Type): LargerBody[] {
  const handlers = controller.prototype as Record<string, object>;
  return new MetadataScanner().getAllMethodNames(handlers).flatMap((name): LargerBody[] => {
    const handler = handlers[name];
    if (handler === undefined || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
    const bytes = numberOn(handler) ?? numberOn(controller);
    return bytes === undefined ? [] : [{ path: pathOf(controller, handler), bytes }];
  });
}

function numberOn(target: object): number | undefined {
  return Reflect.getMetadata(BODY_LIMIT, target) as number | undefined;
}

function pathOf(controller: Type, handler: object): RegExp {
  const parts = [controller, handler]
    .map((target) => String(Reflect.getMetadata(PATH_METADATA, target)).replace(/^\/|\/$/g, ''))
    .filter((part) => part !== '');
  return new RegExp(`^${[API, ...parts].join('/').replace(/:\w+/g, '[^/?]+')}(?:\\?|$)`);
}
