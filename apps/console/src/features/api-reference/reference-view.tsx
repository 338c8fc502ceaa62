import { ArrowLeft } from "lucide-react";
import { type ReactElement, useEffect, useMemo, useState } from "react";
import { Mark } from "../../identity/index.ts";
import { Button, buttonClass, TextField } from "../../ui/index.ts";
import { InlineText } from "./inline-text.tsx";
import { Method } from "./method.tsx";
import { OperationSection } from "./operation-section.tsx";
import type { OperationGroup, Reference } from "./read-reference.ts";
import { narrowed, searchable, withAbsentLast } from "./search-reference.ts";

/** The reference with its index; the search filters both. An operation opens in place and has an address of its own. */
export function ReferenceView({
  reference,
  root,
}: {
  readonly reference: Reference;
  /** Address of the service: `https://host/agents/one`. */
  readonly root: string;
}): ReactElement {
  const [wanted, setWanted] = useState("");
  const [open, toggle] = useOpened();
  const all = useMemo(() => searchable(withAbsentLast(reference.groups)), [reference]);
  const groups = narrowed(all, wanted);
  return (
    <div className="min-h-full">
      <header className="sticky top-0 z-10 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-ground px-4 py-2">
        <a href="./" className={buttonClass({ kind: "quiet" })}>
          <ArrowLeft aria-hidden className="size-4" />
          Back to the console
        </a>
        <Mark className="size-6 text-accent max-list:hidden" />
        <div className="ml-auto w-full max-w-sm">
          <TextField
            label="Find an operation"
            bare
            type="search"
            placeholder="Find by path, words or a field"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        </div>
      </header>
      <div className="mx-auto grid max-w-6xl gap-x-10 px-4 list:grid-cols-[15rem_minmax(0,1fr)]">
        <Index groups={groups} isSearch={wanted.trim() !== ""} />
        <main className="min-w-0 pt-6 pb-24">
          <h1 className="font-display text-2xl font-semibold">{reference.title}</h1>
          <p className="mt-1 text-ink-soft">
            Version {reference.version}.{" "}
            <a href="../api/openapi.json" className="text-accent underline">
              The OpenAPI document
            </a>{" "}
            is for programs.
          </p>
          {wanted.trim() === "" && (
            <div className="mt-4 flex max-w-[72ch] flex-col gap-2">
              <InlineText text={reference.description} />
            </div>
          )}
          {groups.length === 0 && (
            <div role="status" className="mt-10 flex flex-col items-start gap-3">
              <p>No operation has all of these words.</p>
              <Button onClick={() => setWanted("")}>Show all operations</Button>
            </div>
          )}
          {groups.map(({ name, operations }) => (
            <section key={name} id={idOf(name)} aria-label={name} className="scroll-mt-16 pt-8">
              <h2 className="mb-2 font-display text-xl font-semibold">{name}</h2>
              {operations.map((operation) => (
                <OperationSection
                  key={operation.id}
                  operation={operation}
                  root={root}
                  open={open.has(operation.id)}
                  onToggle={() => toggle(operation.id)}
                />
              ))}
            </section>
          ))}
        </main>
      </div>
    </div>
  );
}

/** The operations that are open: those that were pressed, and the one in the address. */
function useOpened(): readonly [ReadonlySet<string>, (id: string) => void] {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const show = (): void => {
      const id = decodeURIComponent(location.hash.slice(1));
      if (id === "") return;
      setOpen((before) => new Set(before).add(id));
      // After it is open: it is as high as what is in it.
      requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView());
    };
    show();
    window.addEventListener("hashchange", show);
    return () => window.removeEventListener("hashchange", show);
  }, []);
  const toggle = (id: string): void =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return [open, toggle];
}

function idOf(group: string): string {
  return `group-${group.toLowerCase().replaceAll(/\W+/g, "-")}`;
}

/** The groups; in a search, what was found in them too. */
function Index({
  groups,
  isSearch,
}: {
  readonly groups: readonly OperationGroup[];
  readonly isSearch: boolean;
}): ReactElement {
  return (
    <nav
      aria-label="Operations"
      className="py-4 text-sm list:sticky list:top-14 list:max-h-[calc(100vh-3.5rem)] list:self-start list:overflow-y-auto list:pt-6 max-list:hidden"
    >
      <ul className="flex flex-col gap-0.5">
        {groups.map(({ name, operations }) => (
          <li key={name}>
            <a href={`#${idOf(name)}`} className="flex rounded-md px-2 py-1 hover:bg-hover">
              {name}
              <span className="ml-auto text-ink-soft tabular-nums">{operations.length}</span>
            </a>
            {isSearch && (
              <ul className="mb-2">
                {operations.map(({ id, method, path }) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      className="grid grid-cols-[3.25rem_minmax(0,1fr)] rounded-md py-0.5 pl-2 hover:bg-hover"
                    >
                      <Method name={method} />
                      {path.replace("/api/", "")}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
