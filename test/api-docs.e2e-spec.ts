import { apiDocument } from '../scripts/api-document.mjs';
import { EMPTY_TAG } from '../src/messaging/system/empty-answers.controller.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { ApiClient } from './support/api-client.mjs';
import { ServerProcess } from './support/server-process.mjs';
import { ADMIN_PASSWORD } from './support/test-server.js';

const UNKNOWN = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

/** Routes that refuse unknown records, or return nothing, instead of 404. */
const ANSWER_OTHERWISE = [
  'POST /api/v4/users/{user_id}/sessions/revoke',
  'PUT /api/v4/users/{user_id}/patch',
  'PUT /api/v4/users/{user_id}/roles',
  'GET /api/v4/teams/name/{team_name}/exists',
  'GET /api/v4/users/{user_id}/teams',
  'GET /api/v4/users/{user_id}/teams/members',
  'GET /api/v4/channels/{channel_id}/members',
  'POST /api/v4/channels/{channel_id}/members/ids',
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels/members',
  'GET /api/v4/users/{user_id}/channel_members',
  'POST /api/v4/channels/members/{user_id}/view',
  'GET /api/v4/users/{user_id}/teams/unread',
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels/categories',
  'GET /api/v4/users/{user_id}/teams/{team_id}/channels/categories/order',
  'GET /api/v4/users/{user_id}/teams/{team_id}/threads',
  'PUT /api/v4/posts/{post_id}',
  'PUT /api/v4/posts/{post_id}/patch',
  'POST /api/v4/posts/{post_id}/pin',
  'POST /api/v4/posts/{post_id}/unpin',
  'GET /api/v4/users/{user_id}/posts/flagged',
  'POST /api/v4/users/{user_id}/typing',
  'GET /api/v4/sharedchannels/{team_id}',
];

/** Calls at paths of Rocket.Chat also get its fields, unless they are refused before they reach the webhook. */
const isErrorSchema = (schema: any, path: string): boolean =>
  schema?.$ref === '#/components/schemas/ErrorDto' ||
  (path.endsWith('/{token}') && schema?.$ref === '#/components/schemas/RocketChatErrorDto');

