import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useMemo, useRef, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { type Entries, FormControls, formFields, readStep } from "../../../prompts/index.ts";
import { Button, InlineError, TextArea } from "../../../ui/index.ts";
import type { McpTool } from "../server/mcp-types.ts";
import { ResultImages } from "./result-images.tsx";
import { EFFECTS } from "./tool-words.ts";

const OUTCOMES = {
  ok: ["Answered", "text-good"],
  error: ["Error", "text-bad"],
  denied: ["Not allowed", "text-bad"],
  aborted: ["Stopped", "text-ink-soft"],
  unknown: ["Unknown: it may have happened", "text-bad"],
} as const;

/** Calls a tool without a model, with a form of its schema, and shows what a model would read. */
export function TryTool({ tool }: { readonly tool: McpTool }): ReactElement {
  const { operator } = useApi();
  const { full_name: name, input_schema: schema, effect } = tool;
  const fields = useMemo(() => formFields(schema), [schema]);
  const isFree = fields.length === 0 && !isEmptyObject(schema);
  const [entries, setEntries] = useState<Entries>(new Map());
  const [json, setJson] = useState("{}");
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const key = useRef<string>(undefined);
  const call = useMutation({
    mutationFn: (args: unknown) => {
      key.current ??= requestKey();
      return operator.post("/api/tools/{name}/call", { params: { name }, body: { args }, idempotencyKey: key.current });
    },
    onSuccess: () => {
      key.current = undefined;
    },
  });
  const change = (next: Entries): void => {
    // Other arguments are another call.
    key.current = undefined;
    setEntries(next);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = isFree ? readJson(json) : readStep(fields, entries);
    setProblems(read.ok ? new Map() : read.problems);
    if (read.ok) call.mutate(read.values);
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit} noValidate>
      <p className="text-sm text-ink-soft">
        {EFFECTS[effect].label}. The call is made at once and by itself: no model is asked, and approvals hold as
        always.
      </p>
      {fields.length > 0 && <FormControls fields={fields} entries={entries} problems={problems} onChange={change} />}
      {isFree && (
        <TextArea
          label="Arguments"
          hint="As JSON."
          rows={6}
          className="font-mono text-sm"
          spellCheck={false}
          value={json}
          error={problems.get("json")}
          onChange={({ target }) => {
            key.current = undefined;
            setJson(target.value);
          }}
        />
      )}
      {call.error !== null && <InlineError error={call.error} />}
      <div>
        <Button kind="primary" type="submit" busy={call.isPending}>
          Call {tool.name}
        </Button>
      </div>
      {call.data !== undefined && <CallResult reply={call.data} />}
    </form>
  );
}

interface Reply {
  readonly task_id: string;
  readonly session_id: string;
  readonly outcome?: keyof typeof OUTCOMES | undefined;
  readonly result?: string | undefined;
  readonly input_required?: unknown;
}

function CallResult({
  reply: { task_id, session_id: session, outcome, result, input_required: waits },
}: {
  readonly reply: Reply;
}): ReactElement {
  return (
    <section aria-label="Result" role="status" className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 text-sm font-medium">
        {outcome !== undefined && <span className={OUTCOMES[outcome][1]}>{OUTCOMES[outcome][0]}</span>}
        {waits !== undefined && (
          <Link to="/approvals" className="text-waiting underline">
            It waits for you: open the approvals
          </Link>
        )}
        {outcome === undefined && waits === undefined && <span className="text-accent">It still runs</span>}
        <Link to="/tasks/$task" params={{ task: task_id }} className="text-accent underline">
          Open run
        </Link>
      </p>
      {result !== undefined && <pre className="rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap">{result}</pre>}
      {outcome !== undefined && <ResultImages session={session} task={task_id} />}
    </section>
  );
}

function isEmptyObject({ type, properties, additionalProperties }: McpTool["input_schema"]): boolean {
  const named = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return (
    type === "object" && named.length === 0 && (additionalProperties === false || additionalProperties === undefined)
  );
}

function readJson(text: string): ReturnType<typeof readStep> {
  try {
    return { ok: true, values: JSON.parse(text) as { readonly [name: string]: unknown } };
  } catch {
    return { ok: false, problems: new Map([["json", "This is not valid JSON."]]) };
  }
}
