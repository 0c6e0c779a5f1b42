import { readdirSync, readFileSync } from 'node:fs';
import { AppModule } from '../src/app.module.js';
import { STOCK_PERMISSIONS } from '../src/messaging/permissions/stock-permissions.js';
import { permissionCases } from './support/module-access.js';

const OFFERED_BY_CLIENTS = 'the server has no such route; clients read from roles whether to offer it';

/** Permissions that roles grant but no code requires, each with the reason. */
const NOT_ASKED_FOR: Readonly<Record<string, string>> = {
  import_team: OFFERED_BY_CLIENTS,
  add_reaction: OFFERED_BY_CLIENTS,
  remove_reaction: OFFERED_BY_CLIENTS,
  get_public_link: OFFERED_BY_CLIENTS,
  use_group_mentions: OFFERED_BY_CLIENTS,
  view_members: 'all users see each other; clients read from roles whether to show users',
};

const sources = readdirSync('src', { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(`src/${file}`, 'utf8'));

/** The results of `definePermissions` in src, as used in code: `TeamPermission.ManageTeam`. */
const defined = sources.flatMap((text) =>
  [...text.matchAll(/export const (\w+) = definePermissions\(\{(.*?)\}\)/gs)].flatMap(([, group, body]) =>
    [...body!.matchAll(/(\w+): \[\s*'(\w+)'/g)].map(([, name, wireName]) => ({
      usage: `${group}.${name}`,
      wireName: wireName!,
    })),
  ),
);

describe('permissions', () => {
  it('are all declared by a module', () => {
    const declared = AppModule.declared.permissions.map(({ permission }) => permission as string);
    expect(declared.length).toBeGreaterThan(50);
    expect(defined.map(({ wireName }) => wireName).sort()).toEqual(declared.sort());
  });

  it('are required by a route or in the code, except those listed with a reason', () => {
    const isAskedFor = (usage: string): boolean =>
      sources.some((text) => new RegExp(`\\b${usage.replace('.', '\\.')}\\b`).test(text));
    const unused = defined.filter(({ usage }) => !isAskedFor(usage)).map(({ wireName }) => wireName);
    expect(unused.sort()).toEqual(Object.keys(NOT_ASKED_FOR).sort());
  });

  it('have stock names, except those of our own modules, and one that stock clients split', () => {
    const declared = defined.map(({ wireName }) => wireName).sort();
    const own = permissionCases(() => {
      throw new Error('No case runs here.');
    }).map(([permission]) => permission);
    expect(declared.filter((name) => !STOCK_PERMISSIONS.get(name)?.includes(name))).toEqual(
      [...own, 'manage_webhooks'].sort(),
    );
    const granted = [...STOCK_PERMISSIONS.values()].flat();
    expect(granted.filter((name) => !declared.includes(name))).toEqual([]);
  });
});
