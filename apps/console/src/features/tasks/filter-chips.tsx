import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { ReactElement } from "react";
import { startOf } from "../../ui/index.ts";
import type { TaskFilter } from "./task-filter.ts";

/** What a figure of telemetry led to, a model, a tool or a time: each can be taken out. */
export function FilterChips({ filter }: { readonly filter: TaskFilter }): ReactElement | null {
  const chips = chipsOf(filter);
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Only runs" className="flex w-full min-w-0 flex-wrap gap-2 text-sm">
      {chips.map(({ text, remove, without }) => (
        <li
          key={remove}
          className="inline-flex min-h-8 max-w-full min-w-0 items-center rounded-md bg-accent-soft pl-2.5 text-ink"
        >
          <span className="min-w-0 py-1 [overflow-wrap:anywhere]">{text}</span>
          <Link
            to="/tasks"
            search={without}
            aria-label={remove}
            title={remove}
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-md hover:bg-hover"
          >
            <X aria-hidden className="size-4" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface Chip {
  readonly text: string;
  readonly remove: string;
  /** The filter that is left. */
  readonly without: TaskFilter;
}

function chipsOf(filter: TaskFilter): readonly Chip[] {
  const { model, tool, from, to } = filter;
  const { model: _model, ...anyModel } = filter;
  const { tool: _tool, ...anyTool } = filter;
  const { from: _from, to: _to, ...anyTime } = filter;
  const time = [from && `From ${startOf(from, false)}`, to && `until ${startOf(to, false)}`].filter(Boolean).join(" ");
  return [
    ...(model === undefined ? [] : [{ text: `Answered by ${model}`, remove: "Show every model", without: anyModel }]),
    ...(tool === undefined ? [] : [{ text: `Called ${tool}`, remove: "Show every tool", without: anyTool }]),
    ...(time === "" ? [] : [{ text: time, remove: "Show all times", without: anyTime }]),
  ];
}
