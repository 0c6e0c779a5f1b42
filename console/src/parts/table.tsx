import type { CSSProperties, ReactNode } from 'react';

interface TableProps {
  /** Column titles; an empty title marks the actions column. */
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

/** Columns with the state of a row; on phones they move to the top of the row's card. */
const STANDINGS: readonly string[] = ['State', 'Answer', 'Invite', 'Result'];
/** Columns hidden on phones; the row's page shows them. */
const SPARED: readonly string[] = ['Last day', 'Owner', 'From'];

/** A table that scrolls sideways if needed, and becomes labeled cards on phones. */
export function Table({ heads, children }: TableProps): ReactNode {
  return (
    <TableOfParts heads={heads}>
      <tbody>{children}</tbody>
    </TableOfParts>
  );
}

/** The same with several table bodies. */
export function TableOfParts({ heads, children }: TableProps): ReactNode {
  return (
    <div className="table">
      <table className="as-cards" style={cardsOf(heads)}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head}>{head || <span className="muted">Actions</span>}</th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

/** CSS variables that label and place the cells on phones, because rows are rendered elsewhere. */
function cardsOf(heads: readonly string[]): CSSProperties {
  const standing = STANDINGS.find((one) => heads.includes(one));
  return Object.fromEntries<string>(
    heads.flatMap((head, index): (readonly [string, string])[] => {
      if (index === 0) return [['--place-1', standing === undefined ? '1 / 1 / 2 / -1' : '1 / 1']];
      if (head === standing) return [[`--place-${index + 1}`, '1 / 2']];
      if (SPARED.includes(head)) return [[`--shown-${index + 1}`, 'none']];
      const label = [`--head-${index + 1}`, JSON.stringify(head)] as const;
      return head === '' ? [] : [label, [`--indent-${index + 1}`, '7rem']];
    }),
  );
}
