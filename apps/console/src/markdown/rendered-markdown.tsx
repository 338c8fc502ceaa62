import type { ComponentProps, ReactElement } from "react";
import { Streamdown, useIsCodeFenceIncomplete } from "streamdown";
import { ScrollRegion } from "../ui/index.ts";
import { CodeBlock } from "./code-block.tsx";
import { type CodeNode, codeIn } from "./code-in.ts";
import "./markdown.css";

type Components = NonNullable<ComponentProps<typeof Streamdown>["components"]>;

function Fence({ node }: { readonly node?: CodeNode | undefined }): ReactElement {
  const growing = useIsCodeFenceIncomplete();
  const { code, language } = codeIn(node);
  return <CodeBlock code={code} language={language} growing={growing} />;
}

function Anchor({ href, children }: ComponentProps<"a">): ReactElement {
  const safe = href !== undefined && /^(https?:|mailto:)/i.test(href);
  if (!safe) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** An image of somewhere else would tell that place who reads: it is a link. */
function Image({ src, alt }: ComponentProps<"img">): ReactElement {
  const name = alt === undefined || alt === "" ? "image" : alt;
  if (typeof src !== "string") return <span>{name}</span>;
  if (/^data:image\/(png|jpeg|gif|webp);/i.test(src)) return <img src={src} alt={name} />;
  return <Anchor href={src}>{name}</Anchor>;
}

function ScrollingTable({ children }: ComponentProps<"table">): ReactElement {
  return (
    <ScrollRegion label="Table" className="overflow-x-auto">
      <table>{children}</table>
    </ScrollRegion>
  );
}

/** A heading of an answer: below those of the page, whatever its level. */
function headingOf(level: number) {
  return function Heading({ children }: ComponentProps<"h3">): ReactElement {
    return <h3 data-level={level}>{children}</h3>;
  };
}

// Streamdown's index signature for made-up tags is narrower than its own types of the known ones.
const COMPONENTS = {
  ...{ h1: headingOf(1), h2: headingOf(2), h3: headingOf(3), h4: headingOf(4), h5: headingOf(5), h6: headingOf(6) },
  ...{ p: "p", ul: "ul", ol: "ol", li: "li", blockquote: "blockquote", hr: "hr", strong: "strong", code: "code" },
  ...{ thead: "thead", tbody: "tbody", tr: "tr", th: "th", td: "td", sup: "sup", sub: "sub", section: "section" },
  a: Anchor,
  img: Image,
  table: ScrollingTable,
  pre: Fence,
} as Components;

/** Draws markdown. Raw HTML in it is cleaned, scripts never run, nothing is loaded from elsewhere. */
export default function RenderedMarkdown({
  text,
  growing,
}: {
  readonly text: string;
  readonly growing: boolean;
}): ReactElement {
  return (
    <Streamdown
      className="markdown"
      // Also for what is whole: another mode at the end would draw every block anew.
      mode="streaming"
      parseIncompleteMarkdown={growing}
      // Without it no fence counts as open, and code is coloured anew with every word.
      isAnimating={growing}
      components={COMPONENTS}
      controls={false}
    >
      {text}
    </Streamdown>
  );
}
