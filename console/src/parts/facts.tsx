import { Fragment, type ReactNode } from 'react';

interface FactsProps {
  /** Names and values; values that are empty or false are left out. */
  readonly of: Readonly<Record<string, ReactNode>>;
}

/** Facts of a record, each with its name. */
export function Facts({ of }: FactsProps): ReactNode {
  return (
    <dl className="facts">
      {Object.entries(of).map(([name, value]) =>
        value === false || value === undefined || value === null || value === '' ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}
