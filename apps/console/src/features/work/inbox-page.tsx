import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useMemo, useState } from "react";
import { pagedQuery, requestKey, useApi } from "../../api/index.ts";
import { useCommands } from "../../commands/index.ts";
import { useNotices } from "../../notices/index.ts";
import { useSearchValue } from "../../parts/index.ts";
import {
  Button,
  CheckField,
  Choices,
  Dialog,
  EmptyState,
  failureOf,
  InlineError,
  ListStates,
  RelativeTime,
  SelectField,
  TextArea,
  TextField,
} from "../../ui/index.ts";
import { ExplainedHead, InboxExample } from "./inbox-example.tsx";
import { WorkPage } from "./work-page.tsx";

const FLOORS = [
  { value: "later", label: "Everything" },
  { value: "next", label: "Next and now" },
  { value: "now", label: "Now" },
] as const;

const URGENCIES = { now: "Now", next: "Next", later: "Later" } as const;
type Urgency = keyof typeof URGENCIES;

function useInbox(floor: Urgency, taken: boolean) {
  const { operator } = useApi();
  return useInfiniteQuery(
    pagedQuery(["inbox", "list", floor, taken], (page) =>
      operator.get("/api/inbox", { query: { floor, include_delivered: taken, limit: 50, ...page } }),
    ),
  );
}

/** The inbox items that wait for the agent, and those it has read. */
export function InboxPage(): ReactElement {
  const [chosen, choose] = useSearchValue("floor");
  const [taken, setTaken] = useSearchValue("taken");
  const [adding, setAdding] = useState(false);
  const floor = FLOORS.find(({ value }) => value === chosen)?.value ?? "later";
  const list = useInbox(floor, taken !== undefined);
  useCommands(
    useMemo(() => [{ id: "inbox-add", label: "Add to the inbox", group: "Work", run: () => setAdding(true) }], []),
  );
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <WorkPage
      actions={
        <Button kind="primary" small onClick={() => setAdding(true)}>
          Add to inbox
        </Button>
      }
    >
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
        {items.length > 0 && (
          <ExplainedHead example="How a program adds to it">
            What programs and people left for the agent, until it reads it. What is due now starts a turn at once.
          </ExplainedHead>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Choices
            label="How urgent"
            options={FLOORS}
            value={floor}
            onChange={(next) => choose(next === "later" ? undefined : next)}
          />
          <CheckField
            label="Show what the agent has read"
            className="min-h-7 gap-1.5 text-sm text-ink-soft"
            checked={taken !== undefined}
            onChange={({ target }) => setTaken(target.checked ? "yes" : undefined)}
          />
        </div>
        <ListStates
          list={list}
          isEmpty={items.length === 0}
          failed="The inbox cannot be read"
          empty={
            <EmptyState
              drawing="inbox"
              title="Nothing waits for the agent"
              action={<Button onClick={() => setAdding(true)}>Add to inbox</Button>}
            >
              <p className="pb-3">
                Programs and people leave here what the agent should know. Try it from a shell, or add an item yourself:
              </p>
              <InboxExample />
            </EmptyState>
          }
        >
          <ul className="flex flex-col divide-y divide-line">
            {items.map((item) => (
              <InboxRow key={item.id} item={item} />
            ))}
          </ul>
        </ListStates>
      </div>
      <Dialog open={adding} onOpenChange={setAdding} title="Add to the inbox">
        <AddForm onDone={() => setAdding(false)} />
      </Dialog>
    </WorkPage>
  );
}

interface Item {
  readonly id: number;
  readonly created_at: string;
  readonly priority: Urgency;
  readonly source: string | null;
  readonly text: string;
  readonly delivered_at: string | null;
}

function InboxRow({ item }: { readonly item: Item }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const deliver = useMutation({
    mutationFn: () =>
      operator.post("/api/inbox/{item_id}/deliver", {
        params: { item_id: String(item.id) },
        idempotencyKey: requestKey(),
      }),
    onSuccess: ({ delivered }) => {
      notify({
        text: delivered === 1 ? "A turn began with it." : "The agent had taken it already.",
        tone: delivered === 1 ? "good" : "plain",
      });
      return queries.invalidateQueries({ queryKey: ["inbox"] });
    },
    onError: (error) => notify({ text: failureOf(error).message, tone: "bad" }),
  });
  return (
    <li className="flex flex-col gap-1 py-3">
      <p className="line-clamp-6 whitespace-pre-wrap">{item.text}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
        <span className="font-medium text-ink">{URGENCIES[item.priority]}</span>
        {item.source !== null && item.source !== "" && <span>from {item.source}</span>}
        <RelativeTime at={item.created_at} />
        <span className="ml-auto">
          {item.delivered_at === null ? (
            <Button small busy={deliver.isPending} onClick={() => deliver.mutate()}>
              Deliver now
            </Button>
          ) : (
            <>
              Taken <RelativeTime at={item.delivered_at} />
            </>
          )}
        </span>
      </div>
    </li>
  );
}

function AddForm({ onDone }: { readonly onDone: () => void }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const notify = useNotices();
  const [text, setText] = useState("");
  const [priority, setPriority] = useState<Urgency>("next");
  const [source, setSource] = useState("");
  const add = useMutation({
    mutationFn: () =>
      operator.post("/api/inbox", {
        body: { text, priority, ...(source.trim() !== "" && { source }) },
        idempotencyKey: requestKey(),
      }),
    onSuccess: async ({ fired }) => {
      notify({ text: fired ? "A turn began with it." : "It waits in the inbox.", tone: "good" });
      onDone();
      await queries.invalidateQueries({ queryKey: ["inbox"] });
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <TextArea
        label="Text"
        rows={5}
        maxLength={16_000}
        required
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <SelectField
        label="When"
        hint={priority === "now" ? "It starts a turn at once." : "It waits until the agent looks."}
        value={priority}
        onChange={({ target }) => setPriority(target.value as Urgency)}
      >
        {Object.entries(URGENCIES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        label="From"
        hint="Shown to the agent. Optional."
        maxLength={200}
        value={source}
        onChange={({ target }) => setSource(target.value)}
      />
      {add.error !== null && <InlineError error={add.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" busy={add.isPending} disabled={text.trim() === ""}>
          Add to inbox
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
