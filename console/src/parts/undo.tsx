import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { FaultText } from './fault-note';

const OFFERED_MS = 8_000;

/** Says what was done, and offers to undo it for a while. */
export function showUndo(message: string, undo: () => Promise<unknown>): void {
  const act = async (): Promise<void> => {
    notifications.hide(id);
    await undo().catch(showFault);
  };
  const id = notifications.show({
    autoClose: OFFERED_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button variant="subtle" size="compact-xs" onClick={() => void act()}>
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Says what was done. */
export const showDone = (message: string): void => void notifications.show({ message });

/** Says why an action without a form of its own failed. Stays until it is closed. */
export const showFault = (error: unknown): void =>
  void notifications.show({
    color: 'red',
    autoClose: false,
    role: 'alert',
    message: <FaultText error={error instanceof Error ? error : new Error(String(error))} />,
  });
