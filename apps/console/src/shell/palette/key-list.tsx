import type { ReactElement } from "react";
import { keysLabel, useCommandList } from "../../commands/index.ts";
import { isMac } from "./is-mac.ts";

/** Keys of focused elements, which are not commands. */
const IN_FOCUS: readonly (readonly [does: string, keys: string])[] = [
  ["Send the message", "Enter"],
  ["Begin a new line in it", "Shift Enter"],
  ["Approve the call", "Enter"],
  ["Decline the call", "Esc"],
];

/** All keys of the page, by group. */
export function KeyList(): ReactElement {
  const commands = useCommandList().filter(({ keys }) => keys !== undefined);
  const groups = Map.groupBy(commands, ({ group }) => group);
  return (
    <div className="flex flex-col gap-4">
      {[...groups].map(([group, members]) => (
        <Keys
          key={group}
          title={group}
          keys={members.map(({ label, keys = "" }) => [label, keysLabel(keys, isMac)] as const)}
        />
      ))}
      <Keys title="Focus" keys={IN_FOCUS} />
    </div>
  );
}

function Keys({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [does: string, keys: string])[];
}): ReactElement {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {keys.map(([does, label]) => (
          <div key={does} className="contents">
            <dt>{does}</dt>
            <dd>
              <kbd className="rounded-sm border border-line bg-sunken px-1.5 py-0.5">{label}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
