import { useEffect, useState } from "react";
import { type Command, controlsIn, pageCommands } from "../../commands/index.ts";

/** Changes that arrive together are read once. */
const GATHER_MS = 100;

function readCommands(): readonly Command[] {
  const main = document.getElementById("main");
  return main === null ? [] : pageCommands(controlsIn(main));
}

/** The controls of the screen as commands, as they are now: read again when the screen changes. */
export function usePageCommands(): readonly Command[] {
  const [commands, setCommands] = useState(readCommands);
  useEffect(() => {
    const main = document.getElementById("main");
    if (main === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changes = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setCommands(readCommands());
      }, GATHER_MS);
    });
    const attributeFilter = ["disabled", "hidden", "aria-label", "class"];
    changes.observe(main, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter });
    return () => {
      changes.disconnect();
      clearTimeout(timer);
    };
  }, []);
  return commands;
}
