/** A response that is a JSON string; a bare string would be sent as plain text. */
export class JsonText {
  constructor(private readonly text: string) {}

  toJSON(): string {
    return this.text;
  }
}
