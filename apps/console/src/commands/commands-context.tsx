import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { type Command, type CommandRegistry, createCommandRegistry } from "./command-registry.ts";
import { createKeyReader, takesText } from "./key-sequence.ts";

const Context = createContext<CommandRegistry | undefined>(undefined);

/** Holds the commands of all components inside and runs them by their keys. */
export function CommandsProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const held = useRef<CommandRegistry>(undefined);
  held.current ??= createCommandRegistry();
  const registry = held.current;
  useEffect(() => {
    const read = createKeyReader();
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event;
      for (const keys of read({ key, ctrlKey, metaKey, altKey, intoText: takesText(target) }, timeStamp)) {
        const command = registry.list().find((one) => one.keys === keys);
        if (command === undefined) continue;
        event.preventDefault();
        command.run();
        return;
      }
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [registry]);
  return <Context.Provider value={registry}>{children}</Context.Provider>;
}

function useRegistry(): CommandRegistry {
  const registry = useContext(Context);
  if (registry === undefined) throw new Error("commands outside of CommandsProvider");
  return registry;
}

/** All current commands. */
export function useCommandList(): readonly Command[] {
  const registry = useRegistry();
  return useSyncExternalStore(registry.subscribe, registry.list);
}

/** Adds commands while the component is mounted. `commands` must be the same array from render to render (`useMemo`). */
export function useCommands(commands: readonly Command[]): void {
  const registry = useRegistry();
  useEffect(() => registry.add(commands), [registry, commands]);
}
