/** Derives the name for URLs and the API from a display name, even if none of its letters is allowed. */
export function nameFrom(title: string, kind: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? `${kind}-${Date.now().toString(36)}` : name;
}
