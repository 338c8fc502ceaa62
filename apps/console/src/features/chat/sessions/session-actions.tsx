import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { type FormEvent, type ReactElement, useMemo, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useCommands } from "../../../commands/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, Dialog, failureOf, InlineError, TextField } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";
import { NO_DRAFT } from "../composer/drafts.ts";
import { exportSession } from "./export-session.ts";
import { removalKey } from "./removal.ts";
import { useTabs } from "./session-tabs.tsx";

type View = "closed" | "menu" | "rename" | "delete";

/** The actions of a whole conversation: rename, fork, compact, export, delete. */
export function SessionActions({ session, title }: { readonly session: string; readonly title: string }): ReactElement {
  const { operator } = useApi();
  const [view, setView] = useState<View>("closed");
  const notify = useNotices();
  const navigate = useNavigate();
  const close = (): void => setView("closed");
  const whole = useMutation({
    mutationFn: async (what: "fork" | "compact" | "export") => {
      const call = { params: { id: session }, idempotencyKey: crypto.randomUUID() };
      if (what === "export") return exportSession(operator, session, title);
      if (what === "fork") return operator.post("/api/chat/sessions/{id}/fork", call);
      return operator.post("/api/chat/sessions/{id}/compact", call);
    },
    onSuccess: (answer) => {
      close();
      if (answer === undefined) return;
      if ("message" in answer) notify({ text: answer.message, tone: "plain" });
      else void navigate({ to: "/chat/$session", params: { session: answer.session_id } });
    },
    onError: (error) => notify({ text: failureOf(error).message, tone: "bad" }),
  });
  useCommands(
    useMemo(
      () => [
        { id: "chat-rename", label: "Rename this chat", group: "Chat", run: () => setView("rename") },
        { id: "chat-fork", label: "Fork this chat", group: "Chat", run: () => whole.mutate("fork") },
        { id: "chat-export", label: "Export this chat as Markdown", group: "Chat", run: () => whole.mutate("export") },
        {
          id: "chat-compact",
          label: "Compact this chat",
          keywords: "summarise",
          group: "Chat",
          run: () => whole.mutate("compact"),
        },
        {
          id: "chat-delete",
          label: "Delete this chat",
          keywords: "remove clear",
          group: "Chat",
          run: () => setView("delete"),
        },
      ],
      [whole.mutate],
    ),
  );
  return (
    <>
      <Button kind="quiet" icon small aria-label="Actions of this chat" title="Actions" onClick={() => setView("menu")}>
        <Ellipsis aria-hidden className="size-5" />
      </Button>
      <Dialog open={view === "menu"} onOpenChange={close} title="This chat">
        <div className="flex flex-col items-stretch gap-1.5">
          <Button onClick={() => setView("rename")}>Rename</Button>
          <Button busy={whole.isPending && whole.variables === "fork"} onClick={() => whole.mutate("fork")}>
            Fork: continue in a copy
          </Button>
          <Button busy={whole.isPending && whole.variables === "compact"} onClick={() => whole.mutate("compact")}>
            Compact: sum up the older part
          </Button>
          <Button busy={whole.isPending && whole.variables === "export"} onClick={() => whole.mutate("export")}>
            Export as Markdown
          </Button>
          <Button kind="danger" onClick={() => setView("delete")}>
            Delete…
          </Button>
        </div>
      </Dialog>
      <Dialog open={view === "rename"} onOpenChange={close} title="Rename this chat">
        <RenameForm session={session} title={title} onDone={close} />
      </Dialog>
      <Dialog open={view === "delete"} onOpenChange={close} title="Delete this chat?">
        <DeleteForm session={session} onDone={close} />
      </Dialog>
    </>
  );
}

interface FormProps {
  readonly session: string;
  readonly onDone: () => void;
}

function RenameForm({ session, title, onDone }: FormProps & { readonly title: string }): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const [value, setValue] = useState(title);
  const rename = useMutation({
    mutationFn: (next: string | null) =>
      operator.patch("/api/chat/sessions/{id}", { params: { id: session }, body: { title: next } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["sessions"] });
      onDone();
    },
  });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate(value.trim());
  };
  return (
    <form className="flex flex-col gap-3" onSubmit={save}>
      <TextField label="Title" maxLength={200} value={value} onChange={(event) => setValue(event.target.value)} />
      {rename.error !== null && <InlineError error={rename.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={rename.isPending} disabled={value.trim() === ""}>
          Save
        </Button>
        <Button onClick={() => rename.mutate(null)}>Use the first message again</Button>
      </div>
    </form>
  );
}

function DeleteForm({ session, onDone }: FormProps): ReactElement {
  const { operator } = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { close } = useTabs();
  const { drafts, draftFiles, live } = useChat();
  const remove = useMutation({
    mutationKey: removalKey(session),
    mutationFn: (retire: boolean) =>
      operator.delete("/api/chat/sessions/{id}", {
        params: { id: session },
        query: { retire: retire ? "true" : "false" },
      }),
    onSuccess: async (_, retire) => {
      onDone();
      if (retire) {
        close(session);
        drafts.write(session, NO_DRAFT);
        draftFiles.write(session, []);
        await navigate({ to: "/chat" });
        queries.removeQueries({ queryKey: ["sessions", session] });
      }
      live.forgetAfter(session, "");
      await queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <p>
        This deletes its messages, journal, prompts and snapshots, and cancels what is running in it. Figures of
        telemetry and lines of the audit log stay.
      </p>
      {remove.error !== null && <InlineError error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={remove.isPending && remove.variables} onClick={() => remove.mutate(true)}>
          Delete the chat
        </Button>
        <Button busy={remove.isPending && !remove.variables} onClick={() => remove.mutate(false)}>
          Only clear it
        </Button>
        <Button kind="quiet" onClick={onDone}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
