import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ListStates, RelativeTime } from "../../../ui/index.ts";
import type { MemoryUse } from "../memory-types.ts";
import { useUses } from "./use-injections.ts";

const HOW: { readonly [H in MemoryUse["how"]]: string } = {
  shown: "Shown it",
  in_sight: "Still had it in sight",
  read: "Read it with a tool",
};

/** Which turns saw a memory, and what they did then. */
export function MemoryUses({ memory }: { readonly memory: number }): ReactElement {
  const list = useUses(memory);
  const uses = list.data?.pages.flatMap((page) => page.uses) ?? [];
  return (
    <ListStates
      list={list}
      isEmpty={uses.length === 0}
      failed="Its uses cannot be read"
      empty={<p className="text-ink-soft">No turn saw it yet.</p>}
    >
      <ol aria-label={`Turns that saw memory ${memory}`} className="divide-y divide-line">
        {uses.map(({ task_id: task, session_id: session, at, how, effects }) => (
          <li key={`${task} ${at} ${how}`} className="flex flex-col gap-0.5 py-2.5">
            <p className="break-words">
              {`${HOW[how]} in `}
              <Link to="/chat/$session" params={{ session }} className="text-accent underline">
                {session}
              </Link>
            </p>
            <p className="text-sm break-words text-ink-soft">
              <RelativeTime at={at} />
              {effects.length === 0 ? " · changed nothing then" : ` · called then: ${effects.join(", ")}`}
            </p>
          </li>
        ))}
      </ol>
    </ListStates>
  );
}
