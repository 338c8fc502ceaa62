/** The members of a `KeyboardEvent` that decide which key it is. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** It was typed into an element where keys without a modifier are text. */
  readonly intoText: boolean;
}

/** Maximum milliseconds between the keys of a sequence such as `g c`. */
const PAUSE_MS = 1_000;

/** The name of a key press: `mod+k`, `?`, `g`; undefined for a modifier alone, or a key that is left to the browser. */
export function keyName({ key, ctrlKey, metaKey, altKey }: KeyPress): string | undefined {
  if (altKey || key === "Shift" || key === "Control" || key === "Meta") return undefined;
  const name = key.length === 1 ? key.toLowerCase() : key.toLowerCase().replace("arrow", "");
  return ctrlKey || metaKey ? `mod+${name}` : name;
}

/** Whether keys typed into an element are text. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && ["checkbox", "radio", "button"].includes(target.type)) return false;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Recognises sequences of keys. The returned function takes a press and its time, and returns the sequence that it completes. */
export function createKeyReader(): (press: KeyPress, now: number) => readonly string[] {
  let last: { readonly name: string; readonly at: number } | undefined;
  return (press, now) => {
    const name = keyName(press);
    if (name === undefined) return [];
    if (!name.startsWith("mod+") && press.intoText) return [];
    const sequence = last !== undefined && now - last.at <= PAUSE_MS ? [`${last.name} ${name}`] : [];
    last = { name, at: now };
    return [...sequence, name];
  };
}

/** Keys as a person reads them: `⌘ K`, `G then C`. */
export function keysLabel(keys: string, mac: boolean): string {
  return keys
    .split(" ")
    .map((key) =>
      key
        .split("+")
        .map((part) => (part === "mod" ? (mac ? "⌘" : "Ctrl") : part.length === 1 ? part.toUpperCase() : part))
        .join(" "),
    )
    .join(" then ");
}
