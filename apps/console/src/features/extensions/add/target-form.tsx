import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, InlineError } from "../../../ui/index.ts";
import { useServerChange } from "../use-servers.ts";
import { bodyOf, EMPTY_DRAFT, type TargetDraft } from "./target-draft.ts";
import { TargetFields } from "./target-fields.tsx";
import { TrialResult } from "./trial-result.tsx";

/** Adds a program or a service; it can be tried before it is saved. */
export function TargetForm({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [draft, setDraft] = useState<TargetDraft>(EMPTY_DRAFT);
  // The name of a server that is there would bring its stored values.
  const { name: _, ...unnamed } = bodyOf(draft);
  const trial = useServerChange(() => operator.post("/api/mcp/servers/test", { body: unnamed }));
  const add = useServerChange(() => operator.post("/api/mcp/servers", { body: bodyOf(draft) }));
  const change = (part: Partial<TargetDraft>): void => {
    setDraft({ ...draft, ...part });
    trial.reset();
  };
  const hasTarget = (draft.kind === "program" ? draft.command : draft.url).trim() !== "";
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate(undefined, {
      onSuccess: ({ name }) => {
        notify({ text: `${name} is added.`, tone: "good" });
        onDone();
      },
    });
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TargetFields draft={draft} onChange={change} />
      {trial.error !== null && <InlineError error={trial.error} />}
      {add.error !== null && <InlineError error={add.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={add.isPending} disabled={!hasTarget || draft.name.trim() === ""}>
          Add it
        </Button>
        <Button busy={trial.isPending} disabled={!hasTarget} onClick={() => trial.mutate(undefined)}>
          Test it
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {trial.data !== undefined && <TrialResult trial={trial.data} />}
    </form>
  );
}
