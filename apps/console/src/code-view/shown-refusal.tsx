import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Button, buttonClass, EmptyState, ErrorState } from "../ui/index.ts";
import { refusalWords } from "./refusal-words.ts";

/** Why nothing is shown, and what to press. */
export function ShownRefusal({
  error,
  title,
  onRetry,
}: {
  readonly error: unknown;
  /** Of a failure that is no refusal: "The file cannot be read". */
  readonly title: string;
  readonly onRetry: () => void;
}): ReactElement {
  const words = refusalWords(error);
  if (words === undefined) return <ErrorState title={title} error={error} onRetry={onRetry} />;
  return (
    <div role="alert">
      <EmptyState
        drawing="search"
        title={words.title}
        action={
          words.isOff ? (
            <Link to="/settings/all" search={{ q: "filesystem.code_pane" }} className={buttonClass({})}>
              Open the setting
            </Link>
          ) : (
            words.again && <Button onClick={onRetry}>Read again</Button>
          )
        }
      >
        {words.text}
      </EmptyState>
    </div>
  );
}
