export class Api {
  constructor(url: string, token?: string);
  get(path: string): Promise<unknown>;
  /** The token, or undefined when refused. */
  login(loginId: string, password: string): Promise<string | undefined>;
}
