type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is wrong in a form before it is sent, in words, by the id of the field, or '' for a control outside of one. */
export type Flaws = ReadonlyMap<string, string>;

const isControl = (one: Element): one is Control =>
  one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement;

/** The id of the field around a control. */
export const fieldOf = (control: Element): string =>
  control.closest<HTMLElement>('[data-field]')?.dataset.field ?? '';

/** The controls of a form that hold what they may not, in their order. */
export const flawedIn = (form: HTMLFormElement): Control[] =>
  Array.from(form.elements).filter((one): one is Control => isControl(one) && !one.checkValidity());

/** What is wrong with the first flawed control of each field. */
export const flawsOf = (flawed: readonly Control[]): Flaws =>
  new Map(flawed.toReversed().map((one) => [fieldOf(one), flawInWords(one)]));

function flawInWords(control: Control): string {
  const { validity } = control;
  const name = nameOf(control);
  if (validity.valueMissing) return `${name} ${isPlural(name) ? 'are' : 'is'} required.`;
  if (validity.typeMismatch && control.type === 'url')
    return 'This is not a complete URL. It must begin with http:// or https://.';
  if (validity.typeMismatch && control.type === 'email') return 'This is not an email address.';
  if (validity.tooLong && !(control instanceof HTMLSelectElement))
    return `${name} may have at most ${control.maxLength} characters.`;
  if (validity.badInput) return `${name} is not complete.`;
  return control.title || control.validationMessage;
}

/** As the label has it, without what it adds on how to write it. */
function nameOf(control: Control): string {
  const label = control.getAttribute('aria-label') ?? control.labels?.[0]?.querySelector('span')?.textContent;
  return label?.split(',')[0] ?? 'This';
}

/** "Trigger words" and "Addresses to call", but not "Address". */
const isPlural = (name: string): boolean => /[^s]s( to |$)/.test(name);
