import { Drawer, Group } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDialog } from './use-dialog';

interface DetailDrawerProps {
  /** Search parameter with the id of the open record, so that Back closes it and a link opens it. */
  readonly param: string;
  readonly title: ReactNode;
  /** Shown at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: (id: string) => ReactNode;
}

/** Details of one record at the right of its list. */
export function DetailDrawer({ param, title, actions, children }: DetailDrawerProps): ReactNode {
  const [id, open] = useDetail(param);
  const dialog = useDialog({
    isOpen: id !== undefined,
    onClose: () => open(undefined),
    isLight: true,
    children: id !== undefined && children(id),
  });
  const head = (
    <Group justify="space-between" wrap="nowrap">
      {title}
      {actions}
    </Group>
  );
  return (
    <Drawer
      position="right"
      size={760}
      title={actions === undefined ? title : head}
      overlayProps={{ backgroundOpacity: 0.25 }}
      {...dialog}
    />
  );
}

/** The open record of a `DetailDrawer`, and a function that opens another one, or none. */
export function useDetail(param: string): [id: string | undefined, open: (id: string | undefined) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const id = search[param];
  return [
    typeof id === 'string' ? id : undefined,
    (next) => void navigate({ to: '.', search: (now) => ({ ...now, [param]: next }), resetScroll: false }),
  ];
}
