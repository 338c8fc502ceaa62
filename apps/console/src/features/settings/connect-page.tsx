import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, type ReactNode, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Button, CopyText, InlineError, Page } from "../../ui/index.ts";
import { randomToken } from "./access/change-token.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { connectExamples } from "./connect-examples.ts";
import { fieldOf, useSaveSettings, useSettings } from "./use-settings.ts";

/** Addresses and examples for other programs and agents, to be copied. */
export function ConnectPage(): ReactElement {
  const { baseUrls, agent } = useApi();
  const { data: schema } = useSettings();
  const isSet = (schema && fieldOf(schema, "auth.token"))?.is_set === true;
  const card = useQuery({
    queryKey: ["card", baseUrls.agent],
    queryFn: async () => (await agent()).card,
    retry: false,
  });
  const { cardUrl, a2a, openai, askAgent, askChat } = connectExamples(baseUrls.agent, isSet);
  return (
    <Page title="Connect to this agent" lead={<BackToSettings />}>
      <div className="flex max-w-4xl flex-col gap-6 p-4 pb-16">
        <Part title="Other agents" note="An A2A client needs only this address; the agent card has the rest.">
          <CopyText text={cardUrl} label="Copy the card's address" />
          {card.data !== undefined && (
            <p className="text-sm text-ink-soft">The card is read, and is of {card.data.name}.</p>
          )}
          {card.error !== null && <InlineError error={card.error} onRetry={card.refetch} />}
          <CopyText text={a2a} label="Copy the endpoint's address" />
        </Part>
        <Part title="From a shell" note="A message over A2A, and its answer.">
          <CopyText text={askAgent} label="Copy the command" />
        </Part>
        <Part title="Programs for the OpenAI API" note="Set this as their base URL, and the token as their API key.">
          <CopyText text={openai} label="Copy the base address" />
          <CopyText text={askChat} label="Copy the command" />
        </Part>
        <p className="text-sm text-ink-soft">
          {isSet ? (
            "The commands read the operator's token from the variable AGENT_TOKEN, so that it stays out of the shell's history."
          ) : (
            <>
              No token is set, so programs on this machine need none.{" "}
              <Link to="/settings/access" className="text-accent underline">
                Set one
              </Link>{" "}
              before you let others in.
            </>
          )}
        </p>
        <FederationToken isOpen={!isSet} />
      </div>
    </Page>
  );
}

function Part({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="font-display text-lg font-semibold">{title}</h2>
      <p className="text-sm text-ink-soft">{note}</p>
      {children}
    </section>
  );
}

/** The token for peers: it gives access to A2A and the chat completions, and not to the operator API. */
function FederationToken({ isOpen }: { readonly isOpen: boolean }): ReactElement | null {
  const { data: schema } = useSettings();
  const field = schema && fieldOf(schema, "auth.federation_token");
  const save = useSaveSettings();
  const [made, setMade] = useState<string | undefined>(undefined);
  if (field === undefined) return null;
  const make = (): void => {
    const token = randomToken();
    save.mutate({ updates: { [field.key]: token } }, { onSuccess: () => setMade(token) });
  };
  return (
    <Part
      title="A token for peers"
      note="It lets other agents send requests. They do not see what you or other peers do, and only you answer approvals."
    >
      <p>
        {field.is_set === true ? "One is set. It is not shown again; make a new one to replace it." : "None is set."}
      </p>
      {made !== undefined && (
        <>
          <CopyText text={made} label="Copy the peers' token" />
          <p className="text-sm text-ink-soft">Copy it now: the service does not show it again.</p>
        </>
      )}
      {isOpen && (
        <p className="text-sm text-ink-soft">
          <Link to="/settings/access" className="text-accent underline">
            Set the access token
          </Link>{" "}
          first: without it everyone has full access, with or without a token for peers.
        </p>
      )}
      {!isOpen && !field.read_only && (
        <div>
          <Button busy={save.isPending} onClick={make}>
            {field.is_set === true ? "Replace the peers' token" : "Make a token for peers"}
          </Button>
        </div>
      )}
      {save.error !== null && <InlineError error={save.error} />}
    </Part>
  );
}
