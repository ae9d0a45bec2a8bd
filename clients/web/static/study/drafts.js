/** Unsaved form input of a study; survives redraws. */

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

export class Drafts {
  constructor() {
    /**
     * Drafts that differ from the study, by their place, such as "comment 1.4". `base` is the study's text when typing
     * began, `sent` the text of a pending request.
     * @type {Map<string, {text: string, base: string, sent: string|null}>}
     */
    this._drafts = new Map();
    /** The study's texts, by place. @type {Map<string, string>} */
    this._stored = new Map();
    /** The study's text when a field last showed it. @type {WeakMap<Field, string>} */
    this._shown = new WeakMap();
  }

  /**
   * Show the draft in a field; without one, the stored text.
   * @param {Field} field @param {string} of @param {string} stored
   */
  show(field, of, stored) {
    const draft = this._drafts.get(of);
    this._stored.set(of, stored);
    if (field.dataset.of !== of) {
      field.dataset.of = of;
      field.value = draft?.text ?? stored;
      field.addEventListener("input", () => this._type(of, field.value));
    } else if (draft === undefined && this._shown.get(field) !== stored) field.value = stored;
    if (draft === undefined) this._shown.set(field, stored);
  }

  /** @param {string} of @param {string} text */
  _type(of, text) {
    const stored = this._stored.get(of) ?? "";
    const { base = stored, sent = null } = this._drafts.get(of) ?? {};
    if (text === stored && sent === null) this._drafts.delete(of);
    else this._drafts.set(of, { text, base, sent });
  }

  /** The drafts of a kind. @param {string} kind such as "comment" */
  of(kind) {
    return [...this._drafts.keys()].filter((of) => of.startsWith(`${kind} `));
  }

  /** Whether the study's text has changed under a draft. @param {string} of */
  isLate(of) {
    const draft = this._drafts.get(of);
    return draft !== undefined && draft.sent === null && draft.base !== this._stored.get(of);
  }

  /**
   * Send a draft, unless its request is pending. If it fails, the draft stays.
   * @param {string} of @param {(text: string) => Promise<boolean>} send resolves to whether the study has accepted it
   */
  async send(of, send) {
    const draft = this._drafts.get(of);
    if (draft === undefined || draft.sent === draft.text) return;
    const { text } = draft;
    draft.sent = text;
    const done = await send(text.trim());
    const now = this._drafts.get(of);
    if (now?.sent !== text) return;
    if (done && now.text === text) this._drafts.delete(of);
    else this._drafts.set(of, { text: now.text, base: done ? text.trim() : now.base, sent: null });
  }

  /** Drop a draft, and return its text. @param {string} of */
  drop(of) {
    const { text = "" } = this._drafts.get(of) ?? {};
    this._drafts.delete(of);
    return text.trim();
  }
}
