import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { RelativeTime } from "../../../ui/index.ts";
import type { Injection } from "../memory-types.ts";
import { shownFacts, shownTitle } from "./shown-words.ts";
import { WhatIsShown } from "./what-is-shown.tsx";

/** A model call before which something was recalled. */
export function ShownRow({ injection }: { readonly injection: Injection }): ReactElement {
  const { session_id: session, ts, step } = injection;
  return (
    <li className="flex flex-col gap-1.5 py-3.5">
      <h2 className="font-medium">{shownTitle(injection)}</h2>
      <p className="text-sm break-words text-ink-soft">
        <RelativeTime at={ts} />
        {` · ${shownFacts(injection)} · call ${step} of a turn in `}
        <Link to="/chat/$session" params={{ session }} className="text-accent underline">
          {session}
        </Link>
      </p>
      <WhatIsShown shown={injection} />
    </li>
  );
}
