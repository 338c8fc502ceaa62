import type { ReactElement } from "react";
import { shellArgument, useApi } from "../../api/index.ts";
import { CopyText } from "../../ui/index.ts";

const ITEM = { text: "Disk at 95 %.", priority: "now", source: "monitor" } as const;

/** The request by which a program leaves something in the inbox, as a command. The token is a variable of the shell. */
export function InboxExample(): ReactElement {
  const { baseUrls } = useApi();
  const command = [
    `curl ${shellArgument(`${baseUrls.agent}/api/inbox`)}`,
    `-H "authorization: Bearer $AGENT_TOKEN"`,
    `-H ${shellArgument("content-type: application/json")}`,
    `-d ${shellArgument(JSON.stringify(ITEM))}`,
  ].join(" \\\n  ");
  return (
    <div className="flex flex-col gap-1.5">
      <CopyText text={command} label="Copy the command" />
      <p className="text-sm text-ink-soft">
        <code>now</code> starts a turn at once; <code>next</code> and <code>later</code> wait. Where the service has a
        token, put it into the shell's variable <code>AGENT_TOKEN</code>.
      </p>
    </div>
  );
}

/** What a page is for, above its list, with the example folded below it. */
export function ExplainedHead({
  children,
  example,
}: {
  readonly children: string;
  /** What the example does. */
  readonly example: string;
}): ReactElement {
  return (
    <div className="flex flex-col gap-1">
      <p className="max-w-prose text-ink-soft">{children}</p>
      <details className="flex flex-col gap-2">
        <summary className="w-fit text-sm text-accent">{example}</summary>
        <div className="pt-2">
          <InboxExample />
        </div>
      </details>
    </div>
  );
}
