/** Loads the modules of `later.js`, once. */

/** @type {Promise<typeof import("./later.js")>|null} */
let rest = null;

export const later = () => (rest ??= import("./later.js"));
