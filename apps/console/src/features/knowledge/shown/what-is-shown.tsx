import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { whyWords } from "../../../memory/index.ts";
import type { Injection, Preview } from "../memory-types.ts";
import { leftOutWords } from "./shown-words.ts";

type Shown = Pick<Injection, "items" | "left_out" | "digest_session_ids"> & Partial<Pick<Injection, "in_sight">>;

/** Memories and conversations that a model is shown, each with why, and those that it is not. */
export function WhatIsShown({ shown }: { readonly shown: Shown | Preview }): ReactElement | null {
  const { items, left_out: leftOut, digest_session_ids: sessions } = shown;
  const inSight = "in_sight" in shown ? (shown.in_sight ?? []) : [];
  const gone = leftOut.filter(({ chunk_id: id }) => !inSight.some((one) => one.chunk_id === id));
  const lists: readonly (readonly [title: string, rows: readonly ReactNode[]])[] = [
    [
      "Shown",
      items.map((item) => (
        <>
          <MemoryLink id={item.chunk_id} />
          {`: ${whyWords(item)}`}
        </>
      )),
    ],
    ["Lines of earlier conversations", sessions.map((session) => <SessionLink key={session} id={session} />)],
    [
      "Still in sight",
      inSight.map(({ chunk_id: id }) => (
        <>
          <MemoryLink id={id} />: an earlier part of the conversation shows it
        </>
      )),
    ],
    [
      "Left out",
      gone.map(({ chunk_id: id, reason }) => (
        <>
          <MemoryLink id={id} />
          {`: ${leftOutWords(reason)}`}
        </>
      )),
    ],
  ];
  const some = lists.filter(([, rows]) => rows.length > 0);
  if (some.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-md py-0.5 text-ink-soft hover:text-ink">
        Why, and what not
      </summary>
      <dl className="mt-1 flex flex-col gap-2 border-l border-line py-1 pl-3">
        {some.map(([title, rows]) => (
          <div key={title}>
            <dt className="text-ink-soft">{title}</dt>
            {rows.map((row, at) => (
              <dd key={at} className="break-words">
                {row}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}

function MemoryLink({ id }: { readonly id: number }): ReactElement {
  return (
    <Link
      to="/knowledge/memories"
      search={{ q: `#${id}` } as never}
      className="whitespace-nowrap text-accent underline"
    >
      {`Memory ${id}`}
    </Link>
  );
}

function SessionLink({ id }: { readonly id: string }): ReactElement {
  return (
    <Link to="/chat/$session" params={{ session: id }} className="text-accent underline">
      {id}
    </Link>
  );
}
