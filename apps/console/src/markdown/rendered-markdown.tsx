import { type ComponentProps, type ReactElement, useMemo } from "react";
import remarkMath from "remark-math";
import { Streamdown, useIsCodeFenceIncomplete } from "streamdown";
import { CodeBlock } from "./code/code-block.tsx";
import { type CodeNode, codeIn } from "./code/code-in.ts";
import { Diagram } from "./frames/diagram.tsx";
import { Formula } from "./maths/formula.tsx";
import { withDoubleDollars } from "./maths/maths-in.ts";
import { DataTable } from "./table/data-table.tsx";
import "./markdown.css";

type Components = NonNullable<ComponentProps<typeof Streamdown>["components"]>;

function Fence({ node }: { readonly node?: CodeNode | undefined }): ReactElement {
  const growing = useIsCodeFenceIncomplete();
  const { code, language } = codeIn(node);
  if (language === "math") return <Formula tex={code} display />;
  if (language === "mermaid") return <Diagram code={code} growing={growing} />;
  return <CodeBlock code={code} language={language} growing={growing} />;
}

/** Code in a line of text, or a formula, which the parser marks as code. */
function InlineCode({ className, children }: ComponentProps<"code">): ReactElement {
  if (className?.includes("language-math") === true && typeof children === "string") return <Formula tex={children} />;
  return <code>{children}</code>;
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

/** An image from another server would reveal the reader's address to it: it is shown as a link. */
function Image({ src, alt }: ComponentProps<"img">): ReactElement {
  const name = alt === undefined || alt === "" ? "image" : alt;
  if (typeof src !== "string") return <span>{name}</span>;
  if (/^data:image\/(png|jpeg|gif|webp);/i.test(src)) return <img src={src} alt={name} />;
  return <Anchor href={src}>{name}</Anchor>;
}

/** A heading of an answer, always below the page's own levels. */
function headingOf(level: number) {
  return function Heading({ children }: ComponentProps<"h3">): ReactElement {
    return <h3 data-level={level}>{children}</h3>;
  };
}

// Streamdown's index signature for made-up tags is narrower than its own types of the known ones.
const COMPONENTS = {
  ...{ h1: headingOf(1), h2: headingOf(2), h3: headingOf(3), h4: headingOf(4), h5: headingOf(5), h6: headingOf(6) },
  ...{ p: "p", ul: "ul", ol: "ol", li: "li", blockquote: "blockquote", hr: "hr", strong: "strong" },
  ...{ thead: "thead", tbody: "tbody", tr: "tr", th: "th", td: "td", sup: "sup", sub: "sub", section: "section" },
  code: InlineCode,
  a: Anchor,
  img: Image,
  table: DataTable,
  pre: Fence,
} as Components;

/** Formulas are marked by the parser; `Formula` draws them, so nothing is left for a second plugin. */
const PLUGINS = {
  math: {
    ...{ name: "katex", type: "math" },
    remarkPlugin: [remarkMath, { singleDollarTextMath: false }],
    rehypePlugin: () => undefined,
  },
} as NonNullable<ComponentProps<typeof Streamdown>["plugins"]>;

/** Renders markdown. Raw HTML is sanitised, scripts never run, nothing is loaded from other servers. */
export default function RenderedMarkdown({
  text,
  growing,
}: {
  readonly text: string;
  readonly growing: boolean;
}): ReactElement {
  const source = useMemo(() => withDoubleDollars(text), [text]);
  return (
    <Streamdown
      className={growing ? "markdown markdown-growing" : "markdown"}
      // Also for complete text: changing the mode at the end would render every block again.
      mode="streaming"
      parseIncompleteMarkdown={growing}
      // Without it no fence counts as open, and code is highlighted again with every token.
      isAnimating={growing}
      components={COMPONENTS}
      controls={false}
      plugins={PLUGINS}
    >
      {source}
    </Streamdown>
  );
}
