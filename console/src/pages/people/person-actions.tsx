import { OneOf } from '../../parts/one-of';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { useUser } from '../../app/session';
import { Confirm } from '../../parts/confirm';
import { DialogButton } from '../../parts/dialog-button';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { BotForm } from './bot-form';
import { PasswordForm } from './password-form';
import { type Person, roleOf } from './people-queries';
import { PersonForm } from './person-form';

const ROLES = ['member', 'administrator'];
const ADMIN = 'system_admin';

interface PersonProps {
  readonly user: Person;
}

const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['people'] });

/** Administrator actions on an account. Administrators cannot lock themselves out here. */
export function PersonActions({ user }: PersonProps): ReactNode {
  const isOwn = useUser().id === user.id;
  const isPerson = !user.is_bot && !user.remote_id;
  const isActive = user.delete_at === 0;
  return (
    <>
      {isOwn && <Link to="/account">Your account</Link>}
      {!user.remote_id && !isOwn && (
        <DialogButton label="Edit" title={`Edit ${user.username}`}>
          {(close) =>
            user.is_bot ? <BotForm bot={user} onSaved={close} /> : <PersonForm user={user} onSaved={close} />
          }
        </DialogButton>
      )}
      {isPerson && !isOwn && ROLES.includes(roleOf(user)) && (
        <DialogButton label="Change the role" title={`The role of ${user.username}`}>
          {(close) => <RoleForm user={user} onSaved={close} />}
        </DialogButton>
      )}
      {isPerson && !isOwn && (
        <DialogButton label="Set a password" title={`A new password for ${user.username}`}>
          {(close) => <PasswordForm userId={user.id} onSaved={close} />}
        </DialogButton>
      )}
      {!isOwn && isActive && (
        <Confirm
          label="Deactivate"
          title={`Deactivate ${user.username}?`}
          isRisky
          onConfirm={() => setActive(user, false)}
        >
          <p>
            The account is signed out, and its tokens are refused. Its webhooks stop until it is activated
            again. Its messages stay.
          </p>
        </Confirm>
      )}
      {!isActive && (
        <Confirm
          label="Activate"
          title={`Activate ${user.username}?`}
          onConfirm={() => setActive(user, true)}
        >
          <p>The account can sign in again, and its tokens and webhooks work again.</p>
        </Confirm>
      )}
    </>
  );
}

async function setActive({ id, is_bot: isBot }: Person, active: boolean): Promise<void> {
  const bot = { params: { path: { bot_user_id: id } } };
  if (!isBot)
    await answerOf(
      api.PUT('/api/v4/users/{user_id}/active', { params: { path: { user_id: id } }, body: { active } }),
    );
  else if (active) await answerOf(api.POST('/api/v4/bots/{bot_user_id}/enable', bot));
  else await answerOf(api.POST('/api/v4/bots/{bot_user_id}/disable', bot));
  await reload();
}

interface RoleFormProps extends PersonProps {
  readonly onSaved: () => void;
}

function RoleForm({ user, onSaved }: RoleFormProps): ReactNode {
  const [role, setRole] = useState(roleOf(user));
  const save = async (): Promise<void> => {
    await answerOf(
      api.PUT('/api/v4/users/{user_id}/roles', {
        params: { path: { user_id: user.id } },
        body: { roles: rolesAs(role, user) },
      }),
    );
    await reload();
    onSaved();
  };
  return (
    <Form action="Save" onSubmit={save}>
      <Field name="roles" label="Role" hint="An administrator can do and read everything on this server.">
        <OneOf autoFocus choices={ROLES} value={role} onChange={setRole} />
      </Field>
    </Form>
  );
}

/** Adds or removes the administrator role and keeps other roles, such as the one for tokens. */
function rolesAs(role: string, { roles }: Person): string {
  const others = roles.split(' ').filter((name) => name !== '' && name !== ADMIN);
  return (role === 'administrator' ? [...others, ADMIN] : others).join(' ');
}
