import type { ReactNode } from 'react';
import { WebLink } from './web-link';

interface PostAuthorProps {
  /** The author, or the owner of the webhook that posted it. */
  readonly name: string;
  readonly props: Readonly<Record<string, unknown>>;
}

const PICTURE = /^\/static\/emoji\/([0-9a-f]{1,5}(?:-[0-9a-f]{1,5})*)\.png$/;

/** Displayed name and icon of a message: emoji as text, images as links, because none are loaded. */
export function PostAuthor({ name, props }: PostAuthorProps): ReactNode {
  const shownAs = shownNameOf(name, props);
  const emoji = textOf(props['override_icon_emoji']).replace(/^:?(.+?):?$/, ':$1:');
  const picture = textOf(props['override_icon_url']);
  return (
    <>
      {emoji !== '' && (
        <span role="img" aria-label={emoji} title={emoji}>
          {characterOf(picture) ?? emoji}
        </span>
      )}
      {shownAs !== '' && <b>{shownAs}</b>}
      {emoji === '' && picture !== '' && (
        <small>
          <WebLink to={picture}>icon</WebLink>
        </small>
      )}
    </>
  );
}

/** The displayed author name. */
export const shownNameOf = (name: string, props: PostAuthorProps['props']): string =>
  textOf(props['override_username']) || name;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The emoji for a server image URL. */
function characterOf(picture: string): string | undefined {
  const points = PICTURE.exec(picture)?.[1]
    ?.split('-')
    .map((point) => Number.parseInt(point, 16));
  return points?.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}
