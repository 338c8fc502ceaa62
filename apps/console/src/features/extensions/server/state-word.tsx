import type { ReactElement } from "react";
import { classNames } from "../../../ui/index.ts";
import type { McpServer } from "./mcp-types.ts";
import { LOOKS } from "./server-state.ts";

/** The state of a server as icon and word. */
export function StateWord({ state }: { readonly state: McpServer["state"] }): ReactElement {
  const { icon: Icon, label, colour } = LOOKS[state];
  return (
    <span className={classNames("inline-flex items-center gap-1 text-sm font-medium whitespace-nowrap", colour)}>
      <Icon aria-hidden className={classNames("size-4 shrink-0", state === "starting" && "animate-pulse")} />
      {label}
    </span>
  );
}
