/** Scripts that try to get out of the sandbox of a command that no person approved, by what each is after. */

/** What an escape may name, all real and absolute. */
export interface World {
  readonly project: string;
  readonly readOnlyProject: string;
  readonly outside: string;
  readonly home: string;
  readonly serviceHome: string;
  readonly port: number;
  readonly socket: string;
  /** A process of this user outside of the sandbox. */
  readonly pid: number;
}

export interface Escape {
  readonly kind: "write" | "read" | "network" | "repository" | "outlive" | "process";
  readonly script: string;
}

const many = (kind: Escape["kind"], scripts: readonly string[]): readonly Escape[] =>
  scripts.map((script) => ({ kind, script }));

/** All of them. Each is run by `/bin/sh` in the project. */
export function escapes({
  project,
  readOnlyProject,
  outside,
  home,
  serviceHome,
  port,
  socket,
  pid,
}: World): readonly Escape[] {
  return [
    ...movedAway(project, outside),
    ...many("write", [
      `echo x > ${outside}/canary`,
      `echo x > ../outside/canary`,
      `ln -s ${outside} way; echo x > way/canary`,
      `ln ${outside}/canary hard; echo x > hard`,
      `echo x > /proc/self/root${outside}/canary`,
      `echo x > /proc/1/root${outside}/canary`,
      `mv ${outside}/canary ${outside}/gone`,
      `rm -rf ${outside}`,
      `chmod 777 ${outside}/canary; chown 1 ${outside}/canary`,
      `mount -o remount,rw / && echo x > ${outside}/canary`,
      `unshare -Urm sh -c 'mount -o remount,rw,bind ${outside}; echo x > ${outside}/canary'`,
      `umount ${project}; echo x > ${outside}/canary`,
      `echo x > ${readOnlyProject}/canary`,
      `echo x > ${serviceHome}/canary`,
      `for f in /proc/self/fd/* /proc/*/cwd /proc/*/root; do echo x > $f${outside}/canary; echo x > $f/../outside/canary; done`,
      `ln -s ${outside} vendor/way; echo x | tee vendor/way/canary; cp .git/config vendor/way/canary`,
      `mknod disk b 8 0 && echo x > disk; mkdir -p m; mount -t tmpfs none m; mount --bind ${outside} m && echo x > m/canary`,
      `cd ..; for i in 1 2 3; do mv app app2; mkdir app; ln -sfn ${outside} app; done; echo x > app/canary`,
    ]),
    ...many("read", [
      `cat ${home}/.ssh/id_ed25519`,
      `cat ${home}/.netrc`,
      `cat ${home}/.aws/credentials`,
      `cat ${serviceHome}/secrets.yaml`,
      `ls -a ${serviceHome}; find ${serviceHome} -type f -exec cat {} +`,
      `cat /proc/1/root${home}/.ssh/id_ed25519`,
      `unshare -Urm sh -c 'umount -l ${home}/.ssh; cat ${home}/.ssh/id_ed25519'`,
      `umount -l ${serviceHome}; cat ${serviceHome}/secrets.yaml`,
      `ln -s ${home}/.netrc n; cat n`,
      `for f in /proc/self/fd/* /proc/*/cwd /proc/*/root; do cat $f/../service/secrets.yaml $f/../home/.netrc $f${home}/.netrc; done`,
      `ln -s ${serviceHome} s; cat s/secrets.yaml; tar c -h s | cat; cp -r ${home} copy; cat copy/.netrc copy/.ssh/*`,
      `cat /proc/${pid}/environ; cat /proc/*/environ | tr '\\0' '\\n'`,
    ]),
    ...many("network", [
      `curl -m 2 http://127.0.0.1:${port}/`,
      `curl -m 2 http://localhost:${port}/`,
      `/bin/bash -c 'echo x > /dev/tcp/127.0.0.1/${port}'`,
      `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", () => {})'`,
      `node -e 'require("net").connect(${JSON.stringify(socket)}).on("error", () => {})'`,
      `unshare -Urn sh -c 'ip link set lo up; curl -m 2 http://127.0.0.1:${port}/'`,
      `nsenter -t 1 -n curl -m 2 http://127.0.0.1:${port}/`,
    ]),
    ...many("repository", [
      "echo '#!/bin/sh' > .git/hooks/pre-commit",
      "echo '[alias]' >> .git/config",
      "mv .git .git2; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
      "rm -rf .git; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit",
      "rm -rf .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit",
      "git config core.fsmonitor /tmp/x; git config core.hooksPath /tmp",
      "echo x > vendor/lib/.git/hooks/post-checkout; echo x >> vendor/lib/.git/config",
      "mv vendor/lib/.git vendor/lib/old; mkdir -p vendor/lib/.git/hooks; echo x > vendor/lib/.git/hooks/post-checkout",
      "echo 'gitdir: /tmp' > sub/.git; rm sub/.git",
      "echo x > .husky/pre-commit; rm -rf .husky",
      "echo x > .git/modules/m/config",
      "mkdir -p evil/objects evil/refs; echo x > evil/config; echo ../evil > .git/commondir",
      "mkdir -p evil/objects evil/refs; echo x > evil/config; ln -s ../evil .git/commondir",
      "cd vendor/lib/.git; mkdir -p e/objects e/refs e/hooks; echo e > commondir; echo x > e/config",
    ]),
    ...many("outlive", [
      "sleep 1000 > /dev/null 2>&1 &",
      "setsid sleep 1000 > /dev/null 2>&1 &",
      "nohup setsid sh -c 'trap \"\" TERM HUP; while :; do sleep 1; done' > /dev/null 2>&1 &",
      "(setsid env -i sleep 1000 > /dev/null 2>&1 &) &",
    ]),
    ...many("process", [`kill -9 ${pid}`, `kill -9 -1`, `nsenter -t ${pid} -p -m kill -9 ${pid}`]),
  ];
}

/** What moves a folder away that holds another project, a masked place or a repository, and makes another in its place. */
function movedAway(project: string, outside: string): readonly Escape[] {
  return [
    ...many("write", [
      `mv ${project} ${project}2; mkdir ${project}`,
      `mv nested/inner away; ln -s ${outside} nested/inner`,
      `mv nested old; mkdir nested; ln -s ${outside} nested/inner; echo x > nested/inner/canary`,
      `rm -rf nested; ln -s ${outside} nested`,
      `mv kept old; mkdir -p kept/reading; echo x > kept/reading/canary`,
      `mv deep/down old; mv deep shallow; mkdir -p deep/down/service; echo x > deep/down/service/canary`,
    ]),
    ...many("repository", [
      "mv vendor old; mkdir -p vendor/lib/.git/hooks; echo x > vendor/lib/.git/hooks/post-checkout",
      "mv vendor/lib old; mkdir -p vendor/lib/.git/hooks; echo x > vendor/lib/.git/config",
    ]),
  ];
}
