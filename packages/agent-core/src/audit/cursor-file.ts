/** Where the time is kept up to which an audit log holds everything. */
export function cursorFile(path: string): string {
  return `${path}.cursor`;
}
