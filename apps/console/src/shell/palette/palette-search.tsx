import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from "react";
import { classNames } from "../../ui/index.ts";
import type { Screen } from "../screen.ts";
import { PaletteField } from "./palette-field.tsx";
import type { Entry, Section } from "./sections.ts";
import { useEntries } from "./use-entries.ts";

/** The search of the palette with what it finds. */
export function PaletteSearch({
  input,
  screens,
  search,
  onSearch,
  onDone,
}: {
  readonly input: RefObject<HTMLInputElement | null>;
  readonly screens: readonly Screen[];
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onDone: () => void;
}): ReactElement {
  // By its id: once everything typed for is found, or a person has moved to it, what comes later does not move it.
  const [chosenId, setChosenId] = useState<string | undefined>(undefined);
  const list = useId();
  const { sections, failed, busy } = useEntries(screens, search);
  const entries = sections.flatMap((section) => section.entries);
  const chosen = entries.find(({ id }) => id === chosenId) ?? entries[0];
  const optionOf = ({ id }: Entry): string => `${list}-${entries.findIndex((one) => one.id === id)}`;
  const option = chosen === undefined ? undefined : optionOf(chosen);
  const firstId = entries[0]?.id;
  useEffect(() => {
    if (!busy && chosenId === undefined && firstId !== undefined) setChosenId(firstId);
  }, [busy, chosenId, firstId]);
  useEffect(() => {
    if (option !== undefined) document.getElementById(option)?.scrollIntoView({ block: "nearest" });
  }, [option]);
  // Before the next key: this field takes the place of the one that was there while this was loaded.
  useLayoutEffect(() => input.current?.focus(), [input]);
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onDone();
    entry.run();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter") run(chosen);
    else {
      const to = indexAfter(event.key, chosen === undefined ? 0 : entries.indexOf(chosen), entries.length);
      if (to === undefined) return;
      setChosenId(entries[to]?.id);
    }
    event.preventDefault();
  };
  return (
    <div className="flex flex-col gap-2">
      <PaletteField
        ref={input}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={list}
        aria-activedescendant={option}
        search={search}
        onSearch={(next) => {
          onSearch(next);
          setChosenId(undefined);
        }}
        onKeyDown={pressed}
      />
      <div id={list} role="listbox" aria-label="Found" aria-busy={busy} className="flex flex-col gap-2">
        {sections.map((section) => (
          <Group
            key={section.label}
            section={section}
            chosen={chosen}
            optionOf={optionOf}
            onChoose={setChosenId}
            onRun={run}
          />
        ))}
      </div>
      <p role="status" className="px-3 text-sm text-ink-soft empty:hidden">
        {statusOf(entries.length, search.trim(), busy, failed)}
      </p>
    </div>
  );
}

/** Entries that a key of pages passes. */
const PAGE = 8;

/** Where a key leads from an entry: arrows go around at the ends; undefined: the key leads nowhere. */
function indexAfter(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowDown") return (at + 1) % Math.max(1, count);
  if (key === "ArrowUp") return (at - 1 + count) % Math.max(1, count);
  if (key === "PageDown") return Math.max(0, Math.min(at + PAGE, count - 1));
  return key === "PageUp" ? Math.max(0, at - PAGE) : undefined;
}

function Group({
  section: { label, entries },
  chosen,
  optionOf,
  onChoose,
  onRun,
}: {
  readonly section: Section;
  readonly chosen: Entry | undefined;
  /** The id of an entry's element. */
  readonly optionOf: (entry: Entry) => string;
  readonly onChoose: (id: string) => void;
  readonly onRun: (entry: Entry) => void;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list box groups its options by this role alone.
    <div role="group" aria-label={label}>
      <p aria-hidden className="px-3 py-1 text-xs font-medium text-ink-soft">
        {label}
      </p>
      {entries.map((entry) => (
        <Option
          key={entry.id}
          id={optionOf(entry)}
          entry={entry}
          chosen={entry === chosen}
          onChoose={() => onChoose(entry.id)}
          onRun={() => onRun(entry)}
        />
      ))}
    </div>
  );
}

function Option({
  id,
  entry: { label, detail },
  chosen,
  onChoose,
  onRun,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  readonly onRun: () => void;
}): ReactElement {
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={chosen}
      className={classNames(
        "flex min-h-9 w-full items-center gap-3 rounded-md px-3 py-1.5 text-left",
        chosen && "bg-hover",
      )}
      onClick={onRun}
      onMouseMove={onChoose}
    >
      <span className="line-clamp-1 flex-1">{label}</span>
      <span className="max-w-[40%] shrink-0 truncate text-sm text-ink-soft">{detail}</span>
    </button>
  );
}

function statusOf(count: number, search: string, busy: boolean, failed: readonly string[]): string {
  const broken = failed.length === 0 ? "" : `${failed.join(" and ")} cannot be searched now.`;
  if (count > 0) return broken;
  if (busy) return "Searching…";
  return `Nothing is called “${search}”. Chats and runs are found by their words, settings by name or key. ${broken}`;
}
