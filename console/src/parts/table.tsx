import type { ReactNode } from 'react';

interface TableProps {
  /** The titles of the columns; an empty one is that of the column of actions. */
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

/** A table that can be scrolled sideways where there is no room. */
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
      <table>
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
