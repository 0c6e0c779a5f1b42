import {
  ActionIcon,
  Anchor,
  Badge,
  Breadcrumbs,
  Burger,
  Group,
  Kbd,
  Text,
  Tooltip,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconPlugConnectedX, IconSearch } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, type Ref, useEffect, useSyncExternalStore } from 'react';
import { useCurrentTitle } from './page-title';
import { pageAt } from './pages';
import { live } from './services';

interface HeaderProps {
  readonly isMenuOpen: boolean;
  readonly menuButton: Ref<HTMLButtonElement>;
  readonly onMenu: () => void;
  readonly onSearch: () => void;
}

/** Where the user is, the state of the connection, and the search. */
export function Header({ isMenuOpen, menuButton, onMenu, onSearch }: HeaderProps): ReactNode {
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap">
      <Burger
        ref={menuButton}
        aria-label="Menu"
        aria-expanded={isMenuOpen}
        aria-controls="pages"
        opened={isMenuOpen}
        onClick={onMenu}
        hiddenFrom="sm"
        size="sm"
      />
      <Crumbs />
      <Connection />
      <UnstyledButton
        className="search-button"
        onClick={onSearch}
        aria-keyshortcuts="Control+K"
        visibleFrom="sm"
      >
        <IconSearch size={15} aria-hidden="true" />
        <span>Search</span>
        <Kbd size="xs" aria-hidden="true">
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ActionIcon size="lg" aria-label="Search" onClick={onSearch} hiddenFrom="sm">
        <IconSearch size={18} />
      </ActionIcon>
    </Group>
  );
}

function Crumbs(): ReactNode {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const current = useCurrentTitle();
  const found = pageAt(path);
  const isRecord = path !== found?.page.to && current !== '';
  useEffect(() => {
    const title = current || (found?.page.heading ?? found?.page.title);
    document.title = title === undefined ? 'Hookline' : `${title} – Hookline`;
  }, [current, found?.page]);
  return (
    <nav aria-label="Breadcrumb" className="crumbs">
      <Breadcrumbs separatorMargin={6}>
        {found && found.group !== '' && (
          <Text c="dimmed" size="sm" data-group>
            {found.group}
          </Text>
        )}
        {found &&
          (isRecord ? (
            <Anchor component={Link} to={found.page.to} size="sm" c="dimmed">
              {found.page.title}
            </Anchor>
          ) : (
            <Text size="sm" fw={500} aria-current="page">
              {found.page.title}
            </Text>
          ))}
        {isRecord && (
          <Text size="sm" fw={500} truncate aria-current="page">
            {current}
          </Text>
        )}
      </Breadcrumbs>
    </nav>
  );
}

const CONNECTIONS = {
  connecting: { color: 'pending', text: 'Connecting…' },
  connected: { color: 'delivered', text: 'Connected' },
  lost: { color: 'failed', text: 'Not connected; retrying' },
} as const;

/** Whether news arrive by themselves; only words if they do not. */
function Connection(): ReactNode {
  const state = useSyncExternalStore(live.watch, () => live.state);
  const { color, text } = CONNECTIONS[state];
  return (
    <div role="status">
      {state === 'lost' ? (
        <Badge color={color} size="lg" fz="xs" leftSection={<IconPlugConnectedX size={14} />}>
          {text}
        </Badge>
      ) : (
        <Tooltip label={state === 'connected' ? 'Connected: changes appear live' : text}>
          <span className="connection-dot" data-color={color}>
            <VisuallyHidden>{text}</VisuallyHidden>
          </span>
        </Tooltip>
      )}
    </div>
  );
}
