import type { JsonObject } from '../../../platform/common/json.js';
import { isJsonObject } from '../../../platform/common/json.js';
import { byteLength } from '../../../platform/common/utf8.js';
import { pictureUrl } from '../../../messaging/posts/content/safe-url.js';
import { requireValidUsername } from '../../../incoming-hooks/incoming-hook.rules.js';

const MAX_NAME_BYTES = 64;
const MAX_ICON_BYTES = 1024;

/** The text without what a database refuses. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** A document of the collection `rocketchat_integrations`. Fields of another type count as absent. */
export class Integration {
  readonly id: string;
  readonly type: string;
  /** For the report. */
  readonly name: string;
  readonly token: string;
  /** The account that it posts as. */
  readonly username: string;
  /** `#name` and `@name`, or words such as `all_public_channels`. */
  readonly channels: readonly string[];
  /** What is not as it was. */
  readonly notes: string[] = [];

  constructor(private readonly document: JsonObject) {
    const id = document['_id'];
    this.id = isJsonObject(id) && typeof id['$oid'] === 'string' ? id['$oid'] : this.text('_id');
    this.type = this.text('type');
    this.name = this.text('name') || this.id;
    this.token = this.text('token');
    this.username = this.text('username').toLowerCase();
    const { channel } = document;
    this.channels = (typeof channel === 'string' ? channel.split(',') : this.texts('channel'))
      .map((each) => each.trim())
      .filter(Boolean);
  }

  text(field: string): string {
    const value = this.document[field];
    return typeof value === 'string' ? clean(value) : '';
  }

  texts(field: string): string[] {
    const value = this.document[field];
    const list: unknown[] = Array.isArray(value) ? value : [];
    return list.filter((item) => typeof item === 'string').map((item) => clean(item).trim());
  }

  is(field: string): boolean | undefined {
    const value = this.document[field];
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Why it must not work at once; undefined if it may. */
  get pausedBecause(): string | undefined {
    if (this.is('scriptEnabled') && this.text('script').trim() !== '') return 'its script cannot run here';
    return this.is('enabled') === true ? undefined : 'it was disabled in Rocket.Chat';
  }

  /** The name and the picture of its posts, as far as they are possible here. */
  look(): { readonly displayName: string; readonly username: string; readonly iconUrl: string } {
    let displayName = this.name.slice(0, MAX_NAME_BYTES);
    while (byteLength(displayName) > MAX_NAME_BYTES) displayName = displayName.slice(0, -1);
    if (displayName !== this.name) this.notes.push('its name was shortened');
    if (this.text('emoji') !== '') this.notes.push('its emoji was left out: set a picture');
    return { displayName: clean(displayName), username: this.alias(), iconUrl: this.picture() };
  }

  private alias(): string {
    const alias = this.text('alias').trim();
    const username = alias
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, '-')
      .slice(0, MAX_NAME_BYTES);
    try {
      requireValidUsername(username);
    } catch {
      this.notes.push(`its alias ${JSON.stringify(alias)} is not possible here`);
      return '';
    }
    if (username !== alias) this.notes.push(`it posts as ${username} instead of ${JSON.stringify(alias)}`);
    return username;
  }

  private picture(): string {
    const avatar = this.text('avatar') || this.text('avatarUrl');
    const url = byteLength(avatar) > MAX_ICON_BYTES ? '' : pictureUrl(avatar);
    if (url !== avatar) this.notes.push('its avatar is not possible here');
    return url;
  }
}
