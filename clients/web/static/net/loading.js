/** Modules that load on demand, or after the first paint of a page. */

const AGAIN = 1000; // milliseconds

/**
 * The module that `load` imports. Retries every second while offline.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>}
 */
export async function loaded(load) {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError: it could not be fetched
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}

/**
 * A function that returns a module, and loads it at the first call.
 * @template T @param {() => Promise<T>} load @returns {() => Promise<T>}
 */
export function late(load) {
  /** @type {Promise<T>|null} */
  let module = null;
  return () => (module ??= loaded(load));
}
