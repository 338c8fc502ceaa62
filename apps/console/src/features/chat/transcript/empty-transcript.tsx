import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useRuntimeStatus } from "../../../api/index.ts";
import { buttonClass, EmptyState, ErrorState, SkeletonRows } from "../../../ui/index.ts";
import { ScriptedExamples } from "./scripted-examples.tsx";
import type { ReadConversation } from "./use-conversation.ts";

/** Shown instead of turns: while they are read, if they cannot be read, and before the first message. */
export function EmptyTranscript({
  read,
  agentName,
  onExample,
}: {
  readonly read: Pick<ReadConversation, "isPending" | "error" | "again">;
  readonly agentName: string;
  readonly onExample: (text: string) => void;
}): ReactElement {
  const isScripted = useRuntimeStatus()?.model.provider === "scripted";
  if (read.isPending) {
    return (
      <div className="mx-auto w-full max-w-3xl flex-1">
        <SkeletonRows />
      </div>
    );
  }
  return (
    <div className="flex-1 overflow-y-auto">
      {read.error === null ? (
        <EmptyState
          title={`What should ${agentName} do?`}
          action={isScripted && <ScriptedExamples onSend={onExample} />}
        >
          {isScripted
            ? "Write below. The scripted model repeats what you write, and executes lines such as these:"
            : "Write below. The answer appears here, with every step that led to it and what needs your approval."}
        </EmptyState>
      ) : (
        <ErrorState
          title="This conversation cannot be read"
          error={read.error}
          onRetry={read.again}
          back={
            <Link to="/chat" className={buttonClass({})}>
              Show all conversations
            </Link>
          }
        />
      )}
    </div>
  );
}
