import type { ReactElement, ReactNode } from "react";
import { CodeBlock } from "../markdown/index.ts";
import { PatchView } from "../patch-view/index.ts";
import { bytes, classNames, count } from "../ui/index.ts";
import type { Preview } from "./use-preview.ts";

/** What a call would do, in the form of its kind (F28). */
export function CallPreview({ preview }: { readonly preview: Exclude<Preview, { kind: "none" }> }): ReactElement {
  switch (preview.kind) {
    case "command":
      return <CommandPreview {...preview} />;
    case "diff":
      return (
        <div className="flex flex-col gap-2">
          <ChangedSince isChanged={preview.changed_since} />
          <ul className="text-sm">
            {preview.files.map(({ path, additions, deletions }) => (
              <li key={path}>
                <code className="break-all">{path}</code> <span className="text-good">+{count(additions)}</span>{" "}
                <span className="text-bad">−{count(deletions)}</span>
              </li>
            ))}
          </ul>
          <PatchView patch={preview.patch} label="Changes" />
        </div>
      );
    case "delete":
      return (
        <div className="flex flex-col gap-2">
          <ChangedSince isChanged={preview.changed_since} />
          <p>
            Deletes <code className="break-all">{preview.path}</code> ({bytes(preview.bytes)})
          </p>
        </div>
      );
    case "register":
      return (
        <Facts
          rows={[
            ["Folder", <code key="path">{preview.path}</code>],
            ["Git", preview.is_git ? (preview.origin ?? "a repository without a remote") : "not a repository"],
            ["Access", preview.write ? "read and write" : "read only"],
          ]}
        />
      );
    case "code":
      return (
        <div className="max-h-96 overflow-y-auto">
          <CodeBlock code={preview.code} language={preview.language} />
        </div>
      );
  }
}

/** Token by token: spaces and quotes inside of a token are seen as part of it. */
function CommandPreview(command: Extract<Preview, { readonly kind: "command" }>): ReactElement {
  const { argv, shell, project, cwd, network, sandbox, env, timeout, note } = command;
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label="Command, token by token" className="flex flex-wrap gap-1 rounded-md bg-sunken px-3 py-2">
        {argv.map((token, at) => (
          <li
            key={String(at)}
            className={classNames("rounded-sm border border-line bg-raised px-1.5", at === 0 && "font-semibold")}
          >
            <code className="text-sm break-all whitespace-pre-wrap">{token === "" ? "(empty)" : token}</code>
          </li>
        ))}
      </ol>
      {shell && <p className="text-sm font-medium text-waiting">It runs through a shell.</p>}
      <Facts
        rows={[
          ["Folder", cwd === "." ? "the project's own" : <code key="cwd">{cwd}</code>],
          ["Project", project],
          ["Sandbox", sandbox ?? <Warned key="sandbox">none: it can reach what the service can</Warned>],
          ["Network", network ? <Warned key="network">yes</Warned> : "no"],
          ["Variables", env.length === 0 ? "none are passed on" : env.join(", ")],
          ["Time limit", `${count(timeout)} s`],
        ]}
      />
      {note !== undefined && <p className="text-sm text-ink-soft">{note}</p>}
    </div>
  );
}

function Warned({ children }: { readonly children: string }): ReactElement {
  return <span className="font-medium text-waiting">{children}</span>;
}

function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ReactNode])[] }): ReactElement {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ChangedSince({ isChanged }: { readonly isChanged: boolean }): ReactElement | null {
  if (!isChanged) return null;
  return (
    <p role="status" className="text-sm font-medium text-waiting">
      The file changed since the agent asked. This is what the call would do now.
    </p>
  );
}
