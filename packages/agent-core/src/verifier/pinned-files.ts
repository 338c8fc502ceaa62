/** Files that must stay as they were when a check was set, so that it cannot be met by editing them. */
import { createHash } from "node:crypto";
import { type Fence, FenceRefusal } from "../fence/index.ts";
import type { PreparedCheck, RawVerdict } from "./prepared-check.ts";

const MAX_BYTES = 10 * 1024 * 1024;

async function digestOf(fence: Fence, project: string, path: string): Promise<string> {
  await using located = await fence.open({ project, path, for: "read" });
  return createHash("sha256")
    .update(await located.read(MAX_BYTES))
    .digest("hex");
}

/** The digests of these files, by their path. @throws FenceRefusal */
export async function digestsOf(
  fence: Fence,
  { name }: { readonly name: string },
  paths: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const digests: [string, string][] = [];
  for (const path of paths) digests.push([path, await digestOf(fence, name, path)]);
  return Object.fromEntries(digests);
}

/** The verdict where a pinned file is gone or another. */
export async function tamperedPin(fence: Fence, { project, pins }: PreparedCheck): Promise<RawVerdict | undefined> {
  for (const [path, digest] of Object.entries(pins)) {
    const now = await digestOf(fence, project, path).catch((error: unknown) => {
      if (error instanceof FenceRefusal) return undefined;
      throw error;
    });
    if (now === digest) continue;
    const what = now === undefined ? "cannot be read any more" : "has other content";
    return {
      met: false,
      reason: `tampered: ${path}`,
      evidence: `The pinned file ${what} than when the check was set.`,
    };
  }
  return undefined;
}
