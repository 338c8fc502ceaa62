import type { ReactElement } from "react";

/** The exact arguments of a call: a line for each where they are an object, else the JSON. */
export function Arguments({ tool, args }: { readonly tool: string; readonly args: unknown }): ReactElement {
  const entries = typeof args === "object" && args !== null && !Array.isArray(args) ? Object.entries(args) : undefined;
  return (
    <div className="overflow-x-auto rounded-md bg-sunken px-3 py-2">
      <p className="text-sm font-medium">
        <code>{tool}</code>
      </p>
      {entries === undefined ? (
        <pre className="whitespace-pre-wrap">{JSON.stringify(args, undefined, 2)}</pre>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm">
          {entries.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-ink-soft">{name}</dt>
              <dd>
                <pre className="whitespace-pre-wrap">
                  {typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}
                </pre>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
