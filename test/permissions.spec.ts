import { readdirSync, readFileSync } from 'node:fs';
import { AppModule } from '../src/app.module.js';
import { STOCK_PERMISSIONS } from '../src/messaging/permissions/stock-permissions.js';

const OFFERED_BY_CLIENTS = 'the server has no such route; clients read from roles whether to offer it';

/** Permissions that roles grant and no code asks for, each with the reason. */
const NOT_ASKED_FOR: Readonly<Record<string, string>> = {
  import_team: OFFERED_BY_CLIENTS,
  add_reaction: OFFERED_BY_CLIENTS,
  remove_reaction: OFFERED_BY_CLIENTS,
  get_public_link: OFFERED_BY_CLIENTS,
  use_group_mentions: OFFERED_BY_CLIENTS,
};

const sources = readdirSync('src', { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(`src/${file}`, 'utf8'));

/** What `definePermissions` makes anywhere in src, as the code calls it: `TeamPermission.ManageTeam`. */
const defined = sources.flatMap((text) =>
  [...text.matchAll(/export const (\w+) = definePermissions\(\{(.*?)\}\)/gs)].flatMap(([, group, body]) =>
    [...body!.matchAll(/(\w+): \[\s*'(\w+)'/g)].map(([, name, wireName]) => ({
      usage: `${group}.${name}`,
      wireName: wireName!,
    })),
  ),
);

describe('permissions', () => {
  it('are declared by a module, all of them', () => {
    const declared = AppModule.declared.permissions.map(({ permission }) => permission as string);
    expect(declared.length).toBeGreaterThan(50);
    expect(defined.map(({ wireName }) => wireName).sort()).toEqual(declared.sort());
  });

  it('are asked for by a route or in the code, but for the ones with a reason', () => {
    const isAskedFor = (usage: string): boolean =>
      sources.some((text) => new RegExp(`\\b${usage.replace('.', '\\.')}\\b`).test(text));
    const unused = defined.filter(({ usage }) => !isAskedFor(usage)).map(({ wireName }) => wireName);
    expect(unused.sort()).toEqual(Object.keys(NOT_ASKED_FOR).sort());
  });

  it('have stock names, except the one that stock clients split', () => {
    const declared = defined.map(({ wireName }) => wireName);
    expect(declared.filter((name) => !STOCK_PERMISSIONS.get(name)?.includes(name))).toEqual([
      'manage_webhooks',
    ]);
    const granted = [...STOCK_PERMISSIONS.values()].flat();
    expect(granted.filter((name) => !declared.includes(name))).toEqual([]);
  });
});
