import {
  Avatar,
  Menu,
  type MantineColorScheme,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import {
  IconBook,
  IconDots,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from './session';
import { signOut } from './sign-out';
import { TimesMenu } from './times-menu';

/** Themes, by their names in the library. */
export const THEMES: Readonly<Record<MantineColorScheme, string>> = {
  light: 'Light',
  dark: 'Dark',
  auto: 'System',
};

interface AccountMenuProps {
  readonly isNarrow: boolean;
  readonly onKeys: () => void;
}

/** The signed-in user, with settings of this browser and the end of the session. */
export function AccountMenu({ isNarrow, onKeys }: AccountMenuProps): ReactNode {
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const icon = { size: 16, stroke: 1.6 };
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className="foot-button" aria-label={`Account menu, ${user.username}`}>
          <Avatar size={26} radius="xl" color="gray" aria-hidden="true">
            {user.username.slice(0, 1).toUpperCase()}
          </Avatar>
          {!isNarrow && (
            <>
              <span className="foot-text">
                <Text component="span" size="sm" fw={500} truncate>
                  {user.username}
                </Text>
                <Text component="span" size="xs" c="dimmed">
                  {isAdmin(user) ? 'Administrator' : 'Member'}
                </Text>
              </span>
              <IconDots size={16} aria-hidden="true" />
            </>
          )}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUserCircle {...icon} />}>
          Your account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconPalette {...icon} />}>
              Theme: {THEMES[colorScheme]}
            </Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            <Menu.RadioGroup
              value={colorScheme}
              onChange={(chosen) => setColorScheme(chosen as MantineColorScheme)}
            >
              {Object.entries(THEMES).map(([name, title]) => (
                <Menu.RadioItem key={name} value={name}>
                  {title}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Sub.Dropdown>
        </Menu.Sub>
        <TimesMenu />
        <Menu.Item leftSection={<IconKeyboard {...icon} />} onClick={onKeys}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item component="a" href="api/docs" leftSection={<IconBook {...icon} />}>
          API documentation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout {...icon} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
