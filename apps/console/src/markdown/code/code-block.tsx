import { type ReactElement, startTransition, useEffect, useState } from "react";
import { ScrollRegion } from "../../ui/index.ts";
import { CopyButton } from "../copy-button.tsx";
import type { CodeToken } from "./colour-code.ts";
import { highlight } from "./highlight.ts";
import "./code.css";

/** Maximum characters of code that is highlighted: more would keep the page busy. */
const MOST_COLOURED = 30_000;

/** Code with its language and a button that copies it. Colours appear once the highlighter is loaded. */
export function CodeBlock({
  code,
  language,
  growing = false,
}: {
  readonly code: string;
  /** The info string of the fence; blank: none. */
  readonly language: string;
  /** It is still streaming: it is highlighted when it is complete. */
  readonly growing?: boolean;
}): ReactElement {
  const lines = useTokens(code, language, !growing && code.length <= MOST_COLOURED);
  return (
    <div aria-busy={growing} className="code-block my-2 overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex min-h-8 items-center justify-between gap-2 pr-1 pl-3 text-xs text-ink-soft">
        <span>{language === "" ? "text" : language}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <ScrollRegion label="Code" className="overflow-x-auto px-3 pb-2.5">
        <pre className="text-sm">
          <code>
            {lines === undefined
              ? code
              : lines.map((line, number) => (
                  <span key={number}>
                    {line.map(({ content, color }, index) => (
                      <span key={index} style={color === undefined ? undefined : { color }}>
                        {content}
                      </span>
                    ))}
                    {"\n"}
                  </span>
                ))}
          </code>
        </pre>
      </ScrollRegion>
    </div>
  );
}

function useTokens(code: string, language: string, wanted: boolean): readonly (readonly CodeToken[])[] | undefined {
  const [known, setKnown] = useState<{ readonly code: string; readonly lines: readonly (readonly CodeToken[])[] }>();
  useEffect(() => {
    if (!wanted || language === "") return;
    let stopped = false;
    highlight(code, language)
      .then((lines) => {
        if (!stopped && lines !== undefined) startTransition(() => setKnown({ code, lines }));
      })
      .catch(() => {
        // The code stays without colours.
      });
    return () => {
      stopped = true;
    };
  }, [code, language, wanted]);
  return known?.code === code ? known.lines : undefined;
}
