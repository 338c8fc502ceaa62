import { createElement, memo, type ReactElement, type ReactNode, useMemo } from "react";
import temml from "temml";
import { ScrollRegion } from "../../ui/index.ts";
import "./maths.css";

/** A node of Temml's tree: an element of MathML, a fragment without a name, or text. */
interface MathNode {
  readonly type?: string;
  readonly text?: string;
  readonly attributes?: { readonly [name: string]: unknown };
  readonly children?: readonly MathNode[];
  readonly classes?: readonly string[];
  readonly style?: { readonly [name: string]: string };
}

/** Elements of MathML that present a formula; links and anything else are shown as their content. */
const ELEMENTS: ReadonlySet<string> = new Set(
  "math merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics".split(
    " ",
  ),
);
/** Longer ones are shown as their source. */
const MAX_CHARS = 5_000;

function DrawnFormula({ tex, display }: { readonly tex: string; readonly display: boolean }): ReactElement {
  const drawn = useMemo(() => mathOf(tex, display), [tex, display]);
  if (drawn === undefined) return <code>{tex}</code>;
  if (!display) return <span title={tex}>{drawn}</span>;
  return (
    <ScrollRegion label="Formula" className="formula overflow-x-auto py-1" title={tex}>
      {drawn}
    </ScrollRegion>
  );
}

export default memo(DrawnFormula);

/** The formula as elements, built one by one, so that no markup of a model is parsed; undefined: it cannot be read. */
function mathOf(tex: string, display: boolean): ReactNode {
  if (tex.length > MAX_CHARS) return undefined;
  try {
    const options = { displayMode: display, throwOnError: true, trust: false, maxExpand: 1_000 };
    return elementOf(temml.__renderToMathMLTree(tex, options) as MathNode, 0);
  } catch {
    return undefined;
  }
}

function elementOf(node: MathNode, key: number): ReactNode {
  if (node.text !== undefined) return node.text;
  const children = (node.children ?? []).map(elementOf);
  if (node.type === undefined || !ELEMENTS.has(node.type)) return children;
  const attributes = Object.entries(node.attributes ?? {}).filter(([name]) =>
    /^(?!on|href|xlink|src|style)[a-z-]+$/i.test(name),
  );
  const props = {
    ...Object.fromEntries(attributes),
    className: node.classes?.join(" ") || undefined,
    style: node.style,
    key,
  };
  return createElement(node.type, props, ...children);
}
