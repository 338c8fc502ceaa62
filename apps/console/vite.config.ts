import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";
import { codeSplitting } from "./build/code-splitting.ts";
import { copyMermaid } from "./build/copy-mermaid.ts";
import { packAssets } from "./build/pack-assets.ts";
import { preloadStart } from "./build/preload-start.ts";
import { sizeReport } from "./build/size-report.ts";

/**
 * The console is served under `/app` by any agent, at any depth of a proxy: every path in it is relative. Nothing is
 * inlined, so the page runs under a Content-Security-Policy of `default-src 'self'`.
 */
export default defineConfig({
  base: "./",
  plugins: [react(), tailwindcss(), preloadStart(), copyMermaid(), sizeReport(), packAssets()],
  // Workspace packages are read from source, so the console builds without them being built first.
  resolve: { conditions: ["@agent-service/source", ...defaultClientConditions] },
  // The grammars of languages are files of their own in the worker that highlights code too.
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The frame of a diagram is a page of its own, whose script has a fixed name.
      input: { index: "index.html", diagram: "src/markdown/frames/draw-diagram.ts" },
      output: {
        entryFileNames: ({ name }) => (name === "diagram" ? "frames/diagram.js" : "assets/[name]-[hash].js"),
        codeSplitting,
      },
    },
    // The size report has the bounds; the markdown renderer is large, and loaded when first needed.
    chunkSizeWarningLimit: 600,
  },
  server: {
    // `pnpm dev` shows the page at its own port and takes everything else from the running service.
    proxy: { "^/(a2a|\\.well-known|api|v1|healthz)(/|$)": process.env.AGENT_SERVICE_URL ?? "http://127.0.0.1:7870" },
  },
});
