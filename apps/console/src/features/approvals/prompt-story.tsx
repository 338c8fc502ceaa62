import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { WaitingPrompt } from "../../prompts/index.ts";
import { taskTitle } from "../../timeline/index.ts";
import { RelativeTime } from "../../ui/index.ts";
import { originOf } from "./origin-of.ts";

/** Where a prompt comes from: the conversation by its title, what started the run, and how long it waits. */
export function PromptStory({
  prompt,
  chatTitle,
}: {
  readonly prompt: WaitingPrompt;
  /** Undefined: the run belongs to no conversation of the list. */
  readonly chatTitle: string | undefined;
}): ReactElement {
  const { input, origin, created_at: at, task_id: task, session_id, parents } = prompt;
  const session = parents.at(-1)?.session_id ?? session_id;
  return (
    <div className="flex min-w-0 flex-col">
      <h2 className="truncate font-medium">
        {chatTitle === undefined ? (
          taskTitle({ input, origin })
        ) : (
          <Link to="/chat/$session" params={{ session }} className="hover:underline">
            {chatTitle}
          </Link>
        )}
      </h2>
      <p className="flex flex-wrap gap-x-2 text-sm text-ink-soft">
        <span>{originOf(prompt)}</span>
        <span>
          asked <RelativeTime at={at} />
        </span>
        <Link to="/tasks/$task" params={{ task }} className="text-accent underline">
          Open run
        </Link>
      </p>
    </div>
  );
}
