import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { AgentFigure } from "../../../identity/index.ts";
import { buttonClass, ErrorState, SkeletonRows } from "../../../ui/index.ts";
import type { ReadConversation } from "./use-conversation.ts";

/** Shown instead of turns: while they are read, if they cannot be read, and before the first message. */
export function EmptyTranscript({
  read,
  agentName,
}: {
  readonly read: Pick<ReadConversation, "isPending" | "error" | "again">;
  readonly agentName: string;
}): ReactElement {
  if (read.isPending) {
    return (
      <div className="mx-auto w-full max-w-[49.5rem] flex-1">
        <SkeletonRows />
      </div>
    );
  }
  if (read.error !== null) {
    return (
      <div className="flex-1 overflow-y-auto">
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
      </div>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-[49.5rem] flex-1 flex-col justify-end gap-3 px-5 pt-4 pb-4 list:min-h-40 list:flex-[4] list:gap-4">
      <AgentFigure name={agentName} className="size-10 list:size-14" />
      <h2 className="font-display text-xl font-semibold list:text-2xl">What should {agentName} do?</h2>
    </div>
  );
}
