/** A CLI command cannot be carried out. The message is shown to the user. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
