import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../../api/index.ts";
import { type Entries, readStep } from "../../../prompts/index.ts";
import { Button, CheckField, InlineError, SelectField, TextArea, TextField } from "../../../ui/index.ts";
import { GoalCheckFields, useNamedChecks } from "./goal-check-fields.tsx";
import { bodyOf, type CheckDraft, type GoalDraft, NO_CHECK, NO_GOAL, verifierOf } from "./goal-draft.ts";

interface Asked {
  readonly verifier: { readonly [key: string]: unknown };
}

/** A form for a new goal. `onDone` is called with its chat. */
export function GoalForm({ onDone }: { readonly onDone: (session: string) => void }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState<GoalDraft>(NO_GOAL);
  const [check, setCheck] = useState<CheckDraft>(NO_CHECK);
  const [entries, setEntries] = useState<Entries>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const named = useNamedChecks(check.named);
  const isWhole = draft.condition.trim() !== "" && verifierOf(check, {}) !== undefined;
  const save = useMutation({
    mutationFn: ({ verifier }: Asked) => {
      const session_id = draft.session === "" ? `goal-${crypto.randomUUID()}` : draft.session;
      return operator.post("/api/goals", {
        body: { session_id, verifier, ...bodyOf(draft, check) },
        idempotencyKey: requestKey(),
      });
    },
    onSuccess: async ({ goal }) => {
      await queries.invalidateQueries({ queryKey: ["goal"] });
      onDone(goal.session_id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const args = check.kind === "named" ? readStep(named.fields, entries) : { ok: true as const, values: {} };
    setProblems(args.ok ? new Map() : args.problems);
    const verifier = args.ok ? verifierOf(check, args.values) : undefined;
    if (verifier !== undefined) save.mutate({ verifier });
  };
  const set = (parts: Partial<GoalDraft>): void => setDraft({ ...draft, ...parts });
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TextArea
        label="What is to hold"
        hint="A state that can be checked, not a list of steps."
        rows={3}
        maxLength={4_000}
        required
        value={draft.condition}
        onChange={({ target }) => set({ condition: target.value })}
      />
      <ChatField value={draft.session} onChange={(session) => set({ session })} />
      <GoalCheckFields
        check={check}
        onChange={setCheck}
        named={named}
        entries={entries}
        problems={problems}
        onEntries={setEntries}
      />
      <LimitFields draft={draft} set={set} />
      <ContractFields draft={draft} set={set} />
      <CheckField
        label="Begin now"
        className="min-h-7 gap-2"
        checked={draft.begins}
        onChange={({ target }) => set({ begins: target.checked })}
      />
      {save.error !== null && <InlineError error={save.error} />}
      <div>
        <Button kind="primary" type="submit" busy={save.isPending} disabled={!isWhole}>
          Set goal
        </Button>
      </div>
    </form>
  );
}

function ChatField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (session: string) => void;
}): ReactElement {
  const { operator } = useApi();
  const { data } = useQuery({
    queryKey: ["sessions", "of-goals"],
    queryFn: () => operator.get("/api/chat/sessions", { query: { limit: 100 } }),
  });
  return (
    <SelectField
      label="Chat"
      hint={value === "" ? undefined : "A goal that this chat has is replaced, and the turn that works on it stopped."}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">A new one</option>
      {(data?.sessions ?? []).map(({ session_id: id, title }) => (
        <option key={id} value={id}>
          {title === "" ? id : title}
        </option>
      ))}
    </SelectField>
  );
}

interface DraftProps {
  readonly draft: GoalDraft;
  readonly set: (parts: Partial<GoalDraft>) => void;
}

function LimitFields({ draft, set }: DraftProps): ReactElement {
  return (
    <div className="grid gap-4 list:grid-cols-2">
      <TextField
        label="Iterations"
        hint="Turns with a check until it is exhausted. Blank: as the settings say."
        type="number"
        min={1}
        max={1_000}
        value={draft.maxIterations}
        onChange={({ target }) => set({ maxIterations: target.value })}
      />
      <TextField
        label="Without progress"
        hint="Equal verdicts in a row until it is given up. Blank: as the settings say."
        type="number"
        min={1}
        max={100}
        value={draft.noProgressLimit}
        onChange={({ target }) => set({ noProgressLimit: target.value })}
      />
    </div>
  );
}

function ContractFields({ draft, set }: DraftProps): ReactElement {
  return (
    <details className="rounded-md border border-line px-3 py-2">
      <summary className="cursor-pointer font-medium">What to keep to, and when to give up</summary>
      <div className="flex flex-col gap-4 pt-3 pb-1">
        <TextArea
          label="What the result looks like"
          rows={2}
          maxLength={4_000}
          value={draft.outcome}
          onChange={({ target }) => set({ outcome: target.value })}
        />
        <TextArea
          label="What to keep to"
          hint="One on each line."
          rows={2}
          value={draft.constraints}
          onChange={({ target }) => set({ constraints: target.value })}
        />
        <TextArea
          label="What to leave alone"
          hint="One on each line."
          rows={2}
          value={draft.boundaries}
          onChange={({ target }) => set({ boundaries: target.value })}
        />
        <TextField
          label="When to give up"
          hint="A model judges it."
          maxLength={2_000}
          value={draft.stopWhen}
          onChange={({ target }) => set({ stopWhen: target.value })}
        />
        <CheckField
          label="A turn sees the answer before it, not the whole chat"
          className="min-h-7 gap-2"
          checked={draft.fresh}
          onChange={({ target }) => set({ fresh: target.checked })}
        />
      </div>
    </details>
  );
}
