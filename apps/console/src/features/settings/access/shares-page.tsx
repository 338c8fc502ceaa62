import type { ReactElement } from "react";
import { ShareList } from "../../../sharing/index.ts";
import { Page } from "../../../ui/index.ts";
import { BackToSettings } from "../back-to-settings.tsx";
import { SettingsSection } from "../settings-section.tsx";
import { useSettings } from "../use-settings.ts";

/** What is shared by links, and the switch. */
export function SharesPage(): ReactElement {
  const { data: schema } = useSettings();
  const group = schema?.groups.find(({ section }) => section === "shares");
  return (
    <Page title="Shared links" lead={<BackToSettings />}>
      <div className="flex max-w-4xl flex-col gap-6 p-4 pb-16">
        <p className="max-w-prose text-ink-soft">
          Whoever has one of these links reads a copy of a chat or a run without a token, until the link expires or is
          revoked, or the chat is deleted.
        </p>
        <ShareList />
        {group !== undefined && <SettingsSection group={group} />}
      </div>
    </Page>
  );
}
