/** A server on a filled database. */
import { login, makePlace, password, startHookline } from '../places.mjs';
import { fill, sizes } from './fill.mjs';
import { makeModels } from './models.mjs';

/** A filled database without a server. */
export async function grow(database, size) {
  const place = await makePlace(database);
  try {
    const server = await startHookline(place, { isProbed: false });
    const models = await makeModels(await login(server.url, 'admin', password));
    await server.stop();
    const say = (sentence) => console.log(`${place.database}, ${size}: ${sentence}`);
    return { place, models, size: sizes[size], landmarks: await fill(place, models, sizes[size], say) };
  } catch (error) {
    await place.remove();
    throw error;
  }
}

/** Starts a server on it, and signs in. */
export async function run(grown, env = {}) {
  grown.server = await startHookline(grown.place, { isProbed: false, env });
  grown.api = await login(grown.server.url, 'admin', password);
}
