import type { ReactElement } from "react";
import { Choices } from "../../ui/index.ts";
import { ACCESS, type Access } from "./access.ts";

/** Chooses what the agent may do in a project, with what that means. */
export function AccessField({
  value,
  onChange,
  among,
}: {
  readonly value: Access;
  readonly onChange: (value: Access) => void;
  readonly among: readonly Access[];
}): ReactElement {
  return (
    <div className="flex flex-col gap-1">
      <p aria-hidden className="text-sm font-medium">
        What the agent may do there
      </p>
      <Choices
        label="What the agent may do there"
        options={ACCESS.filter((one) => among.includes(one.value))}
        value={value}
        onChange={onChange}
      />
      <p className="text-sm text-ink-soft">{ACCESS.find((one) => one.value === value)?.hint}</p>
    </div>
  );
}
