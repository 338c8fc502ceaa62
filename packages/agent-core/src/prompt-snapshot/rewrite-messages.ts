import { type Database, namedStatement } from "../database/index.ts";
import type { TextRewriting } from "../feature/index.ts";

const PAGE = 200;
const messages = namedStatement(
  `SELECT digest, body FROM prompt_message WHERE digest > :after AND root IN (
     SELECT root FROM prompt_call WHERE class = :class AND context = :context AND root IS NOT NULL)
   ORDER BY digest LIMIT ${PAGE}`,
);
const change = namedStatement("UPDATE prompt_message SET body = :body, size = :size WHERE digest = :digest");

/** Changes texts in what models were sent of some conversations; what stood there is overwritten in the file. @throws DatabaseError */
export async function rewriteMessages(
  db: Database,
  { conversations, rewrite }: TextRewriting,
  storedName: (context: string) => string,
): Promise<void> {
  for (const { class: callerClass, context } of conversations) {
    for (let after = ""; ; ) {
      const bound = { class: callerClass, context: storedName(context), after };
      const rows = (await db.read(messages.bind(bound), "long")).map(([digest, body]) => ({
        ...{ digest: String(digest), before: String(body) },
        body: JSON.stringify(JSON.parse(String(body)), (_, value: unknown) =>
          typeof value === "string" ? rewrite(value) : value,
        ),
      }));
      const statements = rows
        .filter(({ before, body }) => before !== body)
        .map(({ digest, body }) => change.bind({ digest, body, size: body.length }));
      if (statements.length > 0) await db.commit({ label: "prompts.rewrite", statements, overwrite: true });
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.digest;
    }
  }
}
