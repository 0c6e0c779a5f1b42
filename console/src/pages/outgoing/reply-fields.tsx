import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';

interface ReplyFieldsProps {
  readonly username: string;
  readonly iconUrl: string;
  readonly onChange: (changed: { readonly username?: string; readonly icon_url?: string }) => void;
}

/** Name and icon for posting a program's replies. */
export function ReplyFields({ username, iconUrl, onChange }: ReplyFieldsProps): ReactNode {
  return (
    <>
      <Field
        name="username"
        label="Replies are shown as"
        hint="The name shown with the program's replies. If empty, that of the webhook's owner."
      >
        <TextInput
          value={username}
          maxLength={64}
          onChange={({ target }) => onChange({ username: target.value })}
        />
      </Field>
      <Field name="icon_url" label="Picture" hint="The URL of an image shown with the replies.">
        <TextInput
          type="url"
          maxLength={1024}
          value={iconUrl}
          onChange={({ target }) => onChange({ icon_url: target.value })}
        />
      </Field>
    </>
  );
}
