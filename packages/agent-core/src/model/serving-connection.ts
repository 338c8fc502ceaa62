/**
 * Finds which connection serves a model value, and the model's name there (R13): `<x>:<model>` names a connection
 * only when `<x>` is the id of one, so `qwen3:8b` is a model; a bare name goes to the first `compat-gateway`. The name is
 * blank where the value names a connection alone. Undefined: none serves it.
 */
export function servingConnection<TConnection extends { readonly id: string; readonly type: string }>(
  connections: Iterable<TConnection>,
  value: string,
): { readonly connection: TConnection; readonly name: string } | undefined {
  const colon = value.indexOf(":");
  const prefix = colon > 0 ? value.slice(0, colon) : undefined;
  let gateway: TConnection | undefined;
  for (const connection of connections) {
    if (connection.id === prefix) return { connection, name: value.slice(colon + 1) };
    if (connection.type === "compat-gateway") gateway ??= connection;
  }
  return gateway && { connection: gateway, name: value };
}
