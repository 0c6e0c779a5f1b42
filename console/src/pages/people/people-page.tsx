import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { peopleRoute } from '../../app/router';
import { DialogButton } from '../../parts/dialog-button';
import { PageHead } from '../../parts/page-head';
import { SearchField } from '../../parts/search-field';
import { Tabs } from '../../parts/tabs';
import { AddPerson } from './add-person';
import { Bots } from './bots';
import { People } from './people';
import { AllTokens } from './tokens';

/** Accounts and access: people, bots, and the tokens that programs use. */
export function PeoplePage(): ReactNode {
  const { tab: asked = '', search = '' } = peopleRoute.useSearch();
  const tab = ['bots', 'tokens'].includes(asked) ? asked : 'people';
  const navigate = useNavigate();
  const show = (changed: { tab?: string; search?: string }): void =>
    void navigate({ to: '/people', search: changed, replace: changed.tab === tab && search !== '' });
  const open = (userId: string): void => void navigate({ to: '/people/$userId', params: { userId } });
  return (
    <>
      <PageHead title="People">
        {tab !== 'bots' && (
          <SearchField
            key={tab}
            label={tab === 'tokens' ? 'Search tokens' : 'Search people'}
            value={search}
            onSearch={(text) => show({ tab, search: text })}
          />
        )}
        {tab === 'people' && (
          <DialogButton label="Add a person" title="Add a person" kind="primary">
            {() => <AddPerson onAdded={open} />}
          </DialogButton>
        )}
      </PageHead>
      <Tabs
        current={tab}
        onChange={(name) => show({ tab: name })}
        tabs={{
          people: { title: 'People', content: () => <People term={search} /> },
          bots: { title: 'Bots', content: () => <Bots onAdded={open} /> },
          tokens: { title: 'Access tokens', content: () => <AllTokens term={search} /> },
        }}
      />
    </>
  );
}
