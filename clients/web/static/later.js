/** The modules that a page needs only after its first paint. They load after the board. */

export * as actions from "./actions.js";
export * as build from "./build.js";
export * as challenged from "./challenged.js";
export * as chatlog from "./chatlog.js";
export * as dialogs from "./dialogs.js";
export * as drawings from "./drawings.js";
export * as news from "./news.js";
export * as outcomes from "./outcomes.js";
export * as popover from "./popover.js";
export * as promotion from "./promotion.js";
export * as skip from "./skip.js";
export * as sound from "./sound.js";
export * as zoom from "./zoom.js";
