/** The spellings of a feature's name: in folders and commands, tables and settings, code, types, and texts. */
export interface FeatureNames {
  readonly kebab: string;
  readonly snake: string;
  readonly camel: string;
  readonly pascal: string;
  /** With a capital letter at its start and spaces: what a person reads. */
  readonly words: string;
}

/** Derives the spellings from the name of the feature's folder. @throws Error for a name that is not kebab case */
export function featureNames(name: string): FeatureNames {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(
      `a feature is named in lower case with hyphens, such as "reading-list", not ${JSON.stringify(name)}`,
    );
  }
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...rest] = name.split("-");
  return {
    kebab: name,
    snake: name.replaceAll("-", "_"),
    camel: first + rest.map(capital).join(""),
    pascal: [first, ...rest].map(capital).join(""),
    words: capital([first, ...rest].join(" ")),
  };
}

/** The name that the templates are written with. */
const TEMPLATE = featureNames("example-note");

/** Replaces the templates' name by a feature's in every spelling. */
export function withNames(text: string, names: FeatureNames): string {
  return (Object.keys(names) as (keyof FeatureNames)[]).reduce(
    (changed, spelling) => changed.replaceAll(TEMPLATE[spelling], names[spelling]),
    text,
  );
}
