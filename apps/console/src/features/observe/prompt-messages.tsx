import { Minus, Plus } from "lucide-react";
import { type ReactElement, type ReactNode, useMemo, useState } from "react";
import { classNames, count, TextField } from "../../ui/index.ts";
import { type ComparedMessage, compareMessages, messageHas } from "./compare-messages.ts";
import type { ChosenCall, PromptMessage } from "./prompt-call.ts";

/** The conversation that a call was sent, message by message; beside another call, with what was added and removed. */
export function PromptMessages({
  shown,
  other,
}: {
  readonly shown: ChosenCall;
  readonly other: ChosenCall | undefined;
}): ReactElement {
  const [search, setSearch] = useState("");
  const wanted = search.trim();
  const { conversation } = shown;
  const rows = useMemo(
    () => compareMessages((other ?? shown).conversation?.messages ?? [], conversation?.messages ?? []),
    [shown, other, conversation],
  );
  if (conversation === undefined) {
    return (
      <Messages heading="Messages">
        <p>The conversation of this call is not kept: it is older than this view, or there were many calls at once.</p>
      </Messages>
    );
  }
  const against = other?.conversation;
  const compared = other !== undefined && against !== undefined;
  const groups = wanted === "" ? groupsOf(rows, compared) : [rows.filter(({ message }) => messageHas(message, wanted))];
  return (
    <Messages heading="Messages" note={compared ? changesOf(rows, other.label) : `${count(rows.length)} messages`}>
      {other !== undefined && against === undefined && (
        <p>The conversation of {lowered(other.label)} is not kept, so the messages cannot be compared.</p>
      )}
      {(conversation.cut || against?.cut === true) && (
        <p className="text-ink-soft">
          Earlier messages are left out: only the newest of a long conversation are shown.
        </p>
      )}
      <TextField
        bare
        label="Find in the messages"
        type="search"
        placeholder="Find in the messages"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {wanted !== "" && groups[0]?.length === 0 && <p className="text-ink-soft">No message contains that.</p>}
      <ol className="flex flex-col gap-1.5">
        {groups.map((group) => {
          const first = group[0]!;
          const key = `${first.kind} ${first.message.id}`;
          if (wanted === "" && compared && first.kind === "same" && group.length > 1) {
            return (
              <li key={key}>
                <SameMessages rows={group} />
              </li>
            );
          }
          return group.map((row) => (
            <li key={`${row.kind} ${row.message.id} ${wanted}`}>
              <MessageRow row={row} wanted={wanted} open={wanted !== "" || (compared && row.kind !== "same")} />
            </li>
          ));
        })}
      </ol>
    </Messages>
  );
}

function Messages({
  heading,
  note,
  children,
}: {
  readonly heading: string;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={heading} className="flex flex-col gap-2">
      <h3 className="flex flex-wrap gap-x-3 font-semibold">
        {heading}
        {note !== undefined && <span className="font-normal text-ink-soft">{note}</span>}
      </h3>
      {children}
    </section>
  );
}

function changesOf(rows: readonly ComparedMessage[], name: string): string {
  const of = (kind: ComparedMessage["kind"]): number => rows.filter((row) => row.kind === kind).length;
  const [added, removed] = [of("added"), of("removed")];
  if (added + removed === 0) return `the same ${count(rows.length)} as in ${lowered(name)}`;
  const parts = [`${count(added)} added`, ...(removed > 0 ? [`${count(removed)} removed`] : [])];
  return `${parts.join(", ")} against ${lowered(name)}`;
}

/** Runs of messages of one kind; without a comparison one run. */
function groupsOf(rows: readonly ComparedMessage[], compared: boolean): readonly (readonly ComparedMessage[])[] {
  const groups: ComparedMessage[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last !== undefined && (!compared || last[0]?.kind === row.kind)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function SameMessages({ rows }: { readonly rows: readonly ComparedMessage[] }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="rounded-sm px-3 py-1 text-sm text-ink-soft hover:bg-hover">
        {count(rows.length)} messages are the same
      </summary>
      {open && (
        <ol className="flex flex-col gap-1.5 pt-1.5">
          {rows.map((row) => (
            <li key={row.message.id}>
              <MessageRow row={row} wanted="" open={false} />
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

const LOOKS = {
  same: { box: "border-line", Sign: undefined, word: undefined },
  added: { box: "border-good bg-good-soft", Sign: Plus, word: "added" },
  removed: { box: "border-bad bg-bad-soft", Sign: Minus, word: "removed" },
} as const;

/** A message, folded to its first line. What changed is a sign and a word, not only a colour. */
function MessageRow({
  row: { kind, message },
  wanted,
  open,
}: {
  readonly row: ComparedMessage;
  readonly wanted: string;
  readonly open: boolean;
}): ReactElement {
  const { box, Sign, word } = LOOKS[kind];
  const { text, images = [], tool_calls: calls = [] } = message;
  const line = text.trim().split("\n", 1)[0] || calls.map(({ name }) => name).join(", ");
  return (
    <details open={open} className={classNames("group/message rounded-md border text-sm", box)}>
      <summary className="flex min-h-9 items-center gap-2 px-3">
        {Sign !== undefined && <Sign aria-hidden className="size-3.5 shrink-0" />}
        <span className="shrink-0 font-medium">{roleOf(message)}</span>
        {word !== undefined && <span className="shrink-0">{word}</span>}
        <span className="min-w-0 flex-1 truncate text-ink-soft group-open/message:invisible">{line}</span>
        <span className="shrink-0 text-ink-soft tabular-nums">{count(text.length)} characters</span>
      </summary>
      <div className="flex flex-col gap-2 px-3 pb-2.5">
        {text !== "" && (
          <pre className="whitespace-pre-wrap">
            <Marked text={text} wanted={wanted} />
          </pre>
        )}
        {calls.map(({ id, name, args }) => (
          <pre key={id} className="whitespace-pre-wrap">
            <span className="text-ink-soft">calls </span>
            <Marked text={`${name} ${args}`} wanted={wanted} />
          </pre>
        ))}
        {images.map(({ media_type: type, bytes: size }, index) => (
          <p key={index} className="text-ink-soft">
            An image, {type}, {count(size)} bytes
          </p>
        ))}
      </div>
    </details>
  );
}

/** Parts of a text beyond which no further occurrence is marked. */
const MOST_MARKS = 500;

function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }): ReactNode {
  if (wanted === "") return text;
  const parts: ReactNode[] = [];
  const [hay, needle] = [text.toLowerCase(), wanted.toLowerCase()];
  let from = 0;
  for (let at = hay.indexOf(needle); at >= 0 && parts.length < MOST_MARKS; at = hay.indexOf(needle, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + needle.length)}</mark>);
    from = at + needle.length;
  }
  return [...parts, text.slice(from)];
}

function roleOf({ role, tool }: PromptMessage): string {
  if (role === "tool") return `Result of ${tool ?? "a tool"}`;
  return role === "user" ? "User" : "Assistant";
}

/** The label of a call within a sentence. */
export function lowered(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
