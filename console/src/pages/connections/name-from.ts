/** The name of a connection in the API, made of the one that people read, of whose letters none may fit. */
export function nameFrom(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? `server-${Date.now().toString(36)}` : name;
}
