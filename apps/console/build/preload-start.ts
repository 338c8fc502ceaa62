import type { HtmlTagDescriptor, Plugin } from "vite";
import { AT_START, type Chunk } from "./size-report.ts";

/** A file of JavaScript and the style sheets it needs. */
export type StyledChunk = Pick<Chunk, "fileName" | "facadeModuleId" | "imports"> & {
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } | undefined;
};

/** JavaScript and style sheets that every first screen needs, besides those that the page names already. */
export function filesAtStart(chunks: readonly StyledChunk[], page: string): readonly string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set<string>();
  const open = chunks.filter(({ facadeModuleId }) => AT_START.test(facadeModuleId ?? ""));
  for (let chunk = open.pop(); chunk !== undefined; chunk = open.pop()) {
    if (reached.has(chunk.fileName)) continue;
    for (const name of [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])]) reached.add(name);
    open.push(...chunk.imports.flatMap((name) => byName.get(name) ?? []));
  }
  return [...reached].filter((name) => !page.includes(`"./${name}"`)).toSorted();
}

/**
 * Names in the page what `main.tsx` imports first: the browser loads it beside the first file, not after that one
 * ran. Vite itself names only what is imported statically.
 */
export function preloadStart(): Plugin {
  return {
    name: "preload-start",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(page, { bundle = {} }) {
        const files = filesAtStart(
          Object.values(bundle).filter((one) => one.type === "chunk"),
          page,
        );
        return files.map((name): HtmlTagDescriptor => {
          const rel = name.endsWith(".css") ? "stylesheet" : "modulepreload";
          return { tag: "link", attrs: { rel, crossorigin: true, href: `./${name}` }, injectTo: "head" };
        });
      },
    },
  };
}
