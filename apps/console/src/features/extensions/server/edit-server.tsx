import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, CheckField, InlineError, Skeleton } from "../../../ui/index.ts";
import { changesOf, draftOf, type TargetDraft } from "../add/target-draft.ts";
import { TargetFields } from "../add/target-fields.tsx";
import { TrialResult } from "../add/trial-result.tsx";
import { useEditServer, useServer, useServerChange } from "../use-servers.ts";
import type { McpServerDetail } from "./mcp-types.ts";

/** Changes how a server is reached. */
export function EditServer({ name, onDone }: { readonly name: string; readonly onDone: () => void }): ReactElement {
  const { data, error } = useServer(name);
  if (error !== null) return <InlineError error={error} />;
  return data === undefined ? <Skeleton className="h-40 w-full" /> : <EditForm server={data} onDone={onDone} />;
}

function EditForm({ server, onDone }: { readonly server: McpServerDetail; readonly onDone: () => void }): ReactElement {
  const { name, settings } = server;
  const { operator } = useApi();
  const notify = useNotices();
  const [before] = useState(() => draftOf(name, settings));
  const [draft, setDraft] = useState<TargetDraft>(before);
  const [repin, setRepin] = useState(false);
  const edit = useEditServer(name);
  const changes = changesOf(before, draft);
  // Its name brings the stored values, which go to its own address only.
  const trial = useServerChange(() =>
    operator.post("/api/mcp/servers/test", { body: { ...changesOf(undefined, draft), name } }),
  );
  const change = (part: Partial<TargetDraft>): void => {
    setDraft({ ...draft, ...part });
    trial.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    edit.mutate(
      { ...changes, ...(repin && { repin }) },
      {
        onSuccess: () => {
          notify({ text: `${name} is saved.`, tone: "good" });
          onDone();
        },
      },
    );
  };
  const hasTarget = (draft.kind === "program" ? draft.command : draft.url).trim() !== "";
  const isUnchanged = Object.keys(changes).length === 0 && !repin;
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TargetFields draft={draft} onChange={change} isSaved />
      <CheckField
        className="gap-2 text-sm"
        label="Approve what it shows next, as of a new server; without this, what differs waits for you"
        checked={repin}
        onChange={({ target }) => setRepin(target.checked)}
      />
      {trial.error !== null && <InlineError error={trial.error} />}
      {edit.error !== null && <InlineError error={edit.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={edit.isPending} disabled={!hasTarget || isUnchanged}>
          Save it
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
