/** The modules that the first sight of a page does without; asked for once. */

/** @type {Promise<typeof import("./later.js")>|null} */
let rest = null;

export const later = () => (rest ??= import("./later.js"));
