import { OperatorApiError } from "@agent-service/operator-api/client";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { type ReactElement, useMemo } from "react";
import { useApi } from "../../api/index.ts";
import { useSearchValue } from "../../parts/index.ts";
import { count, EmptyState, ErrorState, RelativeTime, SelectField, SkeletonRows, Table } from "../../ui/index.ts";
import { type ChosenCall, callsOf, type PromptCall, promptText, toolsChars } from "./prompt-call.ts";
import { PromptDiff } from "./prompt-diff.tsx";
import { lowered, PromptMessages } from "./prompt-messages.tsx";
import { SendAgain } from "./send-again.tsx";

function usePrompts(task: string | undefined) {
  const { operator } = useApi();
  return useQuery({
    queryKey: ["prompts", "task", task],
    enabled: task !== undefined,
    queryFn: () => operator.get("/api/prompts/{task_id}", { params: { task_id: task ?? "" } }),
  });
}

/** In the address: compare with no call. */
const NONE = "none";

/** The model calls of a turn: the prompt of each, and how one differs from another. */
export function PromptCalls(): ReactElement {
  const { task } = useParams({ strict: false }) as { readonly task: string };
  const read = usePrompts(task);
  // Its calls may be deleted already: then there is nothing to compare with.
  const before = usePrompts(read.data?.prev);
  const [chosen, choose] = useSearchValue("call");
  const [against, compare] = useSearchValue("against");
  const calls = useMemo(
    () => (read.data === undefined ? [] : callsOf(read.data, before.data)),
    [read.data, before.data],
  );
  if (read.isPending) return <SkeletonRows />;
  if (read.error instanceof OperatorApiError && read.error.status === 404) return <NotKept />;
  if (read.error !== null) {
    return (
      <ErrorState
        title="The prompts of this turn cannot be read"
        error={read.error}
        onRetry={() => void read.refetch()}
      />
    );
  }
  const shown = calls.find(({ key }) => key === chosen) ?? calls[0];
  if (shown === undefined) return <NotKept />;
  // The call before it, unless the address names another, or none.
  const other = calls.find(({ key }) => key === (against ?? shown.follows));
  return (
    <article className="flex max-w-4xl flex-col gap-5 p-4">
      <header className="flex flex-col gap-1">
        <Link to="/observe/prompts" className="inline-flex items-center gap-1 text-accent list:hidden">
          <ArrowLeft aria-hidden className="size-4" /> All turns
        </Link>
        <h2 className="font-display text-lg font-semibold">What the model was sent</h2>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <span>{shown.call.model}</span>
          {shown.call.reasoning_effort !== null && <span>Reasoning effort: {shown.call.reasoning_effort}</span>}
          <RelativeTime at={shown.call.ts} />
          <Link to={`/tasks/${task}`} className="text-accent hover:underline">
            Timeline of the turn
          </Link>
        </p>
      </header>
      <div className="grid gap-3 list:grid-cols-2">
        <CallSelect label="Call" calls={calls} value={shown.key} onChange={choose} />
        <CallSelect
          label="Compare with"
          none="Nothing"
          calls={calls.filter(({ key }) => key !== shown.key)}
          value={other?.key ?? ""}
          onChange={(key) => compare(key === "" ? NONE : key)}
        />
      </div>
      <Usage call={shown.call} />
      {other === undefined ? (
        <PromptText call={shown.call} />
      ) : (
        <>
          <PromptDiff before={promptText(other.call)} after={promptText(shown.call)} beforeName={other.label} />
          <OtherDifferences call={shown.call} other={other} />
        </>
      )}
      <PromptMessages shown={shown} other={other} />
      <SendAgain task={task} model={shown.call.model} />
    </article>
  );
}

function NotKept(): ReactElement {
  return (
    <EmptyState drawing="records" title="No model call of this turn is kept">
      How long calls are kept, and how many, is <code>prompts</code> in the settings.
    </EmptyState>
  );
}

/** What two calls may differ in besides instructions and messages. */
function OtherDifferences({ call, other }: { readonly call: PromptCall; readonly other: ChosenCall }): ReactElement {
  const [tools, before] = [toolsChars(call), toolsChars(other.call)];
  return (
    <>
      {call.model !== other.call.model && (
        <p>
          Another model: {call.model}, in {lowered(other.label)} {other.call.model}.
        </p>
      )}
      {tools !== before && (
        <p>
          Other tools: {count(tools)} characters, in {lowered(other.label)} {count(before)}.
        </p>
      )}
    </>
  );
}

function CallSelect({
  label,
  calls,
  value,
  none,
  onChange,
}: {
  readonly label: string;
  readonly calls: readonly ChosenCall[];
  readonly value: string;
  readonly none?: string;
  readonly onChange: (key: string) => void;
}): ReactElement {
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChange(target.value)}>
      {none !== undefined && <option value="">{none}</option>}
      {calls.map((one) => (
        <option key={one.key} value={one.key}>
          {one.label}
        </option>
      ))}
    </SelectField>
  );
}

function Usage({ call: { usage } }: { readonly call: PromptCall }): ReactElement {
  const figures = [
    ["Input", usage?.input_tokens],
    ["Output", usage?.output_tokens],
    ["Read from the cache", usage?.cache_read_tokens],
    ["Written to the cache", usage?.cache_creation_tokens],
  ] as const;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 list:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="font-semibold tabular-nums">{count(value)} tokens</dd>
        </div>
      ))}
    </dl>
  );
}

const SCOPES = { stable: "In every call", session: "In this conversation", turn: "In this turn" } as const;

function PromptText({ call }: { readonly call: PromptCall }): ReactElement {
  const { stable, context, wire_differs: differs, wire } = call.system;
  const parts = differs
    ? [["As it went over the wire", wire] as const]
    : [["The same in every call", stable] as const, ["What this conversation adds", context] as const];
  return (
    <>
      {call.sections.length > 0 && (
        <Table
          label="Sections of the prompt"
          rows={call.sections}
          keyOf={({ label, scope }) => `${scope} ${label}`}
          columns={[
            { name: "Section", cell: ({ label }) => label },
            { name: "Holds", cell: ({ scope }) => SCOPES[scope] },
            { name: "Characters", numeric: true, cell: ({ chars }) => count(chars) },
            { name: "Tokens, about", numeric: true, cell: ({ approx_tokens: tokens }) => count(tokens) },
          ]}
        />
      )}
      {parts
        .filter(([, text]) => text !== "")
        .map(([name, text]) => (
          <section key={name} aria-label={name} className="flex flex-col gap-1.5">
            <h3 className="font-semibold">{name}</h3>
            <pre className="rounded-md border border-line bg-sunken p-3 text-sm whitespace-pre-wrap">{text}</pre>
          </section>
        ))}
    </>
  );
}
