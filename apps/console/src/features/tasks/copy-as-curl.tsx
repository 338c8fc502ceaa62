import { useQuery } from "@tanstack/react-query";
import { Terminal } from "lucide-react";
import { type ReactElement, useState } from "react";
import { type ConsoleApi, useApi } from "../../api/index.ts";
import { messageOf, type TimelineSource } from "../../timeline/index.ts";
import { Button, CopyText, Dialog, InlineError, SkeletonRows } from "../../ui/index.ts";
import { curlOf, requestOf, type SentRequest } from "./curl.ts";

/** Shows the requests behind a task as shell commands, to be copied. */
export function CopyAsCurl({ source }: { readonly source: TimelineSource }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small kind="quiet" aria-label="Copy as curl" title="Copy as curl" onClick={() => setOpen(true)}>
        <Terminal aria-hidden className="size-4" />
        <span className="max-list:hidden">Curl</span>
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="As curl commands">
        <Commands source={source} />
      </Dialog>
    </>
  );
}

function Commands({ source }: { readonly source: TimelineSource }): ReactElement {
  const api = useApi();
  const { task_id: id } = source.task;
  const { data, error, refetch } = useQuery({ queryKey: ["curl", id], queryFn: () => commandsOf(api, source) });
  if (error !== null) return <InlineError error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonRows rows={4} />;
  return (
    <div className="flex flex-col gap-5">
      {data.map(({ label, command }) => (
        <CommandBlock key={label} label={label} command={command} />
      ))}
      <p className="text-sm text-ink-soft">
        Where the service asks for a token, put it into the shell's variable <code>AGENT_TOKEN</code>.
      </p>
    </div>
  );
}

async function commandsOf(api: ConsoleApi, source: TimelineSource) {
  const { task_id: id } = source.task;
  const [send, get, follow, cancel] = await Promise.all([
    requestOf(api, (agent) => agent.send(messageOf(source))),
    requestOf(api, (agent) => agent.get(id)),
    requestOf(api, async (agent) => {
      for await (const _ of agent.resubscribe(id, { after: 0 })) break;
    }),
    requestOf(api, (agent) => agent.cancel(id)),
  ]);
  const { authorization } = get.headers;
  const journal: SentRequest = {
    ...{ url: `${api.baseUrls.agent}/api/a2a/tasks/${id}/journal?order=oldest`, method: "GET", body: undefined },
    headers: authorization === undefined ? {} : { authorization },
  };
  return [
    { label: "Send the same message again", command: curlOf(send) },
    { label: "Read the run", command: curlOf(get) },
    { label: "Follow it from its first frame", command: curlOf(follow) },
    { label: "Read its journal", command: curlOf(journal) },
    { label: "Cancel it", command: curlOf(cancel) },
  ];
}

function CommandBlock({ label, command }: { readonly label: string; readonly command: string }): ReactElement {
  return (
    <section aria-label={label} className="flex flex-col gap-1">
      <h3 className="font-medium">{label}</h3>
      <CopyText text={command} label={`Copy: ${label}`} />
    </section>
  );
}
