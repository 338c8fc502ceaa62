import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import "./api-reference.css";
import { InlineText } from "./inline-text.tsx";
import { type Loaded, loadReference, TOKEN_KEY } from "./load-reference.ts";
import { OperationSection } from "./operation-section.tsx";
import type { OperationGroup, Reference } from "./read-reference.ts";

/** `/app/docs`: the reference of the operator API, from the running service's document. */
export function ApiReferencePage(): ReactElement {
  const [loaded, setLoaded] = useState<Loaded>();
  const load = (): void => void loadReference(localStorage).then(setLoaded);
  useEffect(() => {
    void loadReference(localStorage).then(setLoaded);
  }, []);
  if (loaded === undefined) return <main className="reference" aria-busy="true" />;
  if (loaded.kind === "reference") return <ReferenceView reference={loaded.reference} />;
  return (
    <main className="reference">
      <h1>The operator API</h1>
      <p role="alert">{loaded.message}</p>
      {loaded.kind === "token-needed" ? (
        <TokenForm
          onToken={(token) => {
            localStorage.setItem(TOKEN_KEY, token);
            load();
          }}
        />
      ) : (
        <button type="button" onClick={load}>
          Try again
        </button>
      )}
    </main>
  );
}

function TokenForm({ onToken }: { readonly onToken: (token: string) => void }): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get("token");
    if (typeof token === "string" && token.trim() !== "") onToken(token.trim());
  };
  return (
    <form onSubmit={submit}>
      <label>
        The operator's token <input name="token" type="password" autoComplete="current-password" required />
      </label>{" "}
      <button type="submit">Show the reference</button>
    </form>
  );
}

/** The reference with its index; the search field filters both. */
export function ReferenceView({ reference }: { readonly reference: Reference }): ReactElement {
  const [wanted, setWanted] = useState("");
  const groups = narrowed(reference.groups, wanted);
  useEffect(() => {
    // The browser looked for the anchor before it was rendered.
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, []);
  return (
    <div className="reference-frame">
      <nav aria-label="Operations">
        <a href="./">← Back to the console</a>
        <label>
          Find <input type="search" value={wanted} onChange={(event) => setWanted(event.target.value)} />
        </label>
        {groups.map(({ name, operations }) => (
          <section key={name}>
            <h2>{name}</h2>
            <ul>
              {operations.map(({ id, method, path }) => (
                <li key={id}>
                  <a href={`#${id}`}>
                    <span className={`method method-${method.toLowerCase()}`}>{method}</span>{" "}
                    {path.replace("/api/", "")}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <main className="reference">
        <h1>{reference.title}</h1>
        <p className="quiet">
          Version {reference.version}. <a href="../api/openapi.json">The document itself</a> is for programs.
        </p>
        <InlineText text={reference.description} />
        {groups.length === 0 ? <p role="status">No operation matches the search.</p> : null}
        {groups.map(({ name, operations }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            {operations.map((operation) => (
              <OperationSection key={operation.id} operation={operation} />
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

function narrowed(groups: readonly OperationGroup[], wanted: string): readonly OperationGroup[] {
  const terms = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return groups;
  return groups.flatMap(({ name, operations }) => {
    const fitting = operations.filter(({ id, method, path, summary }) => {
      const text = `${name} ${id} ${method} ${path} ${summary}`.toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    return fitting.length === 0 ? [] : [{ name, operations: fitting }];
  });
}
