import { type OutgoingHook, readOutgoingHooks } from '../outgoing/outgoing-queries';

/** All webhooks with a callback URL at an endpoint, for administrators. */
export async function hooksAt(endpoint: string): Promise<OutgoingHook[]> {
  const hooks = await readOutgoingHooks({}, Infinity);
  return hooks.filter(({ callback_urls: urls }) => urls.some((url) => isAt(endpoint, url)));
}

/** Whether a URL belongs to an endpoint. */
export const isAt = (endpoint: string, url: string): boolean =>
  URL.canParse(url) && new URL(url).origin === endpoint;

/** Progress of an action on several webhooks. */
export interface Course {
  readonly done: number;
  readonly total: number;
  /** Webhooks for which it failed, and why. */
  readonly refused: readonly Refused[];
}

export interface Refused {
  readonly hook: OutgoingHook;
  readonly error: Error;
}

/** Runs an action on each webhook in sequence; a failure does not stop the rest. */
export async function forEachHook(
  hooks: readonly OutgoingHook[],
  act: (hook: OutgoingHook) => Promise<void>,
  onProgress: (course: Course) => void,
): Promise<Course> {
  let course: Course = { done: 0, total: hooks.length, refused: [] };
  onProgress(course);
  for (const hook of hooks) {
    try {
      await act(hook);
    } catch (error) {
      course = { ...course, refused: [...course.refused, { hook, error: error as Error }] };
    }
    course = { ...course, done: course.done + 1 };
    onProgress(course);
  }
  return course;
}
