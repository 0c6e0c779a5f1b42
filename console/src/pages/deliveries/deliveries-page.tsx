import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { deliveriesRoute } from '../../app/router';
import { Modal } from '../../parts/modal';
import { PageHead } from '../../parts/page-head';
import { DeliveryDetails } from './delivery-details';
import { DeliveryList } from './delivery-list';
import { allDeliveries, ERRORS, type Filters, SPANS, STATUSES } from './delivery-queries';
import { LastDay } from './last-day';

/** What all webhooks sent. The filters are in the address, which can be sent to somebody else. */
export function DeliveriesPage(): ReactNode {
  const { delivery, of, ...filters } = deliveriesRoute.useSearch();
  const navigate = useNavigate();
  const query = useInfiniteQuery(allDeliveries(filters));
  const show = (search: Filters & { delivery?: string; of?: string }): void =>
    void navigate({ to: '/deliveries', search, replace: true });
  return (
    <>
      <PageHead title="Deliveries" />
      <LastDay />
      <FilterBar filters={filters} onChange={show} />
      <DeliveryList
        query={query}
        onOpen={({ id, hook_id: hookId }) => show({ ...filters, delivery: id, of: hookId })}
      />
      <Modal title="Delivery" isLight isOpen={delivery !== undefined} onClose={() => show(filters)} isWide>
        {delivery !== undefined && of !== undefined && <DeliveryDetails hookId={of} deliveryId={delivery} />}
      </Modal>
    </>
  );
}

interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

function FilterBar({ filters, onChange }: FilterBarProps): ReactNode {
  const set = (changed: Filters): void => onChange({ ...filters, ...changed });
  return (
    <div className="row" role="group" aria-label="Filters">
      <Choice
        label="Status"
        value={filters.status}
        choices={STATUSES}
        onChoose={(status) => set({ status })}
      />
      <Choice label="Error" value={filters.error} choices={ERRORS} onChoose={(error) => set({ error })} />
      <Choice
        label="Answer"
        value={filters.http}
        choices={['2xx', '3xx', '4xx', '5xx']}
        onChoose={(http) => set({ http })}
      />
      <Choice
        label="Within"
        value={filters.within}
        choices={Object.keys(SPANS)}
        onChoose={(within) => set({ within })}
      />
      <EndpointFilter
        key={filters.endpoint}
        endpoint={filters.endpoint}
        onChoose={(endpoint) => set({ endpoint })}
      />
      <button onClick={() => onChange({})}>Clear</button>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly string[];
  readonly onChoose: (value: string | undefined) => void;
}

function Choice({ label, value = '', choices, onChoose }: ChoiceProps): ReactNode {
  return (
    <label className="choice">
      <span>{label}</span>
      <select value={value} onChange={({ target }) => onChoose(target.value || undefined)}>
        <option value="">any</option>
        {choices.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

interface EndpointFilterProps {
  readonly endpoint: string | undefined;
  readonly onChoose: (endpoint: string | undefined) => void;
}

/** Asked for when it is entered, not with each letter. */
function EndpointFilter({ endpoint = '', onChoose }: EndpointFilterProps): ReactNode {
  const [text, setText] = useState(endpoint);
  return (
    <form
      className="choice"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(text || undefined);
      }}
    >
      <label>
        <span>Endpoint</span>{' '}
        <input
          type="search"
          placeholder="https://ci.example.com"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
    </form>
  );
}
