/** How many examples of each finding are kept. */
const MAX_EXAMPLES = 10;

/** Something that happened to several rows: how many, and which, at most ten. */
export interface Finding {
  readonly kind: string;
  readonly count: number;
  readonly examples: readonly string[];
}

/** Counts what happened to rows, by kind. */
export class Findings {
  private readonly byKind = new Map<string, { count: number; examples: string[] }>();

  constructor(known: readonly Finding[] = []) {
    for (const { kind, count, examples } of known) this.byKind.set(kind, { count, examples: [...examples] });
  }

  add(kind: string, example: string, count = 1): void {
    const finding = this.byKind.get(kind) ?? { count: 0, examples: [] };
    finding.count += count;
    if (finding.examples.length < MAX_EXAMPLES && !finding.examples.includes(example))
      finding.examples.push(example);
    this.byKind.set(kind, finding);
  }

  get list(): Finding[] {
    return [...this.byKind].map(([kind, { count, examples }]) => ({ kind, count, examples }));
  }

  get count(): number {
    return this.list.reduce((sum, { count }) => sum + count, 0);
  }
}
