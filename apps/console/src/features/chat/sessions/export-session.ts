import type { OperatorClient } from "@agent-service/operator-api/client";
import { saveFile } from "../../../ui/index.ts";

/** Saves a conversation as a Markdown file. Rejects as the API does. */
export async function exportSession(
  operator: Pick<OperatorClient, "get">,
  session: string,
  title: string,
): Promise<undefined> {
  const response = await operator.get("/api/chat/sessions/{id}/export", { params: { id: session } });
  saveFile(await response.blob(), `${fileName(title)}.md`);
}

/** A title as the name of a file. */
export function fileName(title: string): string {
  const name = title
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return name === "" ? "conversation" : name;
}
