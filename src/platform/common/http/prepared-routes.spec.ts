import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  ForbiddenException,
  Get,
  Header,
  HttpCode,
  Param,
  type PipeTransform,
  Post,
  Res,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { of } from 'rxjs';
import { type Around, type Pipeline, prepareRoute } from './prepared-routes.js';

let steps: string[];
const refuses = (what: string) => (value: unknown) => {
  steps.push(what);
  if (value === 'bad') throw new Error(`${what} refuses`);
  return value;
};

const pipe = (name: string): PipeTransform => ({ transform: refuses(name) });
const later: PipeTransform = { transform: async (value: string) => `${value}, later` };
const Caller = createParamDecorator((data: string, context: ExecutionContext) =>
  refuses('caller')(context.switchToHttp().getRequest<Record<string, unknown>>()[data]),
);

class Outer implements Around {
  async around(_: ExecutionContext, handle: () => Promise<unknown>): Promise<unknown> {
    steps.push('outer');
    return `outer(${String(await handle())})`;
  }
}

class Inner implements Around {
  async around(_: ExecutionContext, handle: () => Promise<unknown>): Promise<unknown> {
    steps.push('inner');
    return `inner(${String(await handle())})`;
  }
}

class OfNest {
  intercept = (): unknown => undefined;
}

@Controller()
@UseInterceptors(Outer)
class Things {
  readonly name = 'things';

  @Post()
  @UseInterceptors(Inner)
  make(@Caller('actor') actor: string, @Param('id', pipe('id'), later) id: string, @Body() body: string) {
    steps.push('handler');
    return Promise.resolve([this.name, actor, id, body].join(' '));
  }

  @Post()
  @HttpCode(202)
  accept() {
    return of('first', 'last');
  }

  @Get() @Header('X-Any', 'any') header() {}
  @Get() @UseGuards(Outer) guarded() {}
  @Get() @UseInterceptors(OfNest) intercepted() {}
  @Get() respond(@Res() _response: unknown) {}
  @Get() read() {}
}

describe('a prepared route', () => {
  const answers: unknown[] = [];
  const guard = (name: string, answer: unknown) => ({
    canActivate: () => (steps.push(name), answer as boolean),
  });
  const pipeline: Pipeline = {
    guards: [guard('first guard', true), guard('second guard', Promise.resolve(true))],
    pipes: [pipe('global')],
    reply: (...answer) => answers.push(answer),
    interceptor: (type) => new type() as unknown,
  };
  const call = async (method: string, request: object, own: Partial<Pipeline> = {}) => {
    steps = [];
    const response = {};
    await prepareRoute(new Things(), method, { ...pipeline, ...own })?.(
      request as never,
      response as never,
      () => undefined,
    );
    const [, result, status] = answers.pop() as unknown[];
    return { result, status, response };
  };
  const request = { actor: 'anna', params: { id: '7' }, body: 'text' };

  it('takes guards, interceptors, parameters and pipes in the order of Nest', async () => {
    expect(await call('make', request)).toEqual({
      result: 'outer(inner(things anna 7, later text))',
      status: 201,
      response: { statusCode: 201 },
    });
    expect(steps.slice(0, 5)).toEqual(['first guard', 'second guard', 'outer', 'inner', 'caller']);
    expect(steps.slice(5, -1).sort()).toEqual(['global', 'global', 'global', 'id']);
    expect(steps.at(-1)).toBe('handler');
  });

  it('answers with the declared status, and with the last value of an observable', async () => {
    expect(await call('accept', request)).toMatchObject({ result: 'outer(last)', status: 202 });
    expect(await call('read', request)).toMatchObject({ status: 200 });
  });

  it.each([[false], [Promise.resolve(false)], [of(true, false)]])(
    'stops where a guard says no',
    async (answer) => {
      const guards = [guard('no', answer), guard('never asked', true)];
      await expect(call('make', request, { guards })).rejects.toThrow(ForbiddenException);
      expect(steps).toEqual(['no']);
    },
  );

  it('refuses what cannot be taken from the request before what a pipe refuses', async () => {
    const bad = { ...request, params: { id: 'bad' } };
    await expect(call('make', { ...bad, actor: 'bad' })).rejects.toThrow('caller refuses');
    await expect(call('make', bad)).rejects.toThrow('global refuses');
    expect(steps).not.toContain('handler');
  });

  it.each(['header', 'guarded', 'intercepted', 'respond', 'unknown'])('is not made of %s', (method) => {
    expect(prepareRoute(new Things(), method, pipeline)).toBeUndefined();
  });
});
