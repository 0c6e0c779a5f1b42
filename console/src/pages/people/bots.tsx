import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { DialogButton } from '../../parts/dialog-button';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Table } from '../../parts/table';
import { useUsernames } from '../../parts/usernames';
import { BotForm } from './bot-form';
import { bots, stateOf } from './people-queries';

interface BotsProps {
  readonly onAdded: (userId: string) => void;
}

/** Bot accounts. */
export function Bots({ onAdded }: BotsProps): ReactNode {
  const query = useInfiniteQuery(bots);
  const all = query.data?.pages.flat() ?? [];
  const nameOf = useUsernames(all.map(({ owner_id: id }) => id));
  const add = (
    <DialogButton label="Add a bot" title="Add a bot" kind="primary">
      {() => <BotForm onSaved={onAdded} />}
    </DialogButton>
  );
  return (
    <Loaded query={query}>
      {() =>
        all.length === 0 ? (
          <div className="empty">
            <p>No bots yet. A bot is an account for a program, which uses tokens.</p>
            {add}
          </div>
        ) : (
          <>
            <div className="list-actions">{add}</div>
            <Table heads={['Name', 'Purpose', 'Whose', 'State']}>
              {all.map((bot) => (
                <tr key={bot.user_id}>
                  <td>
                    <Link to="/people/$userId" params={{ userId: bot.user_id }}>
                      {bot.username}
                    </Link>
                    <div className="muted">{bot.display_name}</div>
                  </td>
                  <td>{bot.description}</td>
                  <td>{nameOf(bot.owner_id)}</td>
                  <td>
                    <Badge tone={stateOf(bot.delete_at).tone}>{stateOf(bot.delete_at).text}</Badge>
                  </td>
                </tr>
              ))}
            </Table>
            <More query={query} />
          </>
        )
      }
    </Loaded>
  );
}
