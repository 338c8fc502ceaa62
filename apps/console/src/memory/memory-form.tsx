import { type FormEvent, type ReactElement, useState } from "react";
import { useApi } from "../api/index.ts";
import { useNotices } from "../notices/index.ts";
import { Button, InlineError, SelectField, TextArea, TextField } from "../ui/index.ts";
import type { Memory } from "./memory.ts";
import { useMemoryChange } from "./use-memory-change.ts";

const POLICIES: { readonly [P in Memory["delivery_policy"]]: string } = {
  retrieved: "Where it fits a message",
  always: "In every conversation",
  on_demand: "Only where it is asked for",
};

const NEW = { content: "", subject: "", domain: "general", delivery_policy: "retrieved" } as const;

/** Writes a memory, or changes one. */
export function MemoryForm({
  memory,
  alwaysOn = false,
  onDone,
}: {
  readonly memory?: Memory | undefined;
  /** A new one that every conversation is to be shown. */
  readonly alwaysOn?: boolean;
  readonly onDone: () => void;
}): ReactElement {
  const { operator } = useApi();
  const notify = useNotices();
  const [draft, setDraft] = useState<Pick<Memory, "content" | "subject" | "domain" | "delivery_policy">>(
    memory ?? (alwaysOn ? { ...NEW, domain: "hot", delivery_policy: "always" } : NEW),
  );
  const { content, subject, domain, delivery_policy: policy } = draft;
  const save = useMemoryChange(() => {
    const body = { content, subject, domain, delivery_policy: policy };
    return memory === undefined
      ? operator.post("/api/knowledge/chunks", { body })
      : operator.put("/api/knowledge/chunks/{chunk_id}", { params: { chunk_id: String(memory.id) }, body });
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // The list is read again before the change has ended, and may have taken this row away: callbacks of the mutation are not called then.
    void save.mutateAsync().then(
      () => {
        notify({ text: memory === undefined ? "The memory is stored." : "The memory is changed.", tone: "good" });
        onDone();
      },
      // What fails is shown by the mutation itself.
      () => {},
    );
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <TextArea
        label="What to remember"
        hint="One thing, in full sentences. It counts as your words."
        rows={5}
        maxLength={8_000}
        required
        value={content}
        onChange={({ target }) => setDraft({ ...draft, content: target.value })}
      />
      <TextField
        label="Subject"
        hint="A later memory of the same subject and domain replaces it. May stay empty."
        maxLength={200}
        value={subject}
        onChange={({ target }) => setDraft({ ...draft, subject: target.value })}
      />
      <TextField
        label="Domain"
        hint="A word to find it by: general, preferences, a project."
        maxLength={64}
        required
        value={domain}
        onChange={({ target }) => setDraft({ ...draft, domain: target.value })}
      />
      <PolicyField policy={policy} onChange={(next) => setDraft({ ...draft, delivery_policy: next })} />
      {save.error !== null && <InlineError error={save.error} />}
      <div>
        <Button
          kind="primary"
          type="submit"
          busy={save.isPending}
          disabled={content.trim() === "" || domain.trim() === ""}
        >
          {memory === undefined ? "Remember it" : "Save"}
        </Button>
      </div>
    </form>
  );
}

/** Which conversations are shown a memory. */
function PolicyField({
  policy,
  onChange,
}: {
  readonly policy: Memory["delivery_policy"];
  readonly onChange: (policy: Memory["delivery_policy"]) => void;
}): ReactElement {
  return (
    <SelectField
      label="The agent is shown it"
      value={policy}
      onChange={({ target }) => onChange(target.value as Memory["delivery_policy"])}
    >
      {Object.entries(POLICIES).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}
