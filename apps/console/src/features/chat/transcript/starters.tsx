import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { requestKey, useApi, useRuntimeStatus } from "../../../api/index.ts";
import { Button, Dialog, InlineError } from "../../../ui/index.ts";
import { STARTERS, type Starter } from "./starter-texts.ts";

const KEY = "enforcement.require_approval";

/** Four conversations that show what the agent can do, each begun with one press, with the demo's model too. */
export function Starters({ onSend }: { readonly onSend: (text: string) => void }): ReactElement {
  const { operator } = useApi();
  const isDemo = useRuntimeStatus()?.model.provider === "scripted";
  const [asking, setAsking] = useState<Starter>();
  const { data } = useQuery({ queryKey: ["tools"], queryFn: () => operator.get("/api/tools") });
  const textOf = ({ demo, text }: Starter): string => (isDemo ? demo : text);
  const asksFirst = (tool: string): boolean =>
    data?.tools.some(({ name, requires_approval }) => name === tool && requires_approval) === true;
  const begin = (starter: Starter): void => {
    if (starter.asksBefore === undefined || asksFirst(starter.asksBefore)) onSend(textOf(starter));
    else setAsking(starter);
  };
  return (
    <>
      <ul aria-label="Ways to begin" className="grid gap-2 list:grid-cols-2">
        {STARTERS.map((starter) => (
          <li key={starter.title}>
            <button
              type="button"
              onClick={() => begin(starter)}
              className="flex h-full w-full flex-col rounded-lg border border-line px-3.5 py-2.5 text-left transition-colors duration-120 hover:border-accent-line hover:bg-raised"
            >
              <span className="font-medium">{starter.title}</span>
              <span className="text-sm text-ink-soft">{starter.line}</span>
            </button>
          </li>
        ))}
      </ul>
      <Dialog open={asking !== undefined} onOpenChange={() => setAsking(undefined)} title="Have it ask you first?">
        {asking?.asksBefore !== undefined && (
          <AskFirst
            tool={asking.asksBefore}
            onDone={(isOn) => {
              setAsking(undefined);
              if (isOn) onSend(textOf(asking));
            }}
          />
        )}
      </Dialog>
    </>
  );
}

/** Lets one tool ask first, where none does: what is asked about is the operator's choice. */
function AskFirst({ tool, onDone }: { readonly tool: string; readonly onDone: (isOn: boolean) => void }): ReactElement {
  const { operator } = useApi();
  const turnOn = useMutation({
    mutationFn: async () => {
      const { config } = await operator.get("/api/config");
      await operator.post("/api/settings", {
        body: { updates: { [KEY]: [...askedIn(config), tool] } },
        idempotencyKey: requestKey(),
      });
    },
    onSuccess: () => onDone(true),
  });
  return (
    <div className="flex flex-col gap-3">
      <p>
        No tool waits for your approval yet. Which ones do is your choice, under{" "}
        <Link to="/settings/tools" className="text-accent underline">
          Settings, Tools
        </Link>
        . Begin with <code>{tool}</code>, which reads the clock?
      </p>
      {turnOn.error !== null && <InlineError error={turnOn.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          Ask first, and try it
        </Button>
        <Button onClick={() => onDone(false)}>Not now</Button>
      </div>
    </div>
  );
}

function askedIn(config: { readonly [section: string]: unknown }): readonly string[] {
  const { enforcement } = config;
  const isSection = typeof enforcement === "object" && enforcement !== null && "require_approval" in enforcement;
  const names = isSection ? enforcement.require_approval : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
