/**
 * Something that has happened, named in the past tense; carries ids and facts, no entities. One class per event, in
 * the `….events.ts` of the module that publishes it.
 */
export interface DomainEvent {
  /** `subject.past_tense`, as in the event table of docs/extending.md. */
  readonly name: string;
}
