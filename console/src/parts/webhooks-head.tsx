import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PageHead } from './page-head';
import { SearchField } from './search-field';
import { TeamPicker } from './team-picker';

interface WebhooksHeadProps {
  readonly title: string;
  readonly teamId: string;
  readonly onChooseTeam: (teamId: string) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Undefined if the empty list offers it or the user is not allowed to add one. */
  readonly onAdd: (() => void) | undefined;
}

/** Head of a webhooks page: team, search, and a button to add one. */
export function WebhooksHead({
  title,
  teamId,
  onChooseTeam,
  search,
  onSearch,
  onAdd,
}: WebhooksHeadProps): ReactNode {
  return (
    <PageHead title={title}>
      <TeamPicker teamId={teamId} onChoose={onChooseTeam} />
      <SearchField label="Search webhooks" value={search} onSearch={onSearch} />
      {onAdd && (
        <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
          Add a webhook
        </Button>
      )}
    </PageHead>
  );
}
