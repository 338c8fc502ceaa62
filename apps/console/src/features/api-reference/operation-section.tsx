import { ChevronRight } from "lucide-react";
import { type ReactElement, type ReactNode, useState } from "react";
import { Button, classNames, ScrollRegion } from "../../ui/index.ts";
import { InlineText } from "./inline-text.tsx";
import { Method } from "./method.tsx";
import type { Answer, Content, Operation, Parameter } from "./read-reference.ts";
import { schemaRows } from "./schema-rows.ts";
import { TryOperation } from "./try-operation.tsx";

/** One operation: a line that opens into its purpose, its request, its responses, and a request to try. */
export function OperationSection({
  operation,
  root,
  open,
  onToggle,
}: {
  readonly operation: Operation;
  /** Address of the service: `https://host/agents/one`. */
  readonly root: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}): ReactElement {
  const { id, method, path, summary } = operation;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="operation scroll-mt-16 border-t border-line">
      <h3 id={`${id}-title`}>
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="-mx-2 grid w-[calc(100%+1rem)] grid-cols-[1rem_3.5rem_minmax(0,1fr)] items-baseline gap-x-2 rounded-md px-2 py-2.5 text-left hover:bg-hover list:grid-cols-[1rem_3.5rem_minmax(0,2fr)_minmax(0,3fr)]"
        >
          <ChevronRight aria-hidden className={classNames("size-4 self-center text-ink-soft", open && "rotate-90")} />
          <Method name={method} />
          <code className="font-medium">{path}</code>
          <span className="text-sm text-ink-soft max-list:col-start-3">{summary}</span>
        </button>
      </h3>
      {open && <Details operation={operation} root={root} />}
    </section>
  );
}

function Details({ operation, root }: { readonly operation: Operation; readonly root: string }): ReactElement {
  const { id, description, parameters, body, answers } = operation;
  const [trying, setTrying] = useState(false);
  return (
    <div className="flex flex-col gap-5 pt-1 pb-8 list:pl-7">
      <div className="flex flex-col gap-2">
        {description !== "" && <InlineText text={description} />}
        <p className="text-sm text-ink-soft">
          Named{" "}
          <a href={`#${id}`} className="text-accent underline">
            {id}
          </a>{" "}
          in clients and the document.
        </p>
      </div>
      <div>
        <Button aria-expanded={trying} onClick={() => setTrying(!trying)}>
          {trying ? "Close the request" : "Try it"}
        </Button>
      </div>
      {trying && <TryOperation operation={operation} root={root} />}
      {parameters.length > 0 && (
        <Part title="Parameters">
          <Fields rows={parameters.map(rowOf)} />
        </Part>
      )}
      {body !== undefined && (
        <Part title="Request body" note={body.mediaType}>
          <Shape content={body} />
        </Part>
      )}
      <Part title="Responses">
        {answers.map((answer) => (
          <AnswerDetails key={answer.status} answer={answer} />
        ))}
      </Part>
    </div>
  );
}

function Part({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div>
      <h4 className="mb-1.5 font-semibold">
        {title} {note !== undefined && <span className="text-sm font-normal text-ink-soft">{note}</span>}
      </h4>
      {children}
    </div>
  );
}

function rowOf({ name, where, required, description, schema }: Parameter): FieldRow {
  const [whole] = schemaRows(schema);
  const notes = [...(description === "" ? [] : [description]), ...(whole?.notes ?? [])];
  return { name, where, type: whole?.type ?? "any", required, notes };
}

function AnswerDetails({ answer: { status, description, content } }: { readonly answer: Answer }): ReactElement {
  const isGood = status.startsWith("2");
  const line = (
    <>
      <strong className={isGood ? "text-good" : undefined}>{status}</strong> {description}{" "}
      {content !== undefined && <span className="text-sm text-ink-soft">{content.mediaType}</span>}
    </>
  );
  if (content === undefined) return <p className="py-1 pl-4.5">{line}</p>;
  return (
    <details open={isGood}>
      <summary className="rounded-md py-1">{line}</summary>
      <Shape content={content} />
    </details>
  );
}

function Shape({ content: { schema, example } }: { readonly content: Content }): ReactElement {
  return (
    <>
      <Fields rows={schemaRows(schema)} />
      {example !== undefined && (
        <>
          <p className="mt-2 mb-1 text-sm text-ink-soft">For example</p>
          <pre className="overflow-x-auto rounded-md bg-sunken px-3 py-2 text-sm whitespace-pre-wrap">
            <code>{JSON.stringify(example, null, 2)}</code>
          </pre>
        </>
      )}
    </>
  );
}

interface FieldRow {
  readonly name: string;
  readonly where?: string;
  readonly type: string;
  readonly required: boolean;
  readonly notes: readonly string[];
}

/** Names of nested fields are set in by their depth, without the names of what they are in. */
function Fields({ rows }: { readonly rows: readonly FieldRow[] }): ReactElement {
  if (rows.length === 0) return <p className="text-sm text-ink-soft">An object of any kind.</p>;
  return (
    <ScrollRegion label="Fields" className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-ink-soft">
            {["Name", "Type", "What it is"].map((name) => (
              <th key={name} scope="col" className="py-1 pr-4 font-normal whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, where, type, required, notes }) => (
            <tr key={`${where ?? ""} ${name} ${type}`} className="border-t border-line align-top">
              <th scope="row" className="py-1.5 pr-4 text-left font-normal [overflow-wrap:normal]">
                <FieldName name={name} />
                {where !== undefined && <span className="text-ink-soft"> {where}</span>}
                {required && <span className="text-xs text-ink-soft"> required</span>}
              </th>
              <td className="py-1.5 pr-4 whitespace-nowrap text-ink-soft">{type}</td>
              <td className="min-w-40 py-1.5">
                <InlineText text={notes.join(" ")} inline />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function FieldName({ name }: { readonly name: string }): ReactElement {
  if (name === "") return <span className="text-ink-soft">The whole</span>;
  const at = name.lastIndexOf(".") + 1;
  return (
    <code className="whitespace-nowrap">
      <span className="text-ink-soft">{name.slice(0, at)}</span>
      {name.slice(at)}
    </code>
  );
}
