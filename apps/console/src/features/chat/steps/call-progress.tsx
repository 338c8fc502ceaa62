import { type ReactElement, useEffect, useState } from "react";
import { useApi } from "../../../api/index.ts";
import { progressOf } from "./progress-of.ts";

/** What a running call says of its progress, since this page is open: it is kept nowhere. */
export function CallProgress({
  taskId,
  callId,
}: {
  readonly taskId: string;
  readonly callId: string;
}): ReactElement | null {
  const { events } = useApi();
  const [text, setText] = useState("");
  useEffect(() => {
    setText("");
    return events.listen((event) => {
      const next = progressOf(event, { taskId, callId });
      if (next !== undefined) setText(next);
    });
  }, [events, taskId, callId]);
  if (text === "") return null;
  return <p className="mb-1 ml-1.5 truncate border-l border-line pl-3.5 text-sm text-ink-soft">{text}</p>;
}
