import { useEffect, useState } from "react";

/** The colours a canvas draws with: a canvas does not read variables, and they change with the theme. */
export interface Colours {
  readonly accent: string;
  readonly good: string;
  readonly "ink-soft": string;
  readonly "line-strong": string;
  readonly line: string;
}

function readColours(): Colours {
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    accent: read("accent"),
    good: read("good"),
    "ink-soft": read("ink-soft"),
    "line-strong": read("line-strong"),
    line: read("line"),
  };
  probe.remove();
  return colours;
}

/** The current colours of the theme. */
export function useColours(): Colours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const again = (): void => setColours(readColours());
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", again);
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      dark.removeEventListener("change", again);
      theme.disconnect();
    };
  }, []);
  return colours;
}
