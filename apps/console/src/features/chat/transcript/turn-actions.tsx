import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { GitFork, ListTree, RotateCcw, Undo2 } from "lucide-react";
import { lazy, type ReactElement, Suspense, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { useNotices } from "../../../notices/index.ts";
import { Button, failureOf } from "../../../ui/index.ts";
import { useChat } from "../chat-context.tsx";

// No part of the page of chats: it is seldom opened.
const GoBackDialog = lazy(async () => ({ default: (await import("../changes/go-back-dialog.tsx")).GoBackDialog }));

/** The actions of a turn that ended. */
export function TurnActions({
  session,
  taskId,
  isLast,
  canFork,
  onWhy,
}: {
  readonly session: string;
  readonly taskId: string;
  /** It is the newest turn: there is no later one to rewind, and in a conversation that cannot be forked it can be retried. */
  readonly isLast: boolean;
  readonly canFork: boolean;
  readonly onWhy: (taskId: string) => void;
}): ReactElement {
  const { operator } = useApi();
  // Undefined until first opened: every visible turn has these actions, and few need the dialog.
  const [confirming, setConfirming] = useState<boolean>();
  const notify = useNotices();
  const { live } = useChat();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: async (what: "fork" | "rewind" | "rewind with files" | "regenerate") => {
      const call = { params: { id: session }, idempotencyKey: crypto.randomUUID() };
      if (what === "regenerate") return operator.post("/api/chat/sessions/{id}/regenerate", call);
      const body = { task_id: taskId };
      if (what === "fork") return operator.post("/api/chat/sessions/{id}/fork", { ...call, body });
      const files = what === "rewind with files";
      return operator.post("/api/chat/sessions/{id}/rewind", { ...call, body: { ...body, files } });
    },
    onSuccess: async (answer) => {
      setConfirming(false);
      if ("removed" in answer) {
        live.forgetAfter(session, taskId);
        const left = (answer.files ?? []).filter(({ reason }) => reason !== undefined).map(({ path }) => path);
        if (left.length > 0) notify({ text: `Left as they are: ${left.join(", ")}`, tone: "bad" });
      }
      if ("title" in answer) await navigate({ to: "/chat/$session", params: { session: answer.session_id } });
      else await queries.invalidateQueries({ queryKey: ["sessions"] });
    },
    onError: (error) => notify({ text: failureOf(error).message, tone: "bad" }),
  });
  return (
    <>
      <Button kind="quiet" small aria-label="How it got there" title="How it got there" onClick={() => onWhy(taskId)}>
        <ListTree aria-hidden className="size-4" /> How it got there
      </Button>
      {isLast && !canFork && (
        <IconAction label="Retry" icon={RotateCcw} busy={act.isPending} onPress={() => act.mutate("regenerate")} />
      )}
      {canFork && <IconAction label="Fork from here" icon={GitFork} onPress={() => act.mutate("fork")} />}
      {!isLast && <IconAction label="Go back to here" icon={Undo2} onPress={() => setConfirming(true)} />}
      {confirming !== undefined && (
        <Suspense>
          <GoBackDialog
            open={confirming}
            onOpenChange={setConfirming}
            isBusy={act.isPending}
            onGoBack={(withFiles) => act.mutate(withFiles ? "rewind with files" : "rewind")}
          />
        </Suspense>
      )}
    </>
  );
}

function IconAction({
  label,
  icon: Icon,
  busy = false,
  onPress,
}: {
  readonly label: string;
  readonly icon: typeof Undo2;
  readonly busy?: boolean;
  readonly onPress: () => void;
}): ReactElement {
  return (
    <Button kind="quiet" icon small aria-label={label} title={label} disabled={busy} onClick={onPress}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}
