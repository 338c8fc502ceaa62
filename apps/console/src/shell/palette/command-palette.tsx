import { lazy, type ReactElement, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useCommands } from "../../commands/index.ts";
import { Dialog } from "../../ui/index.ts";
import type { Screen } from "../screen.ts";
import { PaletteField } from "./palette-field.tsx";

// Neither is needed before a person asks for it.
const PaletteSearch = lazy(() => import("./palette-search.tsx").then((module) => ({ default: module.PaletteSearch })));
const KeyList = lazy(() => import("./key-list.tsx").then((module) => ({ default: module.KeyList })));

/** Finds chats, runs, settings and all commands of the page (⌘K), and shows the help sheet of their keys (?). */
export function CommandPalette({ screens }: { readonly screens: readonly Screen[] }): ReactElement {
  const [open, setOpen] = useState<"commands" | "keys" | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  // Opened again while it still fades out, it begins anew.
  const [times, setTimes] = useState(0);
  const [search, setSearch] = useState("");
  const find = useCallback(() => {
    setTimes((before) => before + 1);
    setSearch("");
    setOpen("commands");
  }, []);
  useCommands(
    useMemo(
      () => [
        { id: "palette", label: "Find a command", keys: "mod+k", group: "Help", run: find },
        {
          id: "keys",
          label: "Show the keys",
          keywords: "shortcuts help",
          keys: "?",
          group: "Help",
          run: () => setOpen("keys"),
        },
      ],
      [find],
    ),
  );
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Dialog open={open === "commands"} onOpenChange={(next) => !next && close()} title="Find" initialFocus={input}>
        <Suspense fallback={<PaletteField ref={input} search={search} onSearch={setSearch} />}>
          <PaletteSearch
            key={times}
            input={input}
            screens={screens}
            search={search}
            onSearch={setSearch}
            onDone={close}
          />
        </Suspense>
      </Dialog>
      <Dialog open={open === "keys"} onOpenChange={(next) => !next && close()} title="Keys">
        <Suspense>
          <KeyList />
        </Suspense>
      </Dialog>
    </>
  );
}
