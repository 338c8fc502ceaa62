/** Environment variables by name. */
export type Variables = { readonly [name: string]: string | undefined };

/** An environment with a manager's values in it. */
export interface HydratedEnvironment {
  readonly variables: Variables;
  /** Names the manager owns now, sorted. */
  readonly applied: readonly string[];
  /** Names it has too, but a variable of the process's own counts; sorted. */
  readonly shadowed: readonly string[];
}

/**
 * The instance's identity and login come from its environment only (B71): fetched values never replace `SVC_*` or the
 * machine identity.
 */
function isProtected(name: string): boolean {
  return /^SVC_/i.test(name) || /^SECRETS_MANAGER_/i.test(name);
}

/**
 * Puts fetched values under the process's own variables, or over them with `overrideEnv`. A blank variable counts as
 * unset, a blank value as none. Names that no environment can hold are left out.
 */
export function hydrate(
  own: Variables,
  fetched: ReadonlyMap<string, string>,
  { overrideEnv }: { readonly overrideEnv: boolean },
): HydratedEnvironment {
  const applied: [string, string][] = [];
  const shadowed: string[] = [];
  for (const [name, value] of fetched) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || isProtected(name) || value.trim() === "") continue;
    const mine = Object.hasOwn(own, name) ? own[name] : undefined;
    if (!overrideEnv && mine !== undefined && mine.trim() !== "") shadowed.push(name);
    else applied.push([name, value]);
  }
  return {
    variables: { ...own, ...Object.fromEntries(applied) },
    applied: applied.map(([name]) => name).sort(),
    shadowed: shadowed.sort(),
  };
}
