import type { ReactElement } from "react";
import { useApi } from "../../../api/index.ts";
import { Button, InlineError } from "../../../ui/index.ts";
import type { McpServerDetail, McpTool } from "../server/mcp-types.ts";
import { useServerChange } from "../use-servers.ts";
import { differencesOf, sidesOf } from "./definition-difference.ts";
import { VisibleWords } from "./visible-words.tsx";

interface Decision {
  readonly approve?: { readonly name: string; readonly digest: string }[];
  readonly reject?: string[];
}

/** What a server changed since it was approved, side by side. The model reads nothing of it before it is approved. */
export function HeldDefinitions({
  server: { name, tools },
  mayChange,
}: {
  readonly server: McpServerDetail;
  readonly mayChange: boolean;
}): ReactElement | null {
  const { operator } = useApi();
  const decide = useServerChange((body: Decision) =>
    operator.post("/api/mcp/servers/{name}/definitions", { params: { name }, body }),
  );
  const held = tools.filter(({ state, changed }) => state === "held" && changed !== undefined && !changed.rejected);
  if (held.length === 0) return null;
  const idsOf = (some: readonly McpTool[]) => some.map((tool) => ({ name: tool.name, digest: tool.digest }));
  return (
    <section aria-label="Changes that wait for you" className="mb-4 border-l-2 border-waiting pl-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="font-display text-lg font-semibold">Changes that wait for you</h2>
        {mayChange && held.length > 1 && (
          <Button
            small
            className="ml-auto"
            busy={decide.isPending}
            onClick={() => decide.mutate({ approve: idsOf(held) })}
          >
            Approve all {held.length}
          </Button>
        )}
      </div>
      <p className="text-sm text-ink-soft">The model reads what you approved before, and nothing of this.</p>
      {decide.error !== null && <InlineError error={decide.error} />}
      <ul className="divide-y divide-line">
        {held.map((tool) => (
          <li key={`${tool.kind} ${tool.name}`} className="flex flex-col gap-2 py-3">
            <div className="flex flex-wrap items-center gap-2">
              <h3 className="font-medium">
                <code>{tool.name}</code> {tool.changed?.is_new === true && "is new"}
              </h3>
              {mayChange && (
                <span className="ml-auto flex gap-2">
                  <Button
                    small
                    kind="primary"
                    aria-label={`Approve ${tool.name}`}
                    busy={decide.isPending}
                    onClick={() => decide.mutate({ approve: idsOf([tool]) })}
                  >
                    Approve
                  </Button>
                  <Button
                    small
                    aria-label={`Reject ${tool.name}`}
                    busy={decide.isPending}
                    onClick={() => decide.mutate({ reject: [tool.name] })}
                  >
                    Reject
                  </Button>
                </span>
              )}
            </div>
            <Differences tool={tool} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Differences({ tool }: { readonly tool: McpTool }): ReactElement {
  const { fields, more } = differencesOf(tool);
  return (
    <>
      {fields.map((field) => {
        const { before, after } = sidesOf(field);
        return (
          <div key={field.label} className="grid grid-cols-2 gap-x-3 gap-y-1 max-list:grid-cols-1">
            <h4 className="col-span-full text-sm font-medium text-ink-soft">
              <VisibleWords parts={[{ text: field.label, isChanged: false }]} kind="before" isCode={false} />
            </h4>
            <Side label="Approved" isThere={field.before !== undefined}>
              <VisibleWords parts={before} kind="before" />
            </Side>
            <Side label="Shown now" isThere={field.after !== undefined}>
              <VisibleWords parts={after} kind="after" />
            </Side>
          </div>
        );
      })}
      {more > 0 && (
        <p className="text-sm text-bad">{more} more differences are not listed. Read them before you approve.</p>
      )}
    </>
  );
}

function Side({
  label,
  isThere,
  children,
}: {
  readonly label: string;
  readonly isThere: boolean;
  readonly children: ReactElement;
}): ReactElement {
  return (
    <div className="min-w-0 rounded-md border border-line bg-sunken px-3 py-2">
      <p className="text-xs text-ink-soft">{label}</p>
      {isThere ? children : <p className="text-sm text-ink-soft">Nothing</p>}
    </div>
  );
}
