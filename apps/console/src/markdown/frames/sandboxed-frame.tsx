import { type ReactElement, useEffect, useRef } from "react";
import { baseUrlsOf } from "../../api/index.ts";
import type { FrameReport } from "./frame-message.ts";

/**
 * What a model made, in a frame of an origin of its own that may request nothing (`frames/` of the console's routes). `message`
 * is sent whenever the frame has loaded, and again when it changes.
 */
export function SandboxedFrame({
  page,
  title,
  message,
  onReport,
  className,
  height,
}: {
  readonly page: "diagram" | "preview";
  readonly title: string;
  readonly message: object;
  readonly onReport?: (report: FrameReport) => void;
  readonly className?: string;
  /** Pixels. */
  readonly height?: number;
}): ReactElement {
  const frame = useRef<HTMLIFrameElement>(null);
  const isReady = useRef(false);
  useEffect(() => {
    if (isReady.current) frame.current?.contentWindow?.postMessage(message, "*");
  }, [message]);
  useEffect(() => {
    // What a model wrote may send anything.
    const received = ({ source, data }: MessageEvent<FrameReport | null | undefined>): void => {
      const target = frame.current?.contentWindow;
      if (target === null || target === undefined || source !== target) return;
      if (data?.kind === "ready") {
        isReady.current = true;
        target.postMessage(message, "*");
      } else if (data?.kind !== undefined) onReport?.(data);
    };
    window.addEventListener("message", received);
    return () => window.removeEventListener("message", received);
  }, [message, onReport]);
  return (
    <iframe
      ref={frame}
      title={title}
      sandbox="allow-scripts"
      src={`${baseUrlsOf(import.meta.url).console}/frames/${page}.html`}
      className={className}
      style={{ height }}
    />
  );
}
