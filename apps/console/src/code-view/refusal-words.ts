import { OperatorApiError } from "@agent-service/operator-api/client";

/** Why a file or a difference cannot be shown, for people. */
export interface RefusalWords {
  readonly title: string;
  readonly text: string;
  /** Reading it again can help. */
  readonly again: boolean;
  /** The code pane is switched off. */
  readonly isOff: boolean;
}

/** The words for a refusal of the code pane's routes; undefined for a failure of another kind. */
export function refusalWords(error: unknown): RefusalWords | undefined {
  if (!(error instanceof OperatorApiError)) return undefined;
  const { code, reason } = (error.detail ?? {}) as { readonly code?: unknown; readonly reason?: unknown };
  const said = typeof reason === "string" ? reason : "";
  switch (code) {
    case "disabled":
      return {
        ...words("The code pane is off", "Files are shown here once the setting filesystem.code_pane is on."),
        isOff: true,
      };
    case "denied":
      return words("This file is not shown", "Its name is one of those that hold secrets, so it is shown nowhere.");
    case "not_found":
      return words("There is no such file", "It was moved, renamed or deleted, or it was never there.", true);
    case "not_a_file":
      return words("This is no file to read", "It is a folder, or something else that has no lines.");
    case "bad_range":
      return words("The file has fewer lines now", "It became shorter since it was read. Read it again.", true);
    case "unreadable":
      return words("This file cannot be read", said === "" ? "The system does not let it be read." : said, true);
    case "bad_path":
      return words(
        "This is in no project",
        "The project was taken out or renamed, or the path leads out of it. Nothing outside of the projects is shown.",
      );
    default:
      return undefined;
  }
}

function words(title: string, text: string, again = false): RefusalWords {
  return { title, text, again, isOff: false };
}
