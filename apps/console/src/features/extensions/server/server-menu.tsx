import { Ellipsis, KeyRound, LogOut, Pencil, RotateCw, Trash2 } from "lucide-react";
import { type ReactElement, useState } from "react";
import { Menu } from "../../../menu/index.ts";
import { ConfirmRemoval, useNotices } from "../../../notices/index.ts";
import { Dialog, failureOf } from "../../../ui/index.ts";
import { useRemoveServer, useRestartServer } from "../use-servers.ts";
import { EditServer } from "./edit-server.tsx";
import type { McpServer } from "./mcp-types.ts";
import { useSignIn, useSignOut } from "./use-sign-in.ts";

/** What is done with a server as a whole. */
export function ServerMenu({
  server: { name, enabled, state, auth },
  onRemoved,
}: {
  readonly server: McpServer;
  readonly onRemoved?: () => void;
}): ReactElement {
  const [removing, setRemoving] = useState(false);
  const [editing, setEditing] = useState(false);
  const restart = useRestartServer(name);
  const remove = useRemoveServer(name);
  const signIn = useSignIn(name);
  const signOut = useSignOut(name);
  const notify = useNotices();
  const fail = (error: Error): void => void notify({ text: failureOf(error).message, tone: "bad" });
  const again = (): void =>
    restart.mutate(undefined, {
      onSuccess: () => void notify({ text: `${name} is connected to anew.`, tone: "plain" }),
      onError: fail,
    });
  const needsSignIn = auth === "needed" || auth === "expired" || state === "needs_auth";
  return (
    <>
      <Menu
        label={`Actions of ${name}`}
        icon={Ellipsis}
        actions={[
          ...(needsSignIn ? [{ label: "Sign in", icon: KeyRound, run: signIn }] : []),
          ...(auth === "ok" ? [{ label: "Sign out", icon: LogOut, run: signOut }] : []),
          ...(enabled ? [{ label: "Restart", icon: RotateCw, run: again }] : []),
          { label: "Edit", icon: Pencil, run: () => setEditing(true) },
          { label: "Remove", icon: Trash2, run: () => setRemoving(true), danger: true },
        ]}
      />
      <Dialog open={editing} onOpenChange={setEditing} title={`Edit ${name}`} sheet>
        <EditServer name={name} onDone={() => setEditing(false)} />
      </Dialog>
      <Dialog open={removing} onOpenChange={setRemoving} title={`Remove ${name}?`}>
        <ConfirmRemoval
          removal={remove}
          text="The agent loses its tools, and its stored credentials and what was approved of it are deleted. Switch it off instead to keep them."
          action="Remove it"
          done={`${name} is removed.`}
          onClose={() => setRemoving(false)}
          {...(onRemoved && { onRemoved })}
        />
      </Dialog>
    </>
  );
}
