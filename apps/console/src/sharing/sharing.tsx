import { type ReactElement, useState } from "react";
import { Button, CheckField, Choices, CopyText, count, InlineError, ScrollRegion, Skeleton } from "../ui/index.ts";
import { MomentOf } from "./moment-of.tsx";
import { ShareList } from "./share-list.tsx";
import {
  LIFETIMES,
  NO_TICKS,
  PARTS,
  type ShareTarget,
  type Ticks,
  useMakeShare,
  usePreview,
  useShares,
} from "./use-share.ts";

/** What goes along, a preview, the link, and the links there are. */
export default function Sharing({ target }: { readonly target: ShareTarget }): ReactElement {
  const { data, error, refetch } = useShares();
  if (error !== null) return <InlineError error={error} onRetry={refetch} />;
  if (data === undefined) return <Skeleton className="h-40" />;
  if (data.state === "switched_off") {
    return (
      <p>
        Sharing is switched off on this service. An operator switches it on with <code>shares.enabled</code>, under All
        settings.
      </p>
    );
  }
  if (data.state === "no_token") {
    return (
      <p>Sharing needs an access token on this service: without one whoever has a link could read everything else.</p>
    );
  }
  const of = "session_id" in target ? { session: target.session_id } : { task: target.task_id };
  return (
    <div className="flex flex-col gap-5">
      <MakeShare target={target} />
      <section aria-label="Links there are" className="flex flex-col gap-1 border-t border-line pt-4">
        <h3 className="text-sm font-semibold">Links there are</h3>
        <ShareList of={of} />
      </section>
    </div>
  );
}

function MakeShare({ target }: { readonly target: ShareTarget }): ReactElement {
  const [include, setInclude] = useState<Ticks>(NO_TICKS);
  const [lifetime, setLifetime] = useState<(typeof LIFETIMES)[number]["value"]>("604800");
  const make = useMakeShare(target);
  const preview = usePreview(target, include, make.data === undefined);
  if (make.data !== undefined) {
    return (
      <div className="flex flex-col gap-3">
        <p>
          Whoever has this link reads the copy without a token until it expires, <MomentOf at={make.data.expires_at} />.
          It is shown here once: copy it now.
        </p>
        <CopyText text={make.data.link} label="Copy the link" />
        <div>
          <Button onClick={() => make.reset()}>Make another link</Button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">
        A link leads to a read-only copy of this moment. Messages and answers are in it, files by their names only; what
        is said later is not.
      </p>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="pb-1 text-sm font-semibold">Also include</legend>
        {PARTS.map(({ name, label }) => (
          <CheckField
            key={name}
            className="min-h-7 gap-2"
            label={label}
            checked={include[name]}
            onChange={({ target: { checked } }) => setInclude({ ...include, [name]: checked })}
          />
        ))}
      </fieldset>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm font-semibold">The link works for</span>
        <Choices label="How long the link works" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      </div>
      <section aria-label="Preview" className="flex flex-col gap-1.5">
        <h3 className="text-sm font-semibold">What the page will show</h3>
        {preview.error === null ? (
          <Preview of={preview.data} />
        ) : (
          <InlineError error={preview.error} onRetry={preview.refetch} />
        )}
      </section>
      {make.error !== null && <InlineError error={make.error} />}
      <div>
        <Button
          kind="primary"
          busy={make.isPending}
          disabled={preview.data === undefined || preview.isPlaceholderData || preview.error !== null}
          onClick={() => make.mutate({ include, seconds: Number(lifetime) })}
        >
          Make the link
        </Button>
      </div>
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  persona: "Persona",
  user: "User",
  agent: "Agent",
  thought: "Reasoning",
  call: "Tool",
  answer: "Agent",
  component: "Component",
  data: "Data",
  state: "State",
};

function Preview({ of }: { readonly of: ReturnType<typeof usePreview>["data"] }): ReactElement {
  if (of === undefined) return <Skeleton className="h-40" />;
  const { blocks, more, hidden, turns } = of;
  return (
    <>
      <p className="text-sm text-ink-soft">
        {turns === 1 ? "1 turn" : `${count(turns)} turns`}.{" "}
        {hidden === 0
          ? "No secret was found in it."
          : hidden === 1
            ? "1 secret is replaced by ***."
            : `${count(hidden)} secrets are replaced by ***.`}{" "}
        Read it before you pass it on: only what the service knows as a secret is replaced.
      </p>
      <ScrollRegion
        label="Text of the page"
        className="max-h-44 overflow-y-auto rounded-md border border-line bg-sunken p-3"
      >
        <dl className="flex flex-col gap-2 text-sm">
          {blocks.map(({ kind, text }, index) => (
            <div key={index}>
              <dt className="text-xs font-semibold text-ink-soft">{KINDS[kind] ?? kind}</dt>
              <dd className="line-clamp-6 whitespace-pre-wrap break-words">{text}</dd>
            </div>
          ))}
        </dl>
        {more > 0 && <p className="pt-2 text-sm text-ink-soft">And {count(more)} more.</p>}
      </ScrollRegion>
    </>
  );
}
