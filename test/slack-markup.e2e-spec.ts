import type { ApiClient } from './support/api-client.mjs';
import { buildIncomingHook, buildTeam } from './factories/incoming-hooks.js';
import { joinChannel } from './factories/posts.js';
import { joinTeam } from './factories/teams.js';
import { type BuiltUser, buildUser } from './factories/users.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** docs/contract/incoming-webhooks.md#text */
describe('Slack markup', () => {
  let server: TestServer;
  let admin: ApiClient;
  let channelId: string;
  let hookId: string;
  let member: BuiltUser;

  const send = async (payload: object): Promise<any> => {
    const answer = await server.anonymous.post(`/hooks/${hookId}`, payload);
    expect(answer).toMatchObject({ status: 200 });
    const { body } = await admin.get(`/channels/${channelId}/posts?per_page=1`);
    return body.posts[body.order[0]];
  };

  beforeAll(async () => {
    server = await startTestServer();
    ({ admin } = server);
    const team = await buildTeam(admin);
    ({ channelId } = team);
    hookId = (await buildIncomingHook(admin, channelId)).id;
    member = await buildUser(server);
    await joinTeam(server, team.id, member.id);
    await joinChannel(admin, channelId, member.id);
  });

  /** The number of times that the payload mentions the member. */
  const mentionsBy = async (payload: object): Promise<number> => {
    const path = `/channels/${channelId}/members/${member.id}`;
    const before = (await admin.get(path)).body.mention_count;
    await send(payload);
    return (await admin.get(path)).body.mention_count - before;
  };

  afterAll(() => server.close());

  describe('in literal text', () => {
    const blocksOf = (text: string): Record<string, object> => {
      const plain = { type: 'plain_text', text };
      const rich = (type: string, style = {}): object => ({
        type: 'rich_text',
        elements: [{ type, elements: [{ type: 'text', text, style }] }],
      });
      return {
        header: { type: 'header', text: plain },
        section: { type: 'section', text: plain },
        fields: { type: 'section', fields: [plain] },
        context: { type: 'context', elements: [plain] },
        button: { type: 'actions', elements: [{ type: 'button', text: plain, url: 'https://host/1' }] },
        picture: { type: 'image', image_url: 'https://host/i.png', title: plain, alt_text: text },
        'rich text': rich('rich_text_section'),
        'bold text': rich('rich_text_section', { bold: true }),
        quote: rich('rich_text_quote'),
        code: rich('rich_text_section', { code: true }),
        'block of code': rich('rich_text_preformatted'),
      };
    };
    const nobody = (): string =>
      `<!channel> <!here|here> <@${member.id}> @all @channel @here @${member.username} <https://a|b>`;

    it.each(Object.keys(blocksOf('')))('of a %s mentions nobody and has no links', async (name) => {
      const block = blocksOf(nobody())[name];
      expect(await mentionsBy({ text: 'Fallback.', blocks: [block] })).toBe(0);
      const post = await send({ blocks: [block], attachments: [{ blocks: [block] }] });
      const shown = [post.message, ...post.props.attachments.map(({ text, title }: any) => text || title)];
      for (const text of shown.filter((part: string) => part !== '')) {
        expect(text.replaceAll('\u200b', '').replaceAll('\\<', '<')).toContain(nobody());
      }
    });

    it('is not parsed in mrkdwn, and only mentions with verbatim', async () => {
      const section = (fields: object): object => ({
        blocks: [{ type: 'section', text: { type: 'mrkdwn', ...fields } }],
      });
      expect(await mentionsBy(section({ text: '<!channel>' }))).toBe(1);
      expect(await mentionsBy(section({ text: `@${member.username}` }))).toBe(1);
      expect(await mentionsBy(section({ text: '@all @here', verbatim: true }))).toBe(0);
      expect(await mentionsBy(section({ text: `<@${member.id}>`, verbatim: true }))).toBe(1);
    });
  });
});
