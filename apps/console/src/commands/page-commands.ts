import type { Command } from "./command-registry.ts";

/** Something on the page that can be pressed. */
export interface Control {
  /** Its accessible name. */
  readonly name: string;
  /** Name of the row, card or message it is in; blank where there is none. */
  readonly about: string;
  readonly press: () => void;
}

const PRESSABLE = ["button", "a[href]", "summary", "input[type=checkbox]", "input[type=radio]"].join(",");
const ABOUT = "li, tr, article, section, aside";
const LONGEST = 60;

/** What a mistyped search must not press: the palette leaves it out. */
const KEPT_OUT = "[data-not-in-palette]";

/** In a link that is a whole row: what the row is called, apart from its state, age and figures. */
const NAME = "[data-name]";

/** The controls inside of `root` that can be pressed now, in document order. */
export function controlsIn(root: Element): readonly Control[] {
  return [...root.querySelectorAll<HTMLElement>(PRESSABLE)]
    .filter(
      (element) => !element.matches(`:disabled, ${KEPT_OUT}`) && element.checkVisibility({ visibilityProperty: true }),
    )
    .map((element) => ({
      name: nameOf(element),
      about: subjectOf(element.parentElement?.closest(ABOUT)),
      press: () => {
        element.focus();
        element.click();
      },
    }));
}

/**
 * Controls as commands, so that the palette offers whatever a screen does. Of several with one name
 * each also names what it is in, and of those that are still equal the last one counts, which is the newest.
 */
export function pageCommands(controls: readonly Control[]): readonly Command[] {
  const named = controls.filter(({ name }) => name !== "");
  const times = new Map<string, number>();
  for (const { name } of named) times.set(name, (times.get(name) ?? 0) + 1);
  const labelled = named.map((control) => {
    const { name, about } = control;
    const isPlain = times.get(name) === 1 || about === "" || about.startsWith(name) || name === `Open ${about}`;
    return [isPlain ? name : `${name}: ${about}`, control] as const;
  });
  return [...new Map(labelled)].map(([label, { press }]) => ({
    id: `page-${label}`,
    label,
    group: "On this screen",
    run: press,
  }));
}

function nameOf(element: HTMLElement): string {
  const called = element instanceof HTMLInputElement ? element.labels?.[0] : element;
  const name = element.getAttribute("aria-label") ?? textOf(called?.querySelector(NAME) ?? called);
  return short(element instanceof HTMLAnchorElement ? `Open ${name}` : name);
}

function subjectOf(element: HTMLElement | null | undefined): string {
  if (element === null || element === undefined) return "";
  const first = element.querySelector("h1, h2, h3, h4, p, a, code, td");
  return short(element.getAttribute("aria-label") ?? textOf(first));
}

/** The text of an element, with spaces between its text nodes. */
function textOf(element: Element | null | undefined): string {
  if (element === null || element === undefined) return "";
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const parts: string[] = [];
  while (texts.nextNode() !== null) parts.push(texts.currentNode.nodeValue ?? "");
  return parts.join(" ");
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
