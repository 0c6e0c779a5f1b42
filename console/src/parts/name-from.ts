/** The name in addresses and in the API, made of the one that people read, of whose letters none may fit. */
export function nameFrom(title: string, kind: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? `${kind}-${Date.now().toString(36)}` : name;
}
