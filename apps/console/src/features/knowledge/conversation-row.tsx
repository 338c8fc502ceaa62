import { useNavigate } from "@tanstack/react-router";
import { BookOpen, Ellipsis, MessageSquare, Sparkles, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Markdown } from "../../markdown/index.ts";
import { Menu } from "../../menu/index.ts";
import { ConfirmRemoval, useNotices } from "../../notices/index.ts";
import { bytes, Dialog, ErrorState, failureOf, RelativeTime, Skeleton } from "../../ui/index.ts";
import type { ConversationSummary } from "./memory-types.ts";
import { useConversation, useHarvest, useRemoveConversation } from "./use-conversations.ts";

const SURFACES: { readonly [Surface in ConversationSummary["surface"]]: string } = {
  chat: "Chat",
  "a2a/other": "Another program",
  activity: "By itself",
  palette: "Palette",
  background: "Background",
};

/** What is kept of a conversation for later ones, with what can be done with it. */
export function ConversationRow({ summary }: { readonly summary: ConversationSummary }): ReactElement {
  const { session_id: id, topic, surface, message_count: count, size_bytes: size, in_digest: shown } = summary;
  const [open, setOpen] = useState<"read" | "delete">();
  const notify = useNotices();
  const navigate = useNavigate();
  const remove = useRemoveConversation(summary);
  const harvest = useHarvest(summary);
  const close = (): void => setOpen(undefined);
  const label = topic || id;
  const extract = (): void =>
    harvest.mutate(undefined, {
      onSuccess: ({ harvested }) =>
        void notify({
          text: harvested ? `Memories of ${label} are stored.` : "Nothing new was said since the last time.",
          tone: harvested ? "good" : "plain",
        }),
      onError: (error) => void notify({ text: failureOf(error).message, tone: "bad" }),
    });
  return (
    <li className="flex items-start gap-3 py-3.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className="font-medium break-words">
          <button type="button" className="text-left hover:underline" onClick={() => setOpen("read")}>
            {label}
          </button>
        </h2>
        <p className="text-sm text-ink-soft">
          {`${SURFACES[surface]} · ${count === 1 ? "1 message" : `${count} messages`} · ${bytes(size)} · `}
          <RelativeTime at={summary.timestamp} />
          {shown && " · new conversations are shown this line"}
        </p>
      </div>
      <Menu
        label={`Actions of ${label}`}
        icon={Ellipsis}
        actions={[
          { label: "Read", icon: BookOpen, run: () => setOpen("read") },
          {
            label: "Open the conversation",
            icon: MessageSquare,
            run: () => void navigate({ to: "/chat/$session", params: { session: id } }),
          },
          { label: "Extract memories", icon: Sparkles, run: extract },
          { label: "Delete", icon: Trash2, run: () => setOpen("delete"), danger: true },
        ]}
      />
      <Dialog open={open === "read"} onOpenChange={close} title={label} sheet>
        <ConversationText id={id} />
      </Dialog>
      <Dialog open={open === "delete"} onOpenChange={close} title={`Delete the summary of ${label}?`}>
        <ConfirmRemoval
          removal={remove}
          text="The conversation stays, and its next turn is summed up again. Until then no other conversation is shown it."
          action="Delete it"
          done="The summary is deleted."
          onClose={close}
        />
      </Dialog>
    </li>
  );
}

function ConversationText({ id }: { readonly id: string }): ReactElement {
  const { data, error, refetch } = useConversation(id);
  if (error !== null)
    return <ErrorState title="The summary cannot be read" error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton /> : <Markdown text={data.session.rendered} />;
}
