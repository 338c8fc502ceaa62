import { Pencil } from "lucide-react";
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import { FileList } from "../../../message-files/index.ts";
import { Button, classNames, clockTime, exactTime } from "../../../ui/index.ts";
import { EditMessage } from "../versions/edit-message.tsx";
import { REVEALED } from "./revealed.ts";
import type { TurnMessage } from "./shown-turns.ts";

/** Asks something else in the place of a message. */
export interface ChangeMessage {
  /** Tools were called in its turn. */
  readonly hasActed: boolean;
  readonly isSaving: boolean;
  readonly save: (text: string) => void;
}

/**
 * The messages of a turn before its answer: those of the person on the right, questions of the agent on the left. The time
 * appears beside a message while one points at it or has the focus in its turn.
 */
export function Messages({
  messages,
  startedAt,
  agentName,
  sender,
  change,
  children,
}: {
  readonly messages: readonly TurnMessage[];
  readonly startedAt: number;
  readonly agentName: string;
  /** Label of the sender of the first message. */
  readonly sender: string;
  /** Of the first message. */
  readonly change: ChangeMessage | undefined;
  /** Below the first message. */
  readonly children?: ReactNode;
}): ReactElement {
  const [isEditing, setEditing] = useState(false);
  const changeButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The box that had the focus is gone: it goes back to where it came from.
    if (wasEditing.current && !isEditing) changeButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const senderOfMessage = ({ role }: TurnMessage, index: number): string =>
    role === "agent" ? `${agentName} asked` : index === 0 ? sender : "You";
  return (
    <article aria-label={sender} className="flex flex-col gap-2">
      {messages.map((one, index) =>
        index === 0 && isEditing && change !== undefined ? (
          <EditMessage
            key={index}
            text={one.text}
            hasActed={change.hasActed}
            isSaving={change.isSaving}
            onSave={change.save}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <Message key={index} message={one} sender={senderOfMessage(one, index)}>
            {index === 0 && (
              <div className="flex min-h-7 items-center gap-1">
                {one.role === "user" && change !== undefined && (
                  <Button
                    ref={changeButton}
                    kind="quiet"
                    icon
                    small
                    aria-label="Change this message"
                    title="Change this message"
                    className={REVEALED}
                    onClick={() => setEditing(true)}
                  >
                    <Pencil aria-hidden className="size-4" />
                  </Button>
                )}
                {children}
              </div>
            )}
          </Message>
        ),
      )}
      {messages.length === 0 && <p className="text-right text-xs text-ink-soft">Started at {clockTime(startedAt)}</p>}
    </article>
  );
}

function Message({
  message,
  sender,
  children,
}: {
  readonly message: TurnMessage;
  readonly sender: string;
  readonly children?: ReactNode;
}): ReactElement {
  const { role, text, files, at } = message;
  const isOwn = role === "user";
  return (
    <div className={classNames("group/message flex flex-col gap-1", isOwn && "items-end")}>
      <p className={sender === "You" ? "sr-only" : "text-sm font-medium text-ink-soft"}>{sender}</p>
      <FileList files={files} label="Attached files" className={isOwn ? "justify-end" : undefined} />
      <div
        className={classNames(
          "flex max-w-full items-center gap-2.5",
          isOwn ? "flex-row-reverse @min-[30rem]:max-w-[calc(70%+5rem)]" : "max-w-[72ch]",
        )}
      >
        {text !== "" && (
          <p
            className={classNames(
              "min-w-0 text-lg whitespace-pre-wrap",
              isOwn ? "rounded-xl rounded-tr-sm bg-accent-soft px-4 py-2.5" : "border-l-2 border-line-strong pl-3",
            )}
          >
            {text}
          </p>
        )}
        <time
          dateTime={at}
          title={exactTime(at)}
          className="w-12 shrink-0 text-right text-xs text-ink-soft tabular-nums opacity-0 transition-opacity duration-120 group-focus-within/turn:opacity-100 group-hover/message:opacity-100 [@media(hover:none)]:hidden"
        >
          {clockTime(at)}
        </time>
      </div>
      {children}
    </div>
  );
}
