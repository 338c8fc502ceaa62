/**
 * Runs in the frame of a diagram, which has an origin of its own and no network (`frames/diagram.html`): draws the Mermaid
 * code that the page sends.
 */
import type { Mermaid } from "mermaid";
import type { DiagramRequest, FrameReport } from "./frame-message.ts";

/** Beside this file, as Mermaid publishes it: each kind of diagram is a file of its own. */
const LIBRARY = "./mermaid/mermaid.esm.min.mjs";

function report(message: FrameReport): void {
  // The frame's origin is opaque, and so is the page's to it.
  window.parent.postMessage(message, "*");
}

async function draw({ code, theme }: DiagramRequest): Promise<void> {
  document.documentElement.style.colorScheme = theme;
  document.body.style.margin = "0";
  const { default: mermaid } = (await import(/* @vite-ignore */ new URL(LIBRARY, import.meta.url).href)) as {
    readonly default: Mermaid;
  };
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: theme === "dark" ? "dark" : "neutral",
    fontFamily: "system-ui, sans-serif",
    suppressErrorRendering: true,
  });
  // Mermaid measures what it draws where it stands: half of a diagram would be seen meanwhile.
  const desk = document.createElement("div");
  desk.style.visibility = "hidden";
  document.body.append(desk);
  const { svg } = await mermaid.render("diagram", code, desk);
  document.body.innerHTML = svg;
  const height = document.body.firstElementChild?.getBoundingClientRect().height ?? 0;
  report({ kind: "shown", height: Math.ceil(height) });
}

addEventListener("message", ({ source, data }: MessageEvent<DiagramRequest>) => {
  if (source !== window.parent) return;
  draw(data).catch((error: unknown) => {
    report({ kind: "failed", problem: error instanceof Error ? error.message : String(error) });
  });
});
report({ kind: "ready" });
