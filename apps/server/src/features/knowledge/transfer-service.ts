/** Memories taken out as lines of JSON, and brought in (K21). */
import type { Chunk, Transfer } from "@agent-service/agent-core/host";
import type { KnowledgeTransferService } from "@agent-service/operator-api";
import { refusing } from "./refusing.ts";

export function transferService(transfer: Transfer): KnowledgeTransferService {
  return {
    out: (domain) =>
      refusing(async () => {
        const lines = linesOf(transfer.all(domain));
        // A store that cannot be opened is refused; behind the first line nothing can be.
        const first = await lines.next();
        return ReadableStream.from(withFirst(first, lines)) as ReadableStream<Uint8Array>;
      }),
    bring: (bytes, signal) => refusing(() => transfer.bring(bytes, signal)),
  };
}

async function* withFirst(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

async function* linesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const { domain, heading, subject, content, kind, policy, trust, createdAt, expiresAt } of chunks) {
    const row = {
      ...{ content, domain, heading, subject, memory_kind: kind, delivery_policy: policy, trust },
      created_at: new Date(createdAt).toISOString(),
      ...(expiresAt !== undefined && { expires_at: new Date(expiresAt).toISOString() }),
    };
    yield encoder.encode(`${JSON.stringify(row)}\n`);
  }
}
