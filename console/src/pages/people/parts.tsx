import {
  Anchor,
  Box,
  Button,
  Group,
  Paper,
  Text,
  TextInput,
  type TextInputProps,
  Title,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import { type ComponentPropsWithRef, type ReactNode, useState } from 'react';
import { Avatar } from '../../parts/avatar';
import { buttonLook } from '../../parts/confirm';
import { Field } from '../../parts/field';
import { showFault, showUndo } from '../../parts/undo';

/** The link that names the record of a row. */
export const NameLink = createLink((props: ComponentPropsWithRef<'a'>) => (
  <Anchor c="inherit" fw={600} {...props} />
));

/** A link that looks like a button. */
export const LinkButton = createLink((props: ComponentPropsWithRef<'a'>) => (
  <Button component="a" variant="default" size="compact-sm" {...props} />
));

interface NameCellProps {
  readonly name: string;
  readonly note?: ReactNode;
  /** The link, or the name itself. */
  readonly children: ReactNode;
}

/** First cell of a row: a picture, the name, and a line in small print. */
export const NameCell = ({ name, note, children }: NameCellProps): ReactNode => (
  <Group gap="sm" wrap="nowrap" py={2}>
    <Avatar name={name} />
    <Box lh={1.35}>
      {children}
      <Text size="xs" c="dimmed" lineClamp={2}>
        {note}
      </Text>
    </Box>
  </Group>
);

/** Buttons at the end of a row. */
export const RowActions = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <Group gap={6} justify="flex-end" wrap="nowrap" py={2}>
    {children}
  </Group>
);

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page about a record. */
export const Section = ({ title, actions, children }: SectionProps): ReactNode => (
  <Paper component="section" aria-label={title} withBorder p="md" mb="md" fz="sm">
    <Group justify="space-between" mih={30} mb="xs">
      <Title order={2}>{title}</Title>
      <Group gap="xs">{actions}</Group>
    </Group>
    {children}
  </Paper>
);

type TextField = TextInputProps & {
  readonly label: string;
  readonly hint?: ReactNode;
  /** API field names, if they are not the key. */
  readonly api?: string;
};

interface TextFieldsProps<Name extends string> {
  readonly fields: { readonly [Key in Name]?: TextField | undefined };
  readonly values: Readonly<Record<Name, string>>;
  readonly onChange: (values: Record<Name, string>) => void;
}

/** The text inputs of a form, of which the first one gets the focus. */
export function TextFields<Name extends string>({
  fields,
  values,
  onChange,
}: TextFieldsProps<Name>): ReactNode {
  return Object.entries(fields as Record<string, TextField>).map(
    ([name, { label, hint, api = name, ...input }], index) => (
      <Field key={name} name={api} label={label} hint={hint}>
        <TextInput
          autoFocus={index === 0}
          autoComplete="off"
          value={values[name as Name]}
          onChange={({ target }) => onChange({ ...values, [name]: target.value })}
          {...input}
        />
      </Field>
    ),
  );
}

interface UndoableProps {
  readonly label: string;
  /** Says what was done. */
  readonly done: string;
  readonly act: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
  readonly isSmall?: boolean;
  readonly isRisky?: boolean;
}

/** A button that acts at once, and then offers to undo it. */
export function Undoable({ label, done, act, undo, isSmall = false, isRisky }: UndoableProps): ReactNode {
  const [isActing, setActing] = useState(false);
  const run = (): void => {
    setActing(true);
    void act()
      .then(() => showUndo(done, undo), showFault)
      .finally(() => setActing(false));
  };
  return (
    <Button {...buttonLook(isSmall, isRisky)} loading={isActing} onClick={run}>
      {label}
    </Button>
  );
}
