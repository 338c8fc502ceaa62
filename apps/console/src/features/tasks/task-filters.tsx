import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { classNames, SelectField, StateBadge, TextField, workState } from "../../ui/index.ts";
import { FilterChips } from "./filter-chips.tsx";
import { ORIGINS, readFilter, STATES, type TaskFilter } from "./task-filter.ts";

/** Time without a key press after which a search begins. */
const PAUSE_MS = 250;

/** What narrows the list of runs; all of it is in the page's address. */
export function TaskFilters({ filter }: { readonly filter: TaskFilter }): ReactElement {
  const navigate = useNavigate();
  const { state, ...others } = filter;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2">
      <SearchField search={filter.search} />
      <nav aria-label="State" className="flex flex-wrap gap-1">
        {([undefined, ...STATES] as const).map((one) => (
          <Link
            key={one ?? "all"}
            to="/tasks"
            search={{ ...others, ...(one && { state: one }) }}
            aria-current={state === one ? "true" : undefined}
            className={classNames(
              "inline-flex min-h-8 items-center rounded-md px-2 text-sm hover:bg-hover",
              state === one && "bg-accent-soft",
            )}
          >
            {one === undefined ? "All" : <StateBadge state={workState(one)} />}
          </Link>
        ))}
      </nav>
      <div className="w-40 list:ml-auto">
        <SelectField
          label="Origin"
          bare
          value={filter.origin ?? ""}
          onChange={({ target: { value } }) =>
            void navigate({ to: "/tasks", search: readFilter({ ...filter, origin: value }) })
          }
        >
          <option value="">Every origin</option>
          {Object.entries(ORIGINS).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <FilterChips filter={filter} />
    </div>
  );
}

function SearchField({ search = "" }: { readonly search: string | undefined }): ReactElement {
  const navigate = useNavigate();
  const [text, setText] = useState(search);
  // What the address was given last: anything else in it came from a link.
  const given = useRef(search);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (search === given.current) return;
    given.current = search;
    window.clearTimeout(timer.current);
    setText(search);
  }, [search]);
  const type = (next: string): void => {
    setText(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      given.current = next.trim();
      void navigate({
        to: "/tasks",
        search: (before: Readonly<Record<string, unknown>>) => readFilter({ ...before, search: next }),
        replace: true,
      });
    }, PAUSE_MS);
  };
  return (
    <div className="w-full list:w-80">
      <TextField
        label="Search runs"
        bare
        type="search"
        placeholder="Search questions and answers"
        maxLength={1_000}
        value={text}
        onChange={({ target }) => type(target.value)}
      />
    </div>
  );
}
