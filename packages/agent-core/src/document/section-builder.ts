import type { Section } from "./document-message.ts";

/** Levels of headings. */
const DEEPEST = 6;

/** Collects the lines of a text into sections, each under the headings that it stands under. */
export class SectionBuilder {
  readonly #sections: Section[] = [];
  readonly #above: string[] = [];
  #lines: string[] = [];
  #first = "";

  /** The first heading of the first level; blank: there is none. */
  get title(): string {
    return this.#first;
  }

  /** A heading of a level from 1. */
  heading(level: number, text: string): void {
    this.#close();
    const depth = Math.min(Math.max(1, level), DEEPEST);
    this.#above.length = Math.min(this.#above.length, depth - 1);
    while (this.#above.length < depth - 1) this.#above.push("");
    this.#above.push(text);
    if (depth === 1) this.#first ||= text;
  }

  line(text: string): void {
    this.#lines.push(text);
  }

  /** Everything so far. */
  sections(): readonly Section[] {
    this.#close();
    return this.#sections;
  }

  #close(): void {
    const text = this.#lines.join("\n").trim();
    if (text !== "") this.#sections.push({ heading: this.#above.filter((one) => one !== "").join(" › "), text });
    this.#lines = [];
  }
}
