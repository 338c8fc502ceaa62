import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { failureOf, InlineError } from "../../ui/index.ts";
import { withSettings } from "./setting-names.ts";

/** Why something was refused; the settings that the service names lead to where they are changed. */
export function Refusal({ error }: { readonly error: unknown }): ReactElement {
  const parts = withSettings(failureOf(error).message);
  if (!parts.some(({ isSetting }) => isSetting)) return <InlineError error={error} />;
  return (
    <p role="alert" className="text-sm text-bad">
      {parts.map(({ text, isSetting }) =>
        isSetting ? <SettingLink key={text} name={text} /> : <span key={text}>{text}</span>,
      )}
    </p>
  );
}

/** Leads to a setting by its key. */
export function SettingLink({ name }: { readonly name: string }): ReactElement {
  return (
    <Link to="/settings/all" search={{ q: name }} className="underline">
      <code>{name}</code>
    </Link>
  );
}
