/** What is being typed into the forms of a study and is not in it yet. No redraw takes it away. */

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

export class Drafts {
  constructor() {
    /**
     * What differs from what the study has, by what it is of, such as "comment 1.4": `base` is what the study had when
     * the typing began, `sent` what is under way to it.
     * @type {Map<string, {text: string, base: string, sent: string|null}>}
     */
    this._drafts = new Map();
    /** What the study has, by what it is of. @type {Map<string, string>} */
    this._stored = new Map();
    /** What the study had when a field last showed it. @type {WeakMap<Field, string>} */
    this._shown = new WeakMap();
  }

  /** Have a field show what is stored, or else what is typed in its place. @param {Field} field @param {string} of @param {string} stored */
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

  /** Those of a kind. @param {string} kind such as "comment" */
  of(kind) {
    return [...this._drafts.keys()].filter((of) => of.startsWith(`${kind} `));
  }

  /** Whether the study has changed where something is being typed. @param {string} of */
  isLate(of) {
    const draft = this._drafts.get(of);
    return draft !== undefined && draft.sent === null && draft.base !== this._stored.get(of);
  }

  /**
   * Send what is typed, unless it is under way already; where that fails, it stays a draft. @param {string} of @param {(text: string) => Promise<boolean>} send resolves to whether the study has it
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

  /** Drop what is typed, and return it. @param {string} of */
  drop(of) {
    const { text = "" } = this._drafts.get(of) ?? {};
    this._drafts.delete(of);
    return text.trim();
  }
}
