import { useMemo, useState } from "react";
import { type Command, controlsIn, pageCommands, useCommandList } from "../commands/index.ts";

/** Commands of this page come first; navigation, and commands of every screen, follow. */
const LATER: readonly string[] = ["Screens", "Console", "Help"];

/** All commands of the palette: those that components add, and the controls of the page. */
export function usePaletteCommands(): readonly Command[] {
  const brought = useCommandList();
  // The page's controls at the moment the palette opened.
  const [onPage] = useState(() => {
    const main = document.getElementById("main");
    return main === null ? [] : pageCommands(controlsIn(main));
  });
  return useMemo(() => {
    const rank = ({ group }: Command): number => LATER.indexOf(group);
    return [...brought, ...onPage].toSorted((a, b) => rank(a) - rank(b));
  }, [brought, onPage]);
}
