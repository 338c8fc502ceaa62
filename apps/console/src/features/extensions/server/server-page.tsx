import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useIsManaged } from "../../../api/index.ts";
import { useSearchValue } from "../../../parts/index.ts";
import { Button, Choices, ErrorState, Page, ScrollRegion, SkeletonRows } from "../../../ui/index.ts";
import { RecordedCalls } from "../calls/recorded-calls.tsx";
import { HeldDefinitions } from "../held/held-definitions.tsx";
import { PromptList } from "../tool/prompt-list.tsx";
import { ToolList } from "../tool/tool-list.tsx";
import { useServer } from "../use-servers.ts";
import type { McpServerDetail } from "./mcp-types.ts";
import { ServerMenu } from "./server-menu.tsx";
import { transportLabel } from "./server-state.ts";
import { ServerValues } from "./server-values.tsx";
import { StateStory } from "./state-story.tsx";
import { StateWord } from "./state-word.tsx";
import { useSignIn } from "./use-sign-in.ts";

/** A server: its state, what waits of it, its tools, its calls and its log. */
export function ServerPage(): ReactElement {
  const { server: name = "" } = useParams({ strict: false });
  const { data, error, refetch } = useServer(name);
  const navigate = useNavigate();
  const mayChange = !useIsManaged();
  const back = (
    <Link to="/extensions/mcp" className="text-sm text-accent underline">
      All servers
    </Link>
  );
  return (
    <Page
      title={name}
      lead={
        <>
          {data !== undefined && <StateWord state={data.state} />}
          {back}
        </>
      }
      actions={
        data !== undefined &&
        mayChange && <ServerMenu server={data} onRemoved={() => void navigate({ to: "/extensions/mcp" })} />
      }
    >
      <div className="mx-auto max-w-3xl px-4 pb-16">
        {data === undefined && error === null && <SkeletonRows />}
        {data === undefined && error !== null && (
          <ErrorState title="This server cannot be read" error={error} onRetry={() => void refetch()} back={back} />
        )}
        {data !== undefined && <Server server={data} mayChange={mayChange} />}
      </div>
    </Page>
  );
}

const VIEWS = [
  { value: "tools", label: "Tools" },
  { value: "prompts", label: "Prompts" },
  { value: "calls", label: "Calls" },
  { value: "log", label: "Log" },
] as const;

function Server({
  server,
  mayChange,
}: {
  readonly server: McpServerDetail;
  readonly mayChange: boolean;
}): ReactElement {
  const [chosen, choose] = useSearchValue("view");
  const view = VIEWS.find(({ value }) => value === chosen)?.value ?? "tools";
  const { name, transport, era, pid, restarts, log, state } = server;
  const facts = [
    transportLabel(transport),
    era !== null && `Protocol of ${era}`,
    pid !== undefined && `Process ${pid}`,
    restarts > 0 && (restarts === 1 ? "Connected again once" : `Connected again ${restarts} times`),
  ];
  return (
    <>
      <div className="flex flex-col gap-2 py-4">
        <p className="text-sm text-ink-soft">{facts.filter(Boolean).join(" · ")}</p>
        <StateStory server={server} />
      </div>
      {mayChange && state === "needs_auth" && <SignIn name={name} />}
      {mayChange && <ServerValues server={server} />}
      <HeldDefinitions server={server} mayChange={mayChange} />
      <div className="border-b border-line py-2">
        <Choices label="What is shown" options={VIEWS} value={view} onChange={choose} />
      </div>
      {view === "tools" && <ToolList server={server} mayChange={mayChange} />}
      {view === "prompts" && <PromptList server={server} />}
      {view === "calls" && <RecordedCalls server={name} mayChange={mayChange} />}
      {view === "log" &&
        (log.length === 0 ? (
          <p className="py-6 text-ink-soft">What the program prints to its standard error appears here.</p>
        ) : (
          <ScrollRegion label={`Log of ${name}`} className="my-4 max-h-[60vh] overflow-auto rounded-md bg-sunken p-3">
            <pre className="text-sm whitespace-pre-wrap">{log.join("\n")}</pre>
          </ScrollRegion>
        ))}
    </>
  );
}

function SignIn({ name }: { readonly name: string }): ReactElement {
  const signIn = useSignIn(name);
  return (
    <p className="pb-4">
      <Button kind="primary" onClick={signIn}>
        Sign in
      </Button>
    </p>
  );
}
