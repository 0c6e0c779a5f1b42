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
  /** Undefined where the empty list offers it, and where it would be refused. */
  readonly onAdd: (() => void) | undefined;
}

/** The head of a page of webhooks: which team, what is looked for, and a new one. */
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
        <button className="primary" onClick={onAdd}>
          Add a webhook
        </button>
      )}
    </PageHead>
  );
}
