import { Avatar, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { myTeams, useTeam } from '../parts/team-picker';

/** The team whose records are shown; a menu if the user has several. */
export function TeamSwitcher({ isNarrow }: { readonly isNarrow: boolean }): ReactNode {
  const { data: teams = [] } = useQuery(myTeams);
  const [teamId, choose] = useTeam();
  const name = teams.find(({ id }) => id === teamId)?.display_name ?? '';
  const navigate = useNavigate();
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (teams.length < 2) return null;
  const change = (chosen: string): void => {
    choose(chosen);
    if (path === '/channels') void navigate({ to: '/channels', search: { team: chosen } });
  };
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className="foot-button" aria-label={`Switch team, ${name}`}>
          <Avatar size={26} radius="sm" color="iris" aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </Avatar>
          {!isNarrow && (
            <>
              <Text component="span" size="sm" fw={500} truncate>
                {name}
              </Text>
              <IconSelector size={16} aria-hidden="true" />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" className="scrolling">
        <Menu.Label>Team</Menu.Label>
        <Menu.RadioGroup value={teamId} onChange={change}>
          {teams.map(({ id, display_name: title }) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
