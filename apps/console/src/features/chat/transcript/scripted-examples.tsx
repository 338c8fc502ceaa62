import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { Button, Dialog, InlineError } from "../../../ui/index.ts";

const ASKING = "current_time";
const KEY = "enforcement.require_approval";
const APPROVAL = `/call ${ASKING} {"timezone":"Asia/Tokyo"}`;
const EXAMPLES = [
  {
    label: "Work something out",
    text: '/think A calculator is exact.\n/call calculator {"expression":"41 * 8 / 0.9"}',
  },
  { label: "Ask me something", text: '/call ask_human {"question":"Which city is it about?"}' },
] as const;

/** Examples for the scripted model, each with one press: a call, a question, an approval. */
export function ScriptedExamples({ onSend }: { readonly onSend: (text: string) => void }): ReactElement {
  const { operator } = useApi();
  const [asks, setAsks] = useState(false);
  const { data } = useQuery({ queryKey: ["tools"], queryFn: () => operator.get("/api/tools") });
  const asksFirst = data?.tools.some(({ name, requires_approval }) => name === ASKING && requires_approval) === true;
  return (
    <div className="flex flex-col items-start gap-2">
      {EXAMPLES.map(({ label, text }) => (
        <Button key={label} onClick={() => onSend(text)}>
          {label}
        </Button>
      ))}
      <Button onClick={() => (asksFirst ? onSend(APPROVAL) : setAsks(true))}>Wait for my approval</Button>
      <Dialog open={asks} onOpenChange={setAsks} title="Should it ask you first?">
        <AskFirst
          onDone={(isOn) => {
            setAsks(false);
            if (isOn) onSend(APPROVAL);
          }}
        />
      </Dialog>
    </div>
  );
}

/** A link to the settings that make a tool ask first, shown where none does. */
function AskFirst({ onDone }: { readonly onDone: (isOn: boolean) => void }): ReactElement {
  const { operator } = useApi();
  const turnOn = useMutation({
    mutationFn: async () => {
      const { config } = await operator.get("/api/config");
      await operator.post("/api/settings", {
        body: { updates: { [KEY]: [...askedIn(config), ASKING] } },
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
        . Begin with <code>{ASKING}</code>, which reads the clock?
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
