import type { ReactNode } from 'react';
import { PageHead } from './page-head';
import { TeamPicker } from './team-picker';

interface WebhooksHeadProps {
  readonly title: string;
  readonly teamId: string;
  readonly onChooseTeam: (teamId: string) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onAdd: () => void;
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
      <input
        type="search"
        aria-label="Search webhooks"
        placeholder="Search"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <button className="primary" onClick={onAdd}>
        Add a webhook
      </button>
    </PageHead>
  );
}