/** On the built server, as it is shipped. */
describe('the OpenAPI document', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let admin: ApiClient;
  let document: any;
  let operations: { path: string; method: string; operation: any }[];

  beforeAll(async () => {
    database = await createTestDatabase();
    server = await ServerProcess.start({ ...database.env, ADMIN_PASSWORD }, { isBuilt: true });
    const login = await new ApiClient(server.url).login('admin', ADMIN_PASSWORD);
    if (!login) throw new Error('The login of admin is refused.');
    admin = login;
    const answer = await admin.get('/api/v4/openapi.json');
    expect(answer.status).toBe(200);
    document = JSON.parse(answer.text);
    operations = Object.entries<any>(document.paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const resolve = (schema: any): any =>
    schema?.$ref ? document.components.schemas[schema.$ref.split('/').pop()] : schema;
  const name = ({ method, path }: { method: string; path: string }): string =>
    `${method.toUpperCase()} ${path}`;

  it('is the one that the tests check every response against', () => {
    expect({ ...document, servers: [] }).toEqual(apiDocument());
  });

  it('contains the address of the server', () => {
    expect(document.servers).toEqual([{ url: server.url.replace('127.0.0.1', 'localhost') }]);
  });

  it('describes every group, those for users first', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    const declared: string[] = document.tags.map((tag: any) => tag.name);
    expect([...used].sort()).toEqual([...declared].sort());
    expect(document.tags.filter((tag: any) => !/^[A-Z].+\.$/.test(tag.description))).toEqual([]);
    expect(declared[0]).toBe('incoming webhooks');
    expect(declared.at(-1)).toBe('between servers');
  });

  it('has an example for every error, with its status', () => {
    const wrong = operations.flatMap((item) =>
      Object.entries<any>(item.operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content }]) => [status, content['application/json']] as const)
        .filter(([, { schema }]) => schema.$ref === '#/components/schemas/ErrorDto')
        .filter(([status, { example }]) => example?.status_code !== Number(status))
        .map(([status]) => `${name(item)} ${status}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has the error for a number instead of a text as the example of 400', async () => {
    const wrong = /^Invalid (\w+) in request body: must be a string$/;
    let compared = 0;
    const others: string[] = [];
    for (const { method, path, operation } of operations) {
      const { message = '' } = operation.responses['400']?.content['application/json'].example ?? {};
      const field = wrong.exec(message)?.[1];
      if (field === undefined) continue;
      const target = path.replace(/\{\w+\}/g, UNKNOWN);
      const { required = [] } = resolve(operation.requestBody.content['application/json'].schema);
      const body = { ...Object.fromEntries(required.map((one: string) => [one, ''])), [field]: 5 };
      const answer = await admin.send(method.toUpperCase(), target, body);
      if (answer.status !== 400) continue; // the path is looked up first
      if (answer.body.message !== message) others.push(`${path}: ${answer.body.message}`);
      compared += 1;
    }
    expect(others).toEqual([]);
    expect(compared).toBeGreaterThan(20);
  });

  const needsSession = ({ security = [] }: any): boolean =>
    security.length > 0 && security.every((one: object) => 'bearer' in one);

  it('lets tools send a token where it is optional', () => {
    expect(
      operations.find(({ operation }) => operation.operationId === 'createUser')!.operation.security,
    ).toEqual([{}, { bearer: [] }]);
    const posting = operations.find(({ operation }) => operation.operationId === 'executeIncomingWebhook')!;
    expect(posting.operation.security).toEqual([]);
  });

  const exampleOf = (operation: any, status: string): string =>
    operation.responses[status].content['application/json'].example.id;

  it('has the error without a session as the example of 401', async () => {
    const stranger = new ApiClient(server.url);
    const asked = operations.filter(
      ({ method, operation }) => method === 'get' && needsSession(operation) && operation.responses['401'],
    );
    for (const { path, operation } of asked) {
      const { status, body } = await stranger.get(path.replace(/\{\w+\}/g, UNKNOWN));
      expect([path, status, body.id]).toEqual([path, 401, exampleOf(operation, '401')]);
    }
    expect(asked.length).toBeGreaterThan(50);
  });

  it('has the error for something unknown as the example of 404', async () => {
    const asked = operations.filter(
      ({ method, path, operation }) => method === 'get' && path.includes('{') && operation.responses['404'],
    );
    const wrong: string[] = [];
    for (const { path, operation } of asked) {
      const { status, body } = await admin.get(path.replace(/\{\w+\}/g, UNKNOWN));
      if (status === 404 && body.id !== exampleOf(operation, '404')) wrong.push(`${path} ${body.id}`);
    }
    expect(wrong).toEqual([]);
    expect(asked.length).toBeGreaterThan(30);
  });

  it('gives every operation the permission it needs', () => {
    const silent = operations.filter(({ operation }) => !/Permission: /.test(operation.description ?? ''));
    expect(silent.map(name)).toEqual([]);
  });

  it('types every number as an integer up to the size of a timestamp, except choices', () => {
    const numbers: any[] = [];
    const collect = (value: any): void => {
      if (value === null || typeof value !== 'object') return;
      if (value.type === 'number' || value.type === 'integer') numbers.push(value);
      Object.values(value).forEach(collect);
    };
    collect(document.components.schemas);
    expect(numbers.length).toBeGreaterThan(50);
    expect(
      numbers.filter((schema) => !schema.enum && (schema.type !== 'integer' || schema.format !== 'int64')),
    ).toEqual([]);
  });

  it('states the credentials of every operation, and never marks an optional field as required', () => {
    expect(operations.filter(({ operation }) => !Array.isArray(operation.security)).map(name)).toEqual([]);
    const defaults = Object.entries<any>(document.components.schemas).flatMap(
      ([schema, { properties = {} }]) =>
        Object.entries<any>(properties)
          .filter(([, field]) => field.default !== undefined)
          .map(([field]) => `${schema}.${field}`),
    );
    expect(defaults).toEqual([]);
  });

  it('documents 413 for every operation that reads a body', () => {
    const silent = operations.filter(
      ({ method, operation }) => method !== 'get' && operation.responses['413'] === undefined,
    );
    expect(silent.map(name)).toEqual([]);
  });

  it('has a schema with fields for every success', () => {
    const available = operations.filter(
      ({ operation }) => !operation.tags.includes(EMPTY_TAG) || !operation.responses['501'],
    );
    const empty = available.filter(({ operation }) => {
      const [status, success] =
        Object.entries<any>(operation.responses).find(([code]) => /^(2..|101)$/.test(code)) ?? [];
      if (status === '204') return false;
      const contents = Object.values<any>(success?.content ?? {});
      return (
        contents.length === 0 ||
        contents.some(
          ({ schema }) =>
            !schema || (schema.$ref && Object.keys(resolve(schema)?.properties ?? {}).length === 0),
        )
      );
    });
    expect(empty.map(name)).toEqual([]);
  });

  it('has the error schema for every error, and 401 wherever a session is required', () => {
    const isReport = (item: (typeof operations)[number], status: string): boolean =>
      name(item) === 'GET /api/v4/system/ping' && status === '500'; // the unhealthy parts
    const wrong = operations.flatMap((item) =>
      Object.entries<any>(item.operation.responses)
        .filter(([status]) => Number(status) >= 400 && !isReport(item, status))
        .filter(([, response]) => !isErrorSchema(response.content?.['application/json']?.schema, item.path))
        .map(([status]) => `${name(item)} ${status}`),
    );
    expect(wrong).toEqual([]);
    const silent = operations.filter(
      ({ operation }) => needsSession(operation) && !operation.responses['401'],
    );
    expect(silent.map(name)).toEqual([]);
    expect(Object.keys(document.components.schemas.ErrorDto.properties)).toEqual([
      'id',
      'message',
      'detailed_error',
      'request_id',
      'status_code',
    ]);
  });

  it('has a 403 wherever a permission is required', () => {
    const asksNone = /Permission: (anybody|none|any signed-in user|the peer of a secure connection)$/;
    const silent = operations.filter(
      ({ operation }) => !asksNone.test(operation.description) && !operation.responses['403'],
    );
    // Without the permission, these find less.
    expect(silent.map(name)).toEqual([
      'POST /api/v4/teams/search',
      'POST /api/v4/posts/ids',
      'POST /api/v4/hooks/outgoing/stats',
    ]);
  });

  it('documents the headers of a rate limit', () => {
    const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    for (const path of ['/hooks/{id}', '/hooks/{id}/{token}', '/services/{team}/{app}/{secret}']) {
      const { responses } = document.paths[path].post;
      expect(Object.keys(responses['200'].headers)).toEqual(limits);
      expect(Object.keys(responses['429'].headers)).toEqual([...limits, 'Retry-After']);
    }
  });

  it('has a 404 wherever the path names something', () => {
    const silent = operations.filter(
      ({ path, operation }) =>
        path.includes('{') && !operation.responses['404'] && !operation.tags.includes(EMPTY_TAG),
    );
    expect(silent.map(name)).toEqual(ANSWER_OTHERWISE);
  });

  it.each(ANSWER_OTHERWISE.map((operation) => operation.split(' ')))(
    'documents the response of %s %s to something unknown',
    async (method = '', path = '') => {
      const target = path.replace(/\{\w*name\}/, 'nobody').replace(/\{\w+\}/g, UNKNOWN);
      const whole = { id: UNKNOWN, channel_id: UNKNOWN, session_id: UNKNOWN, roles: 'system_user' };
      const body = path.endsWith('/ids') ? [UNKNOWN] : whole;
      const answer = await admin.send(method, target, method === 'GET' ? undefined : body);
      expect(answer.status).not.toBe(404);
      expect(Object.keys(document.paths[path][method.toLowerCase()].responses)).toContain(
        String(answer.status),
      );
    },
  );

  it('documents the bodies of calls that accept one', () => {
    const bodies = operations
      .filter(({ method, operation }) => ['post', 'put', 'patch'].includes(method) && operation.requestBody)
      .map((item) => ({
        item,
        schema: resolve(Object.values<any>(item.operation.requestBody.content)[0].schema),
      }));
    expect(bodies.length).toBeGreaterThan(30);
    expect(
      bodies
        .filter(
          ({ schema }) =>
            !schema ||
            (schema.type === 'object' &&
              !schema.additionalProperties &&
              Object.keys(schema.properties ?? {}).length === 0),
        )
        .map(({ item }) => name(item)),
    ).toEqual([]);
  });
});
