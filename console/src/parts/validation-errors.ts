type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Validation messages by field id, or '' for a control outside a field. */
export type ValidationErrors = ReadonlyMap<string, string>;

const isControl = (one: Element): one is Control =>
  one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement;

/** Id of the field around a control. */
export const fieldOf = (control: Element): string =>
  control.closest<HTMLElement>('[data-field]')?.dataset.field ?? '';

/** Opens the collapsed part of the form that contains a control. */
export const reveal = (control: Element): void => control.closest('details')?.setAttribute('open', '');

/** Invalid controls of a form, in order. */
export const invalidControlsIn = (form: HTMLFormElement): Control[] =>
  Array.from(form.elements).filter((one): one is Control => isControl(one) && !one.checkValidity());

/** Message for the first invalid control of each field. */
export const validationErrorsOf = (controls: readonly Control[]): ValidationErrors =>
  new Map(controls.toReversed().map((one) => [fieldOf(one), messageFor(one)]));

function messageFor(control: Control): string {
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

/** The label up to the first comma, which precedes format hints. */
function nameOf(control: Control): string {
  const label = control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent;
  return label?.split(',')[0] ?? 'This';
}

/** "Trigger words" and "Addresses to call", but not "Address". */
const isPlural = (name: string): boolean => /[^s]s( to |$)/.test(name);
