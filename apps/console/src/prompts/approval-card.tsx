import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, lazy, type ReactElement, Suspense, useState } from "react";
import { useRuntimeStatus } from "../api/index.ts";
import { Button, CheckField, InlineError, Skeleton, TextArea } from "../ui/index.ts";
import { Arguments } from "./arguments.tsx";
import type { PromptOf, WaitingPrompt } from "./prompt.ts";
import { readArguments } from "./read-arguments.ts";
import { Said } from "./said.tsx";
import { useDecide } from "./use-decide.ts";
import { type Preview, usePreview } from "./use-preview.ts";
import { wish } from "./wish.ts";

/** Asks whether a call may be made: the exact arguments, and the answers. While it has the focus Enter approves and D declines; Escape leaves it, and decides nothing. */
export function ApprovalCard({
  prompt,
  payload,
}: {
  readonly prompt: WaitingPrompt;
  readonly payload: PromptOf<"approval">;
}): ReactElement {
  const decide = useDecide(prompt.id);
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const [remember, setRemember] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const preview = usePreview(prompt.id, decide.isIdle);

  const approve = (): void => {
    if (edited === undefined) {
      decide.mutate({ decision: "approve", remember });
      return;
    }
    const args = readArguments(edited);
    setProblem(args === undefined ? "The arguments are a JSON object." : undefined);
    if (args !== undefined) decide.mutate({ decision: "approve", args, remember });
  };

  const decline = (): void => decide.mutate({ decision: "decline" });
  const pressed = (event: KeyboardEvent<HTMLElement>): void => {
    if (decide.isPending || event.ctrlKey || event.metaKey || event.altKey) return;
    // Enter on a button presses that button; text fields keep their keys.
    const { target, currentTarget } = event;
    const within = (selector: string): boolean => target instanceof HTMLElement && target.matches(selector);
    if (event.key === "Enter" && (target === currentTarget || within("[type=checkbox]"))) approve();
    else if (event.key === "d" && target === currentTarget) decline();
    else if (event.key === "Escape" && target instanceof HTMLElement) target.blur();
    else return;
    event.preventDefault();
  };

  return (
    <section
      aria-label={payload.title}
      aria-keyshortcuts="Enter d"
      data-prompt={prompt.id}
      data-keys
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys (aria-keyshortcuts) answer for the card as a whole, so the card takes the focus
      tabIndex={0}
      className="group/card flex flex-col gap-3 rounded-lg border border-waiting bg-raised p-4"
      onKeyDown={pressed}
    >
      <Question prompt={prompt} payload={payload} isShown={preview?.kind === "command"} />
      {edited === undefined ? (
        <Call payload={payload} preview={preview} />
      ) : (
        <TextArea
          label={`Arguments of ${payload.tool}`}
          rows={Math.min(14, edited.split("\n").length + 1)}
          className="font-mono text-sm"
          value={edited}
          error={problem}
          spellCheck={false}
          onChange={(event) => setEdited(event.target.value)}
        />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" busy={decide.isPending} onClick={approve}>
          Approve
          <KeyHint>⏎</KeyHint>
        </Button>
        {prompt.may_edit && edited === undefined && (
          <Button onClick={() => setEdited(JSON.stringify(payload.args, undefined, 2))}>Edit</Button>
        )}
        {edited !== undefined && <Button onClick={() => setEdited(undefined)}>Keep the original</Button>}
        <Button kind="danger" disabled={decide.isPending} onClick={decline}>
          Decline
          <KeyHint>D</KeyHint>
        </Button>
        {prompt.may_remember && <Remember on={remember} onChange={setRemember} />}
      </div>
      {decide.error !== null && <InlineError error={decide.error} />}
    </section>
  );
}

// Many calls show nothing but their arguments.
const CallPreview = lazy(() => import("./call-preview.tsx").then((module) => ({ default: module.CallPreview })));

/** What the call would do, with its arguments folded away; of one that shows nothing the arguments. */
function Call({
  payload: { tool, args },
  preview,
}: {
  readonly payload: PromptOf<"approval">;
  readonly preview: Preview | undefined;
}): ReactElement {
  if (preview === undefined || preview.kind === "none") return <Arguments tool={tool} args={args} />;
  return (
    <>
      <Suspense fallback={<Skeleton className="h-16 w-full" />}>
        <CallPreview preview={preview} />
      </Suspense>
      <details className="text-sm">
        <summary className="cursor-pointer text-ink-soft">Exact arguments</summary>
        <Arguments tool={tool} args={args} />
      </details>
    </>
  );
}

/** What is asked. Of a command that is shown (`isShown`) the detail would say the same again. */
function Question({
  prompt,
  payload: { title, detail },
  isShown,
}: {
  readonly prompt: WaitingPrompt;
  readonly payload: PromptOf<"approval">;
  readonly isShown: boolean;
}): ReactElement {
  const status = useRuntimeStatus();
  return (
    <div>
      <h2 className="font-semibold">{prompt.asked_by_settings ? wish(status?.identity.name, title) : title}</h2>
      {prompt.asked_by_settings ? (
        <p className="text-ink-soft">
          You asked to be asked.{" "}
          <Link to="/settings/tools" className="text-accent underline">
            Change
          </Link>
        </p>
      ) : (
        !isShown && <Said text={detail} />
      )}
    </div>
  );
}

function Remember({ on, onChange }: { readonly on: boolean; readonly onChange: (on: boolean) => void }): ReactElement {
  return (
    <CheckField
      label="Do not ask again for this exact request"
      className="ml-auto gap-1.5 text-sm text-ink-soft"
      checked={on}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}

/** The key of the button, while the card has the focus. */
function KeyHint({ children }: { readonly children: string }): ReactElement {
  return (
    <kbd aria-hidden className="hidden opacity-80 group-focus-visible/card:inline">
      {children}
    </kbd>
  );
}
