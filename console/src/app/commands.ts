import { useMantineColorScheme } from '@mantine/core';
import { setTimePreference } from '../parts/clock';
import { signOut } from './sign-out';

/** An action of the palette. */
interface Command {
  readonly title: string;
  readonly act: () => void;
}

/** Actions that are possible on every page. */
export function useCommands(onKeys: () => void): readonly Command[] {
  const { setColorScheme } = useMantineColorScheme();
  return [
    { title: 'Use the light theme', act: () => setColorScheme('light') },
    { title: 'Use the dark theme', act: () => setColorScheme('dark') },
    { title: "Use the system's theme", act: () => setColorScheme('auto') },
    { title: 'Show relative times', act: () => setTimePreference('relative') },
    { title: 'Show local times', act: () => setTimePreference('absolute') },
    { title: 'Show times in UTC', act: () => setTimePreference('utc') },
    { title: 'Show keyboard shortcuts', act: onKeys },
    { title: 'Open the API documentation', act: () => location.assign('api/docs') },
    { title: 'Sign out', act: () => void signOut() },
  ];
}
