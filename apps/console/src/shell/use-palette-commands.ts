import { useMemo, useState } from "react";
import { type Command, controlsIn, pageCommands, useCommandList } from "../commands/index.ts";

/** What can be done here comes first; the ways elsewhere, and what is of every screen, come after it. */
const LATER: readonly string[] = ["Screens", "Console", "Help"];

/** Everything the palette holds: what the parts of the page bring, and what can be pressed on it. */
export function usePaletteCommands(): readonly Command[] {
  const brought = useCommandList();
  // The page as it was when the palette was opened above it.
  const [onPage] = useState(() => {
    const main = document.getElementById("main");
    return main === null ? [] : pageCommands(controlsIn(main));
  });
  return useMemo(() => {
    const rank = ({ group }: Command): number => LATER.indexOf(group);
    return [...brought, ...onPage].toSorted((a, b) => rank(a) - rank(b));
  }, [brought, onPage]);
}
