/** TV: the best game that is played now, for two or for four. At its end, the next one follows by itself. */

import { sprite } from "../board/pieces.js";
import { Choice, isShown, ranked } from "../live/choice.js";
import { Previews } from "../live/previews.js";
import { Stage } from "../live/stage.js";
import { orNull } from "../net/connection.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { Strengths } from "../people/strengths.js";
import { control, VARIANTS } from "../text/words.js";
import { bar } from "../ui/controls.js";
import { byId, Drawn, el, renew } from "../ui/dom.js";
import { named } from "../ui/names.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Listing} Listing */

/** Milliseconds between two updates of the clocks. */
const TICK = 100;

/** The most other games that are listed. */
const OTHERS = 5;

/** The kinds of games, and how many play; 0: any. @type {Record<string, string>} */
const KINDS = { best: "Best", four: "Four", two: "Two" };
/** @type {Record<string, number>} */
const PLAYERS = { best: 0, four: 4, two: 2 };

class TvPage extends Drawn {
  constructor() {
    super();
    /** @type {Map<string, Listing>} */
    this.rooms = new Map();
    this.choice = new Choice();
    const refresh = () => this.refresh();
    const { connection } = connect(undefined, {
      welcomed: () => this.follow(),
      heard: (frame) => {
        if (frame.type !== "lobby") return;
        for (const room of frame.changed) this.rooms.set(room.room, room);
        for (const room of frame.removed) this.rooms.delete(room);
        refresh();
      },
    });
    this.connection = connection;
    this.previews = new Previews(connection, refresh,
      (room) => {
        this.rooms.delete(room);
        if (room === this.choice.shown?.room) this.choice.clear();
        refresh();
      },
      false,
    );
    this.strengths = new Strengths(connection, refresh);
    this.stage = new Stage(byId("board"), byId("about"), { nothing: "No live games right now" });
    addEventListener("hashchange", () => {
      this.choice.clear();
      this.render();
    });
    this.render();
    setInterval(() => {
      this.stage.tick(connection.now());
      if (this.choice.stale) this.render();
    }, TICK);
  }

  /** The chosen kind of games. */
  get kind() {
    const kind = location.hash.slice(1);
    return kind in KINDS ? kind : "best";
  }

  async follow() {
    const found = await orNull(
      this.connection.request({ type: "rooms", status: "playing", follow: true, limit: 100 }),
    );
    if (found === null) return; // the list is asked for again with the next connection
    this.rooms = new Map(found.rooms.map((room) => [room.room, room]));
    this.render();
  }

  /** The mean rating of a game's players, as far as it is known. @param {Listing} room */
  strength({ seats, variant, clock }) {
    const known = seats.map(({ player }) => parseInt(this.strengths.of(player, variant, clock), 10) || 0);
    return known.reduce((sum, one) => sum + one, 0) / seats.length;
  }

  /** The games below the board, where a window is upright. @param {Listing[]} games */
  _drawOthers(games) {
    const shown = ranked(games, (room) => this.strength(room)).slice(0, OTHERS);
    byId("others").hidden = shown.length === 0;
    renew(byId("other-games"), shown.map(({ room, seats }) => [room, seats.map(({ name }) => name)]), () =>
      shown.map(({ room, seats, variant, clock }) =>
        el("li", {},
          el("a", { class: "panel", href: `/r/${encodeURIComponent(room)}`, "data-focus": room },
            el("b", {}, ...named(seats.map(({ seat, name }) => name ?? seat), " – ", " – ")),
            el("span", { class: "second" }, `${VARIANTS[variant]?.name ?? variant}, ${control(clock)}`),
          ),
        ),
      ),
    );
  }

  _draw() {
    const players = PLAYERS[this.kind];
    const games = [...this.rooms.values()].filter(
      (room) => isShown(room) && (players === 0 || room.seats.length === players),
    );
    this.choice.choose(ranked(games, (room) => this.strength(room)));
    const { shown } = this.choice;
    this.previews.keep(shown === null ? [] : [shown.room]);
    const table = shown === null ? null : (this.previews.get(shown.room)?.table ?? null);
    this.stage.show(shown, table, (seat) =>
      table === null ? "" : this.strengths.of(seat.player, table.variant, table.clocks),
    );
    this._drawOthers(games.filter((room) => room.room !== shown?.room));
    renew(byId("kinds"), this.kind, () => bar(KINDS, this.kind, (kind) => (location.hash = kind)));
  }
}

settings.applyTheme();
settings.themeButton(byId("theme"));
document.body.append(sprite());
new TvPage();
