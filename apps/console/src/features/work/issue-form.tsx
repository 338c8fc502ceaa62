import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { type FormEvent, type ReactElement, useState } from "react";
import { requestKey, useApi } from "../../api/index.ts";
import { Button, InlineError, SelectField, TextArea, TextField } from "../../ui/index.ts";
import { type Issue, type IssueStatus, type IssueType, PRIORITIES, STATUSES, TYPES } from "./issue.ts";
import { mayRun, runLabel, useIssueRun } from "./use-issue-run.ts";

/** The fields of an issue that a person edits. */
interface Draft {
  readonly title: string;
  readonly description: string;
  readonly type: IssueType;
  readonly priority: number;
  readonly assignee: string;
}

const BLANK: Draft = { title: "", description: "", type: "task", priority: 2, assignee: "" };

/** A form for a new issue. `onDone` is called with its id, or with undefined when the person cancels. */
export function NewIssueForm({ onDone }: { readonly onDone: (id: string | undefined) => void }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(BLANK);
  const create = useMutation({
    mutationFn: () => operator.post("/api/tasks/issues", { body: draft, idempotencyKey: requestKey() }),
    onSuccess: async ({ issue }) => {
      await queries.invalidateQueries({ queryKey: ["board"] });
      onDone(issue.id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <DraftFields draft={draft} onChange={setDraft} />
      {create.error !== null && <InlineError error={create.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" busy={create.isPending} disabled={draft.title.trim() === ""}>
          Create item
        </Button>
        <Button onClick={() => onDone(undefined)}>Cancel</Button>
      </div>
    </form>
  );
}

/** A form that changes an existing issue. */
export function EditIssueForm({ issue, onDone }: { readonly issue: Issue; readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const { id, title, description, issue_type: type, priority, assignee } = issue;
  const [draft, setDraft] = useState<Draft>({ title, description, type, priority, assignee });
  const [status, setStatus] = useState<IssueStatus>(issue.status);
  const save = () => operator.patch("/api/tasks/issues/{id}", { params: { id }, body: { ...draft, status } });
  // The agent is given what stands in the form.
  const run = useIssueRun(id, save);
  const edit = useMutation({
    mutationFn: save,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["board"] });
      onDone();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    edit.mutate();
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <DraftFields draft={draft} onChange={setDraft} />
      <SelectField label="Status" value={status} onChange={({ target }) => setStatus(target.value as IssueStatus)}>
        {STATUSES.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </SelectField>
      {edit.error !== null && <InlineError error={edit.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={edit.isPending} disabled={draft.title.trim() === ""}>
          Save item
        </Button>
        {mayRun({ ...issue, status }) && (
          <Button
            busy={run.isPending}
            disabled={draft.title.trim() === ""}
            title="Starts a run about it, in a conversation of its own"
            onClick={() => run.mutate()}
          >
            <Bot aria-hidden className="size-4" /> {runLabel(issue)}
          </Button>
        )}
      </div>
    </form>
  );
}

function DraftFields({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}): ReactElement {
  return (
    <>
      <TextField
        label="Title"
        value={draft.title}
        maxLength={500}
        required
        onChange={({ target }) => onChange({ ...draft, title: target.value })}
      />
      <TextArea
        label="Description"
        rows={6}
        maxLength={20_000}
        value={draft.description}
        onChange={({ target }) => onChange({ ...draft, description: target.value })}
      />
      <div className="grid gap-4 list:grid-cols-2">
        <SelectField
          label="Type"
          value={draft.type}
          onChange={({ target }) => onChange({ ...draft, type: target.value as IssueType })}
        >
          {TYPES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Priority"
          value={String(draft.priority)}
          onChange={({ target }) => onChange({ ...draft, priority: Number(target.value) })}
        >
          {PRIORITIES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <TextField
        label="Assignee"
        hint="Blank for no one."
        maxLength={200}
        value={draft.assignee}
        onChange={({ target }) => onChange({ ...draft, assignee: target.value })}
      />
    </>
  );
}
