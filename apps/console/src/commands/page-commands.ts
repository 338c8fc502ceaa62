import type { Command } from "./command-registry.ts";

/** Something on the page that can be pressed. */
export interface Control {
  /** Its accessible name. */
  readonly name: string;
  /** What it stands in: the row, the card, the message; blank where nothing says so. */
  readonly about: string;
  readonly press: () => void;
}

const PRESSABLE = ["button", "a[href]", "summary", "input[type=checkbox]", "input[type=radio]"].join(",");
const ABOUT = "li, tr, article, section, aside";
const LONGEST = 60;

/** What can be pressed inside of `root` at this moment, in the order it stands there. */
export function controlsIn(root: Element): readonly Control[] {
  return [...root.querySelectorAll<HTMLElement>(PRESSABLE)]
    .filter((element) => !element.matches(":disabled") && element.checkVisibility({ visibilityProperty: true }))
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
 * Controls as commands: whatever a screen offers is in the palette without being named twice. Of several with one name
 * each says what it is about, and of those that still read the same the last one counts: what is newest stands last.
 */
export function pageCommands(controls: readonly Control[]): readonly Command[] {
  const named = controls.filter(({ name }) => name !== "");
  const times = new Map<string, number>();
  for (const { name } of named) times.set(name, (times.get(name) ?? 0) + 1);
  const labelled = named.map((control) => {
    const { name, about } = control;
    const isPlain = times.get(name) === 1 || about === "" || about.startsWith(name);
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
  const words =
    element.getAttribute("aria-label") ?? textOf(element instanceof HTMLInputElement ? element.labels?.[0] : element);
  return short(element instanceof HTMLAnchorElement ? `Open ${words}` : words);
}

function subjectOf(element: HTMLElement | null | undefined): string {
  if (element === null || element === undefined) return "";
  const first = element.querySelector("h1, h2, h3, h4, p, a, code, td");
  return short(element.getAttribute("aria-label") ?? textOf(first));
}

/** Its words, those of different parts apart. */
function textOf(element: Element | null | undefined): string {
  if (element === null || element === undefined) return "";
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words: string[] = [];
  while (texts.nextNode() !== null) words.push(texts.currentNode.nodeValue ?? "");
  return words.join(" ");
}

function short(text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
