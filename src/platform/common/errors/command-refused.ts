/** A command of the terminal cannot do what it was told. The message is shown to the person who typed it. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
