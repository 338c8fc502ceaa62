import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { Button, buttonClass, TextField } from "../../ui/index.ts";
import { type Loaded, loadReference, TOKEN_KEY } from "./load-reference.ts";
import { ReferenceView } from "./reference-view.tsx";

/** `/app/docs`: the reference of the operator API, from the running service's document. */
export function ApiReferencePage({
  root,
}: {
  /** Address of the service: `https://host/agents/one`. */
  readonly root: string;
}): ReactElement {
  const [loaded, setLoaded] = useState<Loaded>();
  const load = (): void => void loadReference(localStorage).then(setLoaded);
  useEffect(() => {
    void loadReference(localStorage).then(setLoaded);
  }, []);
  if (loaded === undefined) return <main aria-busy="true" />;
  if (loaded.kind === "reference") return <ReferenceView reference={loaded.reference} root={root} />;
  return (
    <main className="mx-auto flex max-w-xl flex-col items-start gap-4 px-4 py-12">
      <h1 className="font-display text-2xl font-semibold">The operator API</h1>
      <p role="alert">{loaded.message}</p>
      {loaded.kind === "token-needed" ? (
        <TokenForm
          onToken={(token) => {
            localStorage.setItem(TOKEN_KEY, token);
            load();
          }}
        />
      ) : (
        <Button onClick={load}>Try again</Button>
      )}
      <a href="./" className={buttonClass({ kind: "quiet" })}>
        Back to the console
      </a>
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
    <form onSubmit={submit} className="flex w-full flex-wrap items-end gap-2">
      <div className="flex-1">
        <TextField label="The operator's token" name="token" type="password" autoComplete="current-password" required />
      </div>
      <Button kind="primary" type="submit">
        Show the reference
      </Button>
    </form>
  );
}
