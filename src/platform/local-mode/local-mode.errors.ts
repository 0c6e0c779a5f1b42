/** LOCAL_MODE_SOCKET cannot be opened. The message is shown to the person who started the server. */
export class LocalSocketRefused extends Error {
  constructor(path: string, reason: string) {
    super(`LOCAL_MODE_SOCKET names ${path}, which cannot be used: ${reason}.`);
    this.name = new.target.name;
  }
}
