/** One statement of SQL whose text is constant, save for the number of its rows. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}
