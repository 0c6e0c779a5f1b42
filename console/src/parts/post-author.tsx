import { Badge, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Avatar } from './avatar';
import { WebLink } from './web-link';

interface PostAuthorProps {
  /** The author, or the owner of the webhook that posted it. */
  readonly name: string;
  readonly props: Readonly<Record<string, unknown>>;
}

const PICTURE = /^\/static\/emoji\/([0-9a-f]{1,5}(?:-[0-9a-f]{1,5})*)\.png$/;

/** Avatar of a message: its emoji, or the first letters of the displayed name, because no images are loaded. */
export function PostAvatar({ name, props }: PostAuthorProps): ReactNode {
  const emoji = emojiOf(props);
  return (
    <Avatar name={shownNameOf(name, props)}>
      {emoji === '' ? undefined : (
        <span role="img" aria-label={emoji} title={emoji}>
          {characterOf(textOf(props['override_icon_url'])) ?? emoji.slice(0, 3)}
        </span>
      )}
    </Avatar>
  );
}

/** Displayed name of a message, and whether a bot or a webhook posted it. */
export function PostAuthor({ name, props }: PostAuthorProps): ReactNode {
  const shownAs = shownNameOf(name, props);
  const picture = textOf(props['override_icon_url']);
  const kind = props['from_webhook'] === 'true' ? 'Webhook' : props['from_bot'] === 'true' && 'Bot';
  return (
    <>
      {shownAs !== '' && (
        <Text component="b" size="sm" fw={600}>
          {shownAs}
        </Text>
      )}
      {kind && (
        <Badge size="xs" radius="sm" variant="default" tt="none">
          {kind}
        </Badge>
      )}
      {emojiOf(props) === '' && picture !== '' && (
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

const emojiOf = (props: PostAuthorProps['props']): string =>
  textOf(props['override_icon_emoji']).replace(/^:?(.+?):?$/, ':$1:');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The emoji for a server image URL. */
function characterOf(picture: string): string | undefined {
  const points = PICTURE.exec(picture)?.[1]
    ?.split('-')
    .map((point) => Number.parseInt(point, 16));
  return points?.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : undefined;
}
