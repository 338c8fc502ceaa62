import type { ReactElement } from "react";
import { curlOf } from "./curl-of.ts";
import { InlineText } from "./inline-text.tsx";
import type { Answer, Content, Operation, Parameter } from "./read-reference.ts";
import { schemaRows } from "./schema-rows.ts";

/** One operation: its purpose, its request, its responses. */
export function OperationSection({ operation }: { readonly operation: Operation }): ReactElement {
  const { id, method, path, summary, description, parameters, body, answers } = operation;
  return (
    <section className="operation" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <span className={`method method-${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </h3>
      <p>
        {summary}. <a href={`#${id}`}>{id}</a>
      </p>
      {description === "" ? null : <InlineText text={description} />}
      {parameters.length === 0 ? null : <Parameters parameters={parameters} />}
      {body === undefined ? null : <Body title="Body" content={body} />}
      <h4>Answers</h4>
      {answers.map((answer) => (
        <AnswerDetails key={answer.status} answer={answer} />
      ))}
      <details>
        <summary>On the command line</summary>
        <pre>
          <code>{curlOf(operation)}</code>
        </pre>
      </details>
    </section>
  );
}

function Parameters({ parameters }: { readonly parameters: readonly Parameter[] }): ReactElement {
  const rows = parameters.map(({ name, where, required, description, schema }) => {
    const [whole] = schemaRows(schema);
    const notes = [...(description === "" ? [] : [description]), ...(whole?.notes ?? [])];
    return { name, where, type: whole?.type ?? "any", required, notes };
  });
  return (
    <>
      <h4>Parameters</h4>
      <Fields rows={rows} />
    </>
  );
}

function Body({ title, content }: { readonly title: string; readonly content: Content }): ReactElement {
  return (
    <>
      <h4>
        {title} <span className="quiet">{content.mediaType}</span>
      </h4>
      <Fields rows={schemaRows(content.schema)} />
      {content.example === undefined ? null : <Example value={content.example} />}
    </>
  );
}

function AnswerDetails({ answer: { status, description, content } }: { readonly answer: Answer }): ReactElement {
  return (
    <details open={status.startsWith("2")}>
      <summary>
        <strong>{status}</strong> {description}
      </summary>
      {content === undefined ? null : (
        <>
          <p className="quiet">{content.mediaType}</p>
          <Fields rows={schemaRows(content.schema)} />
          {content.example === undefined ? null : <Example value={content.example} />}
        </>
      )}
    </details>
  );
}

function Example({ value }: { readonly value: unknown }): ReactElement {
  return (
    <pre>
      <code>{JSON.stringify(value, null, 2)}</code>
    </pre>
  );
}

interface FieldRow {
  readonly name: string;
  readonly where?: string;
  readonly type: string;
  readonly required: boolean;
  readonly notes: readonly string[];
}

function Fields({ rows }: { readonly rows: readonly FieldRow[] }): ReactElement {
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, where, type, required, notes }) => (
            <tr key={`${where ?? ""} ${name} ${type}`}>
              <th scope="row">
                <code>{name === "" ? "(the whole)" : name}</code>
                {where === undefined ? null : <span className="quiet"> {where}</span>}
                {required ? <span className="required"> required</span> : null}
              </th>
              <td>{type}</td>
              <td>{notes.join(" ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
