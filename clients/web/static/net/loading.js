/** Loads a module on demand. */

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
