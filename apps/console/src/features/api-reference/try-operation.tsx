import { type FormEvent, type ReactElement, useEffect, useId, useRef, useState } from "react";
import { Button, bytes, CopyText, duration, InlineError, SelectField, TextArea, TextField } from "../../ui/index.ts";
import { TOKEN_KEY } from "./load-reference.ts";
import type { Operation, Parameter } from "./read-reference.ts";
import { curlOf, type Entered, keyOf, problemsOf, requestOf, startOf } from "./request-of.ts";
import { readable, sendRequest, type TriedResponse } from "./send-request.ts";

/** Sends a request of an operation from the page, with the session's token, to the service that serves the page only. */
export function TryOperation({
  operation,
  root,
}: {
  readonly operation: Operation;
  readonly root: string;
}): ReactElement {
  const [entered, setEntered] = useState<Entered>(() => startOf(operation));
  const [tried, setTried] = useState(false);
  const [asks, setAsks] = useState(false);
  const { response, error, sending, send, stop } = useSending(root);
  const { method, parameters } = operation;
  const problems = problemsOf(operation, entered);
  const request = requestOf(operation, entered);
  const errorOf = (key: string): string | undefined => (tried ? problems.get(key) : undefined);
  const enter = (change: Partial<Entered>): void => {
    setAsks(false);
    setEntered((before) => ({ ...before, ...change }));
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (problems.size > 0) return;
    // Whatever is not a read may change the agent.
    if (method === "GET" || asks) {
      setAsks(false);
      send(request);
    } else setAsks(true);
  }
  return (
    <div className="flex flex-col gap-3">
      <form noValidate aria-label={`Try ${operation.id}`} className="flex flex-col gap-3" onSubmit={submit}>
        <div className="grid gap-3 list:grid-cols-2">
          {parameters.map((parameter) => (
            <ParameterField
              key={keyOf(parameter)}
              parameter={parameter}
              value={entered.values[keyOf(parameter)] ?? ""}
              error={errorOf(keyOf(parameter))}
              onEnter={(value) => enter({ values: { ...entered.values, [keyOf(parameter)]: value } })}
            />
          ))}
        </div>
        {entered.body !== undefined && (
          <TextArea
            label="Body, JSON"
            rows={Math.min(14, entered.body.split("\n").length + 1)}
            spellCheck={false}
            className="font-mono text-sm"
            error={errorOf("body")}
            value={entered.body}
            onChange={({ target }) => enter({ body: target.value })}
          />
        )}
        {asks && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
            This request may change or delete something of the running agent, and cannot be taken back:{" "}
            <code>
              {method} {request.path}
            </code>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button kind={asks ? "danger" : "primary"} type="submit" busy={sending}>
            {asks ? `Send ${method} now` : "Send"}
          </Button>
          {asks && <Button onClick={() => setAsks(false)}>Do not send</Button>}
          {sending && <Button onClick={stop}>Stop</Button>}
        </div>
      </form>
      {error !== undefined && <InlineError error={error} />}
      {response !== undefined && <ResponseView response={response} />}
      <CopyText text={curlOf(request, root)} label="Copy the command" />
    </div>
  );
}

function useSending(root: string) {
  const [response, setResponse] = useState<TriedResponse>();
  const [error, setError] = useState<unknown>();
  const [sending, setSending] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    response,
    error,
    sending,
    send(request: Parameters<typeof sendRequest>[0]): void {
      const control = new AbortController();
      running.current = control;
      setResponse(undefined);
      setError(undefined);
      setSending(true);
      const token = localStorage.getItem(TOKEN_KEY) ?? undefined;
      sendRequest(request, { root, token, signal: control.signal, onResponse: setResponse })
        .catch((thrown: unknown) => {
          if (control.signal.aborted) setResponse((shown) => shown && { ...shown, done: true });
          else setError(thrown);
        })
        .finally(() => setSending(false));
    },
    stop: () => running.current?.abort(),
  };
}

function ParameterField({
  parameter: { name, where, required, description, schema },
  value,
  error,
  onEnter,
}: {
  readonly parameter: Parameter;
  readonly value: string;
  readonly error: string | undefined;
  readonly onEnter: (value: string) => void;
}): ReactElement {
  const label = (
    <>
      <code>{name}</code> <span className="font-normal text-ink-soft">{where}</span>
      {required && <span className="font-normal text-ink-soft">, required</span>}
    </>
  );
  const choices = Array.isArray(schema.enum) ? schema.enum.filter((one) => typeof one === "string") : [];
  if (choices.length > 0) {
    return (
      <SelectField label={label} value={value} onChange={({ target }) => onEnter(target.value)}>
        {!required && <option value="">Not sent</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </SelectField>
    );
  }
  return (
    <TextField
      label={label}
      title={description}
      autoComplete="off"
      spellCheck={false}
      placeholder={required ? undefined : "Not sent"}
      error={error}
      value={value}
      onChange={({ target }) => onEnter(target.value)}
    />
  );
}

function ResponseView({ response }: { readonly response: TriedResponse }): ReactElement {
  const title = useId();
  const { status, statusText, headers, ms, text, cut, done } = response;
  return (
    <section aria-labelledby={title} aria-busy={!done} className="overflow-hidden rounded-md border border-line">
      <h4
        id={title}
        className="flex flex-wrap items-baseline gap-x-3 border-b border-line bg-sunken px-3 py-1.5 text-sm font-medium"
      >
        <span className={status < 400 ? "text-good" : "text-bad"}>
          Response {status} {statusText}
        </span>
        <span className="font-normal text-ink-soft tabular-nums">
          {duration(ms)}, {bytes(response.bytes)}
          {!done && ", still coming"}
        </span>
      </h4>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 px-3 py-1.5 font-mono text-xs">
        {headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {text !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
        <pre tabIndex={0} className="max-h-96 overflow-auto border-t border-line px-3 py-2 text-sm">
          {done ? readable(text) : text}
        </pre>
      )}
      {cut && <p className="border-t border-line px-3 py-1.5 text-sm text-ink-soft">More came than is shown here.</p>}
    </section>
  );
}
