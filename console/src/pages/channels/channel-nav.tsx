import { Badge, ColorSwatch, NavLink, TextInput, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronRight, IconHash, IconLock, IconSearch, IconUser, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useUser } from '../../app/session';
import { Growing } from '../../parts/growing';
import type { OwnChannel } from './channel-list';
import { useNames } from './channel-queries';

const ICONS = { O: IconHash, P: IconLock, D: IconUser, G: IconUsers } as const;
const DIRECT = 'direct';
/** Only the latest direct channels are listed, because each needs a name. */
const MAX_DIRECT = 40;

/** The icon of a kind of channel. */
export function ChannelIcon({ type }: { readonly type: string | undefined }): ReactNode {
  const Icon = ICONS[type as keyof typeof ICONS] ?? IconHash;
  return <Icon size={16} stroke={1.75} aria-hidden />;
}

interface ChannelNavProps {
  readonly channels: readonly OwnChannel[];
  readonly directs: readonly OwnChannel[];
  readonly teams: readonly { readonly id: string; readonly display_name: string }[];
  readonly teamId: string;
  /** The open channel. */
  readonly channelId: string;
}

/** The user's channels by team, with what is unread. Other teams are folded. */
export function ChannelNav({ channels, directs, teams, teamId, channelId }: ChannelNavProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const groups = [
    ...teams.map(({ id, display_name: title }) => ({
      ...{ id, title, entries: channels.filter(({ team_id: of }) => of === id) },
    })),
    { id: DIRECT, title: 'Direct messages', entries: directs },
  ].sort((a, b) => Number(b.id === teamId) - Number(a.id === teamId));
  const text = typed.trim().toLowerCase();
  const toggle = (id: string): void =>
    setToggled((now) => new Set(now.has(id) ? [...now].filter((one) => one !== id) : [...now, id]));
  return (
    <nav className="chat-nav" aria-label="Channels">
      <TextInput
        type="search"
        size="xs"
        m="xs"
        leftSection={<IconSearch size={14} aria-hidden />}
        aria-label="Find a channel"
        placeholder="Find a channel"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div className="scrolling">
        {groups.map(({ id, title, entries }) => {
          const found = entries.filter(({ display_name: name }) => name.toLowerCase().includes(text));
          const isOpen = text !== '' || (id === teamId || id === DIRECT) !== toggled.has(id);
          const isUnread = !isOpen && entries.some((one) => one.isUnread);
          if (found.length === 0) return null;
          return (
            <div key={id} role="group" aria-label={title}>
              <UnstyledButton className="chat-group" aria-expanded={isOpen} onClick={() => toggle(id)}>
                <IconChevronRight size={13} aria-hidden />
                <span>{title}</span>
                {isUnread && <Dot />}
              </UnstyledButton>
              {isOpen && (
                <Growing items={found}>
                  {(shown) =>
                    shown.map((channel) => (
                      <Entry key={channel.id} channel={channel} isOpen={channel.id === channelId} />
                    ))
                  }
                </Growing>
              )}
            </div>
          );
        })}
      </div>
    </nav>
  );
}

function Entry({ channel, isOpen }: { readonly channel: OwnChannel; readonly isOpen: boolean }): ReactNode {
  const { id, team_id: team, type, display_name: name, isUnread, mentions } = channel;
  const isMarked = isUnread && !isOpen;
  return (
    <NavLink
      renderRoot={(props) => (
        <Link {...props} to="/channels" search={team === '' ? { channel: id } : { team, channel: id }} />
      )}
      active={isOpen}
      aria-current={isOpen ? 'page' : undefined}
      {...{ px: 8, py: 3, mih: { base: 40, sm: 30 }, bdrs: 'md', td: 'none' }}
      noWrap
      label={name}
      fw={isMarked ? 650 : undefined}
      leftSection={<ChannelIcon type={type} />}
      rightSection={
        isMarked &&
        (mentions > 0 ? (
          <Badge size="sm" radius="xl" variant="filled">
            {mentions}
            <VisuallyHidden> mentions</VisuallyHidden>
          </Badge>
        ) : (
          <Dot />
        ))
      }
    />
  );
}

const Dot = (): ReactNode => (
  <ColorSwatch size={8} ml="auto" color="var(--mantine-primary-color-filled)" withShadow={false}>
    <VisuallyHidden>unread</VisuallyHidden>
  </ColorSwatch>
);

/** The latest direct and group channels, by the names of the others. */
export function useDirect(channels: readonly OwnChannel[]): OwnChannel[] {
  const { id: me } = useUser();
  const latest = channels
    .filter(({ type }) => type === 'D' || type === 'G')
    .sort((a, b) => b.last_post_at - a.last_post_at)
    .slice(0, MAX_DIRECT);
  const otherIn = ({ name }: OwnChannel): string => name.split('__').find((id) => id !== me) ?? me;
  const nameOf = useNames(latest.filter(({ type }) => type === 'D').map(otherIn));
  return latest.map((one) =>
    one.type === 'D' ? { ...one, display_name: nameOf(otherIn(one)) || '…' } : one,
  );
}
