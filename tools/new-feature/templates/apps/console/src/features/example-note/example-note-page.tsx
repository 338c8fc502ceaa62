import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactElement, useState } from "react";
import { pagedQuery, requestKey, useApi } from "../../api/index.ts";
import { Button, EmptyState, InlineError, ListStates, Page, TextField } from "../../ui/index.ts";
import { EntryList } from "./entry-list.tsx";

/** The entries, and a form that adds one. */
export function ExampleNotePage(): ReactElement {
  const { operator } = useApi();
  const list = useInfiniteQuery(
    pagedQuery(["example-note"], (page) => operator.get("/api/example-note", { query: { limit: 50, ...page } })),
  );
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Page title="Example note">
      <div className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
        <AddEntry />
        <ListStates
          list={list}
          isEmpty={entries.length === 0}
          failed="The entries cannot be read"
          empty={<EmptyState title="No entries yet">What you or the agent add appears here.</EmptyState>}
        >
          <EntryList entries={entries} />
        </ListStates>
      </div>
    </Page>
  );
}

function AddEntry(): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const add = useMutation({
    mutationFn: () => operator.post("/api/example-note", { body: { text }, idempotencyKey: requestKey() }),
    onSuccess: () => setText(""),
    onSettled: () => queries.invalidateQueries({ queryKey: ["example-note"] }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className="flex items-end gap-2" onSubmit={submit}>
      <TextField label="New entry" value={text} onChange={({ target }) => setText(target.value)} required />
      <Button kind="primary" type="submit" busy={add.isPending}>
        Add
      </Button>
      {add.error !== null && <InlineError error={add.error} />}
    </form>
  );
}
