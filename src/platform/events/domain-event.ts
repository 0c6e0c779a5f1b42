/**
 * Something that has happened: past tense, ids and facts. One class for each, in the `events/` folder of the module that
 * publishes it.
 */
export interface DomainEvent {
  /** `subject.past_tense`, as in the event table of docs/extending.md. */
  readonly name: string;
}
