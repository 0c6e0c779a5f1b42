import type { CSSProperties, ReactNode } from 'react';

interface TableProps {
  /** The titles of the columns; an empty one is that of the column of actions. */
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

/** The column that says how a row stands. On a phone it is at the top of the row's card. */
const STANDINGS: readonly string[] = ['State', 'Answer', 'Invite', 'Result'];
/** What a phone leaves to the page of the row. */
const SPARED: readonly string[] = ['Last day', 'Owner', 'From'];

/** A table that is cards with labels on a phone, and else can be scrolled sideways where there is no room. */
export function Table({ heads, children }: TableProps): ReactNode {
  return (
    <TableOfParts heads={heads}>
      <tbody>{children}</tbody>
    </TableOfParts>
  );
}

/** The same, of several bodies of rows. */
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

/** How the styles for a phone label and place the cells of a column: rows come from elsewhere. */
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
