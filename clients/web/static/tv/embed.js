/** A live board for other web pages: `<iframe src=".../embed/ROOM">`. */

import { sprite } from "../board/pieces.js";
import { Stage } from "../live/stage.js";
import * as settings from "../net/settings.js";
import { byId } from "../ui/dom.js";
import { followGame, roomHere, themeHere } from "./room.js";

settings.applyTheme();
themeHere();
document.body.append(sprite());
const room = roomHere();
const stage = new Stage(byId("board"), byId("about"), { link: "Fourfold", nothing: "There is no such game." });
followGame(room, (table) => stage.show(table === null ? null : { room }, table, () => ""), (now) => stage.tick(now));
