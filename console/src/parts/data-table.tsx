import { Checkbox, Skeleton, Table, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { BulkBar } from './bulk-bar';

/** A column of a `DataTable`. */
export interface Column<T> {
  /** Empty for a column of actions. */
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Aligned right, with digits of equal width. */
  readonly isNumber?: boolean;
  readonly width?: number | string;
  /** Place on a phone: next to the title of the card, or none. Others are lines with their title. */
  readonly onPhone?: 'corner' | 'hidden';
}

interface Selection<T> {
  /** Keys of the selected rows. */
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
  /** Name of a row, for its checkbox. */
  readonly nameOf: (row: T) => string;
  /** Buttons for the selected rows. */
  readonly actions: ReactNode;
}

interface DataTableProps<T> {
  readonly label: string;
  /** The first column names the row, and usually links to it. */
  readonly columns: readonly Column<T>[];
  /** Undefined while they load. */
  readonly rows: readonly T[] | undefined;
  readonly keyOf: (row: T) => string;
  /** On click and Enter. If undefined, the first link or button of the row is used for Enter. */
  readonly onOpen?: (row: T) => void;
  /** Key of the row whose details are shown. */
  readonly openKey?: string | undefined;
  readonly selection?: Selection<T>;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
}

const LOADING_ROWS = 8;
const CONTROLS = 'a, button, input, label, summary';

/** A list of records. `j`, `k` and the arrow keys move, Enter opens, `x` selects. On phones, rows are cards. */
export function DataTable<T>({
  label,
  columns,
  rows,
  keyOf,
  empty,
  selection,
  ...row
}: DataTableProps<T>): ReactNode {
  const table = useRef<HTMLTableElement>(null);
  const move = (by: number): void => moveIn(table.current, by);
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ]);
  if (rows?.length === 0) return empty;
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || !isRow(event.target)) return;
    event.preventDefault();
    move(by);
  };
  return (
    <>
      <div className="data-table">
        <Table
          ref={table}
          aria-label={label}
          aria-busy={rows === undefined}
          highlightOnHover
          stickyHeader
          stickyHeaderOffset="var(--app-shell-header-height, 0px)"
          onKeyDown={press}
        >
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th w={40}>
                  <CheckAll keys={rows?.map(keyOf) ?? []} selection={selection} />
                </Table.Th>
              )}
              {columns.map(({ title, isNumber, width }) => (
                <Table.Th key={title} w={width} ta={isNumber ? 'right' : undefined}>
                  {title || <VisuallyHidden>Actions</VisuallyHidden>}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows
              ? rows.map((one, index) => (
                  <Row
                    key={keyOf(one)}
                    row={one}
                    rowKey={keyOf(one)}
                    isFirst={index === 0}
                    columns={columns}
                    selection={selection}
                    {...row}
                  />
                ))
              : Array.from({ length: LOADING_ROWS }, (_, index) => (
                  <Table.Tr key={index}>
                    {[...(selection ? [''] : []), ...columns].map((_column, at) => (
                      <Table.Td key={at}>
                        <Skeleton height={12} width={`${40 + ((index * 3 + at * 5) % 5) * 10}%`} />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </div>
      {selection && (
        <BulkBar count={selection.keys.size} onClear={() => selection.onChange(new Set())}>
          {selection.actions}
        </BulkBar>
      )}
    </>
  );
}

interface RowProps<T> extends Pick<DataTableProps<T>, 'columns' | 'onOpen' | 'openKey'> {
  readonly row: T;
  readonly rowKey: string;
  readonly isFirst: boolean;
  readonly selection: Selection<T> | undefined;
}

function Row<T>({ row, rowKey, isFirst, columns, onOpen, openKey, selection }: RowProps<T>): ReactNode {
  const isSelected = selection?.keys.has(rowKey) ?? false;
  const toggle = (): void => selection?.onChange(withToggled(selection.keys, rowKey));
  const click = ({ target }: MouseEvent): void => {
    if (target instanceof Element && !target.closest(CONTROLS) && !getSelection()?.toString()) onOpen?.(row);
  };
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'x') toggle();
    else if (event.key === 'Enter' && onOpen) onOpen(row);
    else if (event.key === 'Enter')
      event.currentTarget.querySelector<HTMLElement>('td a, td button')?.click();
  };
  return (
    <Table.Tr
      tabIndex={isFirst ? 0 : -1}
      data-clickable={onOpen !== undefined || undefined}
      data-open={rowKey === openKey || undefined}
      data-selected={isSelected || undefined}
      onClick={click}
      onKeyDown={press}
    >
      {selection && (
        <Table.Td data-phone="check">
          <Checkbox
            size="xs"
            aria-label={`Select ${selection.nameOf(row)}`}
            checked={isSelected}
            onChange={toggle}
          />
        </Table.Td>
      )}
      {columns.map(({ title, cell, isNumber, onPhone }, index) => (
        <Table.Td
          key={title}
          ta={isNumber ? 'right' : undefined}
          data-title={title || undefined}
          data-phone={index === 0 ? 'title' : onPhone}
        >
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

interface CheckAllProps<T> {
  readonly keys: readonly string[];
  readonly selection: Selection<T>;
}

function CheckAll<T>({ keys, selection }: CheckAllProps<T>): ReactNode {
  const areAll = keys.length > 0 && keys.every((key) => selection.keys.has(key));
  return (
    <Checkbox
      size="xs"
      aria-label="Select all shown"
      checked={areAll}
      indeterminate={!areAll && selection.keys.size > 0}
      onChange={() => selection.onChange(new Set(areAll ? [] : keys))}
    />
  );
}

/** The set with the key added or removed. */
export const withToggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  keys.has(key) ? new Set([...keys].filter((one) => one !== key)) : new Set([...keys, key]);

const isRow = (target: EventTarget): target is HTMLTableRowElement => target instanceof HTMLTableRowElement;

/** Moves the focus between rows; into the table if it is the first one of the page or the open dialog. */
function moveIn(table: HTMLTableElement | null, by: number): void {
  const scope = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document;
  const { activeElement: active } = document;
  const isHere = active !== null && table?.contains(active);
  if (!table || !scope.contains(table)) return;
  if (!isHere && scope.querySelector('.data-table table') !== table) return;
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  const at = rows.findIndex((row) => row.contains(active));
  rows[Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}
