/** What the page needs only once its user does something, or something happens: asked for when the board is there. */

export * as about from "./about.js";
export * as actions from "./actions.js";
export * as build from "./build.js";
export * as commands from "./commands.js";
export * as deeds from "./deeds.js";
export * as dialogs from "./dialogs.js";
export * as drawings from "./drawings.js";
export * as files from "./files.js";
export * as movetext from "./movetext.js";
export * as news from "./news.js";
export * as popover from "./popover.js";
export * as promotion from "./promotion.js";
export * as sound from "./sound.js";
export * as zoom from "./zoom.js";
