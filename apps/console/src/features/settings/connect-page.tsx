import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, type ReactNode, useState } from "react";
import { useApi } from "../../api/index.ts";
import { Button, CopyText, InlineError, Page } from "../../ui/index.ts";
import { BackToSettings } from "./back-to-settings.tsx";
import { randomToken } from "./change-token.ts";
import { connectExamples } from "./connect-examples.ts";
import { fieldOf, useSaveSettings, useSettings } from "./use-settings.ts";

/** How other programs and agents reach this one, to be copied. */
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
      <div className="mx-auto flex max-w-4xl flex-col gap-6 p-4 pb-16">
        <Part title="Other agents" says="An A2A client needs this address and nothing else; the card says the rest.">
          <CopyText text={cardUrl} label="Copy the card's address" />
          {card.data !== undefined && (
            <p className="text-sm text-ink-soft">The card is read, and is of {card.data.name}.</p>
          )}
          {card.error !== null && <InlineError error={card.error} />}
          <CopyText text={a2a} label="Copy the endpoint's address" />
        </Part>
        <Part title="From a shell" says="A message over A2A, and its answer.">
          <CopyText text={askAgent} label="Copy the command" />
        </Part>
        <Part
          title="Programs that know the OpenAI API"
          says="Set this as their base address, and the token as their key."
        >
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
  says,
  children,
}: {
  readonly title: string;
  readonly says: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-sm text-ink-soft">{says}</p>
      {children}
    </section>
  );
}

/** The token for peers: it opens A2A and the chat completions, and nothing of the operator's. */
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
      says="It lets other agents send work and ask for answers. What you and other peers do stays out of their sight, and approvals stay yours."
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
          first: as long as everybody is let in, one for peers keeps nobody out.
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
