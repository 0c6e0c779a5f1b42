import { byteLength } from '../../../platform/common/utf8.js';
import { Sequence } from '../../../platform/common/sequence.js';
import type { JsonObject } from '../../../platform/common/json.js';
import type { Fields } from './fields.js';
import type { MattermostDatabase, SourceRow } from './source.js';
import { Left, type TableImport } from './table-import.js';

const MAX_MESSAGE_BYTES = 65_535;
const MAX_HASHTAGS = 1_000;
const MAX_PATH = 1_000;

/** Adds what other tables and rows say about posts: existing roots, replies, files and priorities. */
async function withRelations(rows: SourceRow[], source: MattermostDatabase): Promise<SourceRow[]> {
  const ids = rows.map((row) => row['Id']);
  const roots = [...new Set(rows.map((row) => row['RootId'] || row['ParentId']).filter(Boolean))];
  const withFiles = rows.filter(hasFiles).map((row) => row['Id']);
  const originals = rows.map((row) => row['OriginalId']).filter(Boolean);
  const known = await inTable(source, 'Posts', ['Id'], 'Id', [...roots, ...originals]);
  const threads = await source.ask(
    'Posts',
    'SELECT RootId, COUNT(*) AS Replies, MAX(CreateAt) AS LastReplyAt',
    "WHERE RootId IN (?) AND DeleteAt = 0 AND OriginalId = '' GROUP BY RootId",
    [ids],
  );
  const files = await inTable(
    source,
    'FileInfo',
    ['PostId', 'Name', 'Path', 'DeleteAt'],
    'PostId',
    withFiles,
  );
  const priorities = await inTable(source, 'PostsPriority', PRIORITY, 'PostId', ids);
  const existing = new Set(known.map((row) => row['Id']));
  const threadOf = new Map(threads.map((row) => [row['RootId'], row]));
  const priorityOf = new Map(priorities.map((row) => [row['PostId'], row]));
  return rows.map((row) => ({
    ...row,
    ...threadOf.get(row['Id']),
    RootId: row['RootId'] || row['ParentId'],
    HasRoot: Number(existing.has(row['RootId'] || row['ParentId'])),
    HasOriginal: Number(existing.has(row['OriginalId'])),
    Files: JSON.stringify(files.filter((file) => file['PostId'] === row['Id'])),
    ...priorityOf.get(row['Id']),
  }));
}

const PRIORITY = ['PostId', 'Priority', 'RequestedAck', 'PersistentNotifications'];

function inTable(
  source: MattermostDatabase,
  table: string,
  columns: readonly string[],
  column: string,
  values: readonly unknown[],
): Promise<SourceRow[]> {
  if (values.length === 0) return Promise.resolve([]);
  return source.rows(table, columns, { sql: `WHERE ${column} IN (?)`, parameters: [values] });
}

const hasFiles = (row: SourceRow): boolean => /\w/.test(String(row['FileIds'] ?? ''));

/** The names of files as a line of the message, and their paths as a prop: files themselves are not imported. */
function withFileNames(fields: Fields, message: string, props: JsonObject) {
  const files = fields.objects('Files').map((file) => ({
    name: textOf(file['Name']) || 'file',
    path: textOf(file['Path']).slice(0, MAX_PATH),
  }));
  if (files.length === 0) return { message, props };
  for (const { name } of files) fields.note('file: only its name is imported', name.slice(0, 100));
  const names = files.map(({ name }) => name).join(', ');
  const line = `${message === '' ? '' : '\n'}[${files.length === 1 ? 'File' : 'Files'}: ${names}]`;
  const isShort = byteLength(message) + byteLength(line) <= MAX_MESSAGE_BYTES;
  return { message: isShort ? message + line : message, props: { ...props, imported_files: files } };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function metadataOf(fields: Fields): JsonObject {
  if (!fields.has('Priority')) return {};
  const flags = { requested_ack: 'RequestedAck', persistent_notifications: 'PersistentNotifications' };
  const set = Object.entries(flags).filter(([, column]) => fields.flag(column));
  return {
    priority: { priority: fields.text('Priority'), ...Object.fromEntries(set.map(([name]) => [name, true])) },
  };
}

/** The hashtags of a post as far as there is room, without a part of one. */
function hashtagsOf(fields: Fields): string {
  const text = fields.text('Hashtags');
  return text.length <= MAX_HASHTAGS ? text : text.slice(0, text.lastIndexOf(' ', MAX_HASHTAGS));
}

/** Posts with their earlier versions. `sequence` orders those of one millisecond. */
export function postsTable(sequence: Sequence): TableImport<'Post'> {
  return {
    from: 'Posts',
    to: 'Post',
    key: ['Id'],
    keyHere: ['id'],
    name: 'Id',
    changedAt: 'UpdateAt',
    columns: [
      ...['Id', 'CreateAt', 'UpdateAt', 'EditAt', 'DeleteAt', 'UserId', 'ChannelId', 'RootId', 'ParentId'],
      ...['OriginalId', 'Message', 'Type', 'Props', 'Hashtags', 'FileIds', 'IsPinned', 'RemoteId'],
    ],
    kept: ['seq', 'sourceId', 'pendingPostId'],
    complete: withRelations,
    map(fields, world) {
      const [id, channelId, userId] = [fields.id('Id'), fields.id('ChannelId'), fields.id('UserId')];
      if (id === '') return new Left('malformed id');
      if (!world.channels.has(channelId)) return new Left('the channel does not exist');
      if (!world.users.has(userId)) return new Left('the author does not exist');
      const originalId = fields.id('OriginalId');
      if (originalId !== '' && !fields.flag('HasOriginal')) return new Left('an earlier version of no post');
      const createAt = fields.time('CreateAt');
      const rootId = fields.id('RootId');
      if (rootId !== '' && !fields.flag('HasRoot'))
        fields.note('reply to a missing post: now a message of its own');
      const remoteId = fields.id('RemoteId');
      const text = fields.bytes('Message', MAX_MESSAGE_BYTES);
      return {
        id,
        seq: sequence.at(createAt),
        createAt,
        updateAt: fields.time('UpdateAt'),
        editAt: fields.time('EditAt'),
        deleteAt: fields.time('DeleteAt'),
        userId,
        channelId,
        rootId: fields.flag('HasRoot') ? rootId : '',
        originalId,
        ...withFileNames(fields, text, fields.object('Props')),
        type: fields.text('Type', 26),
        hashtags: hashtagsOf(fields),
        isPinned: fields.flag('IsPinned'),
        pendingPostId: '',
        metadata: metadataOf(fields),
        replyCount: fields.count('Replies'),
        lastReplyAt: fields.time('LastReplyAt'),
        remoteId: world.remotes.has(remoteId) ? remoteId : '',
        sourceId: '',
      };
    },
  };
}
