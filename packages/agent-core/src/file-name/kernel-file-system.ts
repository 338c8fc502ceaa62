/**
 * Types of file systems whose files are the kernel's (proc, sysfs, devpts, debugfs, tracefs, cgroup, cgroup2, bpf,
 * securityfs): they tell secrets of processes, and reading them can have effects.
 */
const TYPES: ReadonlySet<number> = new Set([
  ...[0x9fa0, 0x62656572, 0x1cd1, 0x64626720, 0x74726163, 0x27e0eb, 0x63677270, 0xcafe4a11, 0x73636673],
]);

export function isKernelFileSystem(type: number): boolean {
  return TYPES.has(type);
}
