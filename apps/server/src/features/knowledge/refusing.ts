import {
  DatabaseError,
  DocumentError,
  type DocumentErrorCode,
  EgressError,
  KnowledgeError,
  type KnowledgeErrorCode,
} from "@agent-service/agent-core/host";
import { Problem } from "@agent-service/operator-api";

const STATUS: { readonly [Code in KnowledgeErrorCode | DocumentErrorCode]: number } = {
  ...{
    unknown_chunk: 404,
    not_waiting: 409,
    full: 409,
    too_many_always_on: 409,
    unknown_source: 404,
    too_late: 409,
    subject_taken: 409,
    not_layered: 409,
    not_shareable: 409,
    commons_unwritable: 503,
    of_commons: 409,
  },
  ...{ too_many_waiting: 429, not_fetched: 400, not_read: 503, stopping: 503 },
  ...{ "document.empty": 400, "document.encrypted": 400, "document.unreadable": 400, "document.slow": 400 },
  ...{ "document.unsupported": 415, "document.too-large": 413 },
};

/** Does something of the knowledge store. @throws Problem for what it refuses */
export async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof KnowledgeError || error instanceof DocumentError)
      throw new Problem(STATUS[error.code], sentence(error.message), { cause: error });
    if (error instanceof EgressError)
      throw new Problem(error.code === "egress.body-too-large" ? 413 : 400, sentence(error.message), { cause: error });
    if (error instanceof DatabaseError)
      throw new Problem(503, "The knowledge store cannot be used now; the log has the reason.", { cause: error });
    throw error;
  }
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
