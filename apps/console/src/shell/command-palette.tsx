import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { keysLabel, matching, useCommandList, useCommands } from "../commands/index.ts";
import { classNames, Dialog } from "../ui/index.ts";
import { usePaletteCommands } from "./use-palette-commands.ts";

const mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** All commands of the page by name (⌘K), and the help sheet of their keys (?). */
export function CommandPalette(): ReactElement {
  const [open, setOpen] = useState<"commands" | "keys" | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useCommands(
    useMemo(
      () => [
        { id: "palette", label: "Find a command", keys: "mod+k", group: "Help", run: () => setOpen("commands") },
        {
          id: "keys",
          label: "Show the keys",
          keywords: "shortcuts help",
          keys: "?",
          group: "Help",
          run: () => setOpen("keys"),
        },
      ],
      [],
    ),
  );
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Dialog
        open={open === "commands"}
        onOpenChange={(next) => !next && close()}
        title="Commands"
        initialFocus={input}
      >
        <CommandSearch input={input} onDone={close} />
      </Dialog>
      <Dialog open={open === "keys"} onOpenChange={(next) => !next && close()} title="Keys">
        <KeyList />
      </Dialog>
    </>
  );
}

function CommandSearch({
  input,
  onDone,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onDone: () => void;
}): ReactElement {
  const commands = usePaletteCommands();
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const list = useId();
  const found = useMemo(() => matching(commands, search).slice(0, 50), [commands, search]);
  const chosen = Math.min(at, found.length - 1);
  const option = `${list}-${chosen}`;
  useEffect(() => {
    void document.getElementById(option)?.scrollIntoView({ block: "nearest" });
  }, [option]);
  const run = (index: number): void => {
    const command = found[index];
    if (command === undefined) return;
    onDone();
    command.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((chosen + step + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-2">
      <input
        ref={input}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found[chosen] === undefined ? undefined : option}
        aria-label="Find a command"
        placeholder="What do you want to do?"
        className="w-full rounded-md border border-line-strong bg-raised px-3 py-2"
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setAt(0);
        }}
        onKeyDown={pressed}
      />
      <div id={list} role="listbox" aria-label="Commands" className="flex flex-col">
        {found.map((command, index) => (
          <button
            key={command.id}
            id={`${list}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={classNames(
              "flex items-center gap-3 rounded-md px-3 py-1.5 text-left",
              index === chosen && "bg-hover",
            )}
            onClick={() => run(index)}
            onMouseMove={() => setAt(index)}
          >
            <span className="flex-1">{command.label}</span>
            <span className="text-sm text-ink-soft">{hintOf(command)}</span>
          </button>
        ))}
      </div>
      {found.length === 0 && <p className="px-3 py-2 text-ink-soft">No command matches.</p>}
    </div>
  );
}

/** The text after a command: its keys, else its group. */
function hintOf({ group, keys }: { readonly group: string; readonly keys?: string | undefined }): string {
  return keys === undefined ? group : keysLabel(keys, mac);
}

/** Keys of focused elements, which are not commands. */
const IN_FOCUS: readonly (readonly [does: string, keys: string])[] = [
  ["Send the message", "Enter"],
  ["Begin a new line in it", "Shift Enter"],
  ["Approve the call", "Enter"],
  ["Decline the call", "Esc"],
];

function KeyList(): ReactElement {
  const commands = useCommandList().filter(({ keys }) => keys !== undefined);
  const groups = Map.groupBy(commands, ({ group }) => group);
  return (
    <div className="flex flex-col gap-4">
      {[...groups].map(([group, members]) => (
        <Keys
          key={group}
          title={group}
          keys={members.map(({ label, keys = "" }) => [label, keysLabel(keys, mac)] as const)}
        />
      ))}
      <Keys title="Focus" keys={IN_FOCUS} />
    </div>
  );
}

function Keys({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [does: string, keys: string])[];
}): ReactElement {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {keys.map(([does, label]) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd>
              <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5">{label}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
