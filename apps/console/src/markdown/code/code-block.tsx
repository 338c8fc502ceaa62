import { Download, Eye, WrapText } from "lucide-react";
import { type ReactElement, startTransition, useEffect, useState } from "react";
import { Button, classNames, ScrollRegion, saveFile } from "../../ui/index.ts";
import { BesideButton } from "../beside/beside-button.tsx";
import { useOpenBeside } from "../beside/beside-context.ts";
import { CopyButton } from "../copy-button.tsx";
import { Preview } from "../frames/preview.tsx";
import type { CodeToken } from "./colour-code.ts";
import { highlight } from "./highlight.ts";
import { fileNameOf, languageNamed } from "./language-names.ts";
import "./code.css";

/** Maximum characters of code that is highlighted: more would keep the page busy. */
const MOST_COLOURED = 30_000;

/** Code with its language and what one does with it: copy, wrap, save, and look at the page that HTML is. Colours appear once the highlighter is loaded. */
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
  const [isWrapped, setWrapped] = useState(false);
  const [isPreviewed, setPreviewed] = useState(false);
  const openBeside = useOpenBeside();
  const preview = (): void => {
    if (openBeside === undefined) setPreviewed(true);
    else openBeside({ kind: "page", title: "Preview", html: code });
  };
  return (
    <div aria-busy={growing} className="code-block my-2 overflow-hidden rounded-md border border-line bg-sunken">
      <div className="flex min-h-8 items-center justify-between gap-2 pr-1 pl-3 text-xs text-ink-soft">
        <span>{language === "" ? "text" : language}</span>
        <span className="flex">
          {languageNamed(language) === "html" && !growing && (
            <Button kind="quiet" icon small aria-label="Preview" title="Preview" onClick={preview}>
              <Eye aria-hidden className="size-4" />
            </Button>
          )}
          {!growing && (
            <BesideButton document={{ kind: "code", title: language === "" ? "Text" : language, code, language }} />
          )}
          <Button
            kind="quiet"
            icon
            small
            aria-label="Wrap lines"
            title="Wrap lines"
            aria-pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          >
            <WrapText aria-hidden className="size-4" />
          </Button>
          <Button
            kind="quiet"
            icon
            small
            aria-label="Save as a file"
            title="Save as a file"
            onClick={() => saveFile(new Blob([code], { type: "text/plain" }), fileNameOf(language))}
          >
            <Download aria-hidden className="size-4" />
          </Button>
          <CopyButton text={code} label="Copy code" />
        </span>
      </div>
      <ScrollRegion label="Code" className="overflow-x-auto px-3 pb-2.5">
        <pre className={classNames("text-sm", isWrapped && "whitespace-pre-wrap")}>
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
      {isPreviewed && <Preview html={code} onClose={() => setPreviewed(false)} />}
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
