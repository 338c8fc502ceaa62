/** Commands that must not run unseen, whatever resembles them is allowed (F10). */

/** Entries that say too little, each with a command that it would let run. */
export const BROAD: readonly (readonly [string, string])[] = `
sh, sh script
sh -c, sh -c id
bash, bash -c id
/bin/sh -c, /bin/sh -c id
env, env id
sudo, sudo id
sudo -n, sudo -n id
xargs, xargs id
nice, nice id
timeout 5, timeout 5 id
time, time id
npx, npx evil
npx vitest, npx vitest evil
npm run, npm run evil
npm exec, npm exec evil
npm, npm exec evil
pnpm dlx, pnpm dlx evil
yarn, yarn dlx evil
git, git config alias.x id
git config, git config alias.x id
git -c core.pager=id, git -c core.pager=id log
git submodule, git submodule foreach id
git bisect, git bisect run id
git difftool, git difftool -x id
python, python -c 1
python3 -c, python3 -c 1
node, node -e 1
node --eval, node --eval 1
perl -e, perl -e 1
ruby, ruby -e 1
make, make SHELL=id
make test, make test deploy
docker, docker run evil
docker run, docker run evil
kubectl exec, kubectl exec pod -- id
ssh, ssh host id
curl, curl -o x example.com
find -exec, find -exec id
sed, sed -n 1e file
awk, awk -f x
vim, vim -c x
tee, tee x
dd, dd of=x
busybox, busybox sh
./check.sh, ./check.sh
bin/check, bin/check
cargo run, cargo run
go run, go run .
go generate, go generate
gh api, gh api -X DELETE x
git branch, git branch -D main
git branch -v, git branch -v new
git tag, git tag new
git remote, git remote add x /tmp/x
git remote -v, git remote -v update
git stash, git stash drop
git reflog, git reflog expire --expire=now
git symbolic-ref, git symbolic-ref HEAD refs/heads/x
git ls-remote, git ls-remote ssh://host/x
git help, git help --web log
tar, tar xf x.tar
unzip, unzip x.zip
gzip, gzip x
touch, touch x
mkdir, mkdir x
patch, patch x
xxd, xxd a b
strip, strip x
gcc, gcc -wrapper id x.c
ld, ld x
m4, m4 x
dc, dc x
sqlite3, sqlite3 x .shell
psql, psql x
tmux, tmux new id
screen, screen id
mksh, mksh x
nu, nu x
julia, julia x
octave, octave x
gnuplot, gnuplot x
gs, gs x
pdflatex, pdflatex --shell-escape x
pandoc, pandoc --filter x
convert, convert a b
code, code --wait x
rlwrap, rlwrap id
prlimit, prlimit id
setarch, setarch id
fakeroot, fakeroot id
direnv, direnv exec . id
mise, mise exec -- id
bazel run, bazel run target2
bazel, bazel run x
swift, swift run x
swift run, swift run other
zig run, zig run x
terraform, terraform apply
ansible, ansible all -a id
openssl, openssl enc -out x
aws, aws s3 rm x
hostname, hostname new
rails runner, rails runner x
django-admin shell, django-admin shell
pre-commit run, pre-commit run x
`
  .trim()
  .split("\n")
  .map((line) => line.split(", ") as [string, string]);

const SIGNS = [..."; & | $ ( ) < > * ? [ ] { } ~ # ! ` \\".split(" "), "\n", "\r", "\t", "\u0000", "\u0007", "\u001b"];
const UNSEEN = [
  "\u00a0",
  "\u2003",
  "\u3000",
  "\u200b",
  "\u200d",
  "\u202e",
  "\u2066",
  "\ufeff",
  "\u2028",
  "\u00ad",
  "\u{e0041}",
];

/** By program, what it can be given that writes a file or runs a program. */
const OPTIONS: readonly (readonly [string, readonly string[]])[] = `
git branch --list: -D main, -d main, -M x, -m x, -f x, -qD main
git diff: --output=x, --output x, --outpu=x, --ext-diff, --ext, --textconv, -Ox, -ox, -O x
git log: --output=x, --outp x, --show-signature, --show-sig, --ext-diff, -c, -C
git show: --output=x, --textconv, --ext-d
git ls-files: --exec-path=x, --git-dir=x, --work-tree=x, -C /
npm test: --script-shell=x, --script-shell x, --script-s=x, --prefix /x, --git=x, --editor=x, --userconfig=x, --globalconfig x, --node-options=x, --shell x, -C x, --cache=x, --viewer=x, --init-module=x, --logs-dir=x, FOO=x
npm run build: --script-shell=x, --ignore-scripts=false, --prefix=x, -w x
pnpm typecheck: --dir x, --config.script-shell=x, -C x, --shell-emulator
cargo test: --config x, --config=x, --conf x, --target-dir x, --manifest-path=x, -Zx, -C x, --profile x
go test: -exec x, -exec=x, -toolexec=x, -o x, -ox, -overlay x, -cpuprofile=x, -coverprofile x, -vettool=x, -modfile=x, --exec=x, -outputdir=x, -c
go vet: -vettool=x, -toolexec x
rg: --pre x, --pre=x, --hostname-bin=x, -z, --search-zip, -nz
find .: -exec id, -execdir id, -ok id, -okdir id, -delete, -fprint x, -fprint0 x, -fprintf x, -fls x, -files0-from x
sort: -o x, -ox, -no x, -nox, --output=x, --out x, --o=x, -T x, -Tx, --compress-program=x, --comp x, --temporary-directory=x
tree: -o x, -ox, -R
file: -C, -zC, -z
date: 010100002020, -u 010100002020, -s x, --set=x, --se x
diff: -l a b, --paginate a b, --to-file=x
pytest: -p x, -px, -c x, -o x=y, --basetemp=x, --junitxml=x, --junit-xml x, --rootdir x, --pdbcls=x, --log-file x, --pastebin=all, --cov-report html:x
tsc: --declaration, --incremental, --composite, --outDir x, --outdir x, --OUTDIR x, --outFile=x, -p x, --project x, --build, --init, --generateTrace x, --tsBuildInfoFile x, --generateCpuProfile x
eslint: --suppress-all, --suppress-rule x, --prune-suppressions, --fix, --fix-dry-run, -o x, --output-file=x, -c x, --config x, --rulesdir x, --parser x, --plugin x, -f x, --format x, --cache, --init, --resolve-plugins-relative-to x
jest: --coverage, --ci=false --updateSnapshot, --clearCache, --config x, -c x, --outputFile=x, --globalSetup x, --setupFiles x, --runner x, --testRunner=x, --reporters x, --transform x, -u, --updateSnapshot, --coverageDirectory x, --rootDir x, --cacheDirectory x, --coverage.outputFile=x
mytool check: -a, --autocorrect, --auto-correct, --apply, --apply-unsafe, --suppress, --add-noqa, --createstub x, --writebaseline, --create-baseline, --generate-baseline, --alter, --vacuum-time=1s, --rotate, --bootstrap x, --prepend x, --extends x, --diag x, --logger x, --collect x, --bisect, --exec x, --command=x, --eval x, -c x, -e x, -o x, -i, -fx, -vo x, -rx, --save, --write, --in-place, --log-file=x, --plugin x, --require x, --import x, --hook x, --pager=x, --editor x, --cwd x, --shell=x, --run x, --script x, --profile x, --dump x, @args, +x, A=x, --a.output=x, --Output x, --out_file x, -outfile x
`
  .trim()
  .split("\n")
  .map((line) => {
    const [base = "", given = ""] = line.split(": ");
    return [base, given.split(", ")];
  });

/** Commands none of which may run unseen. */
export function hostileCommands(): readonly string[] {
  const signs = [...SIGNS, ...UNSEEN].flatMap((sign) => [
    ...[`git status${sign}id`, `grep 'a${sign}b' file`, `${sign}ls`, `cat file ${sign} id`],
    ...[`git status "${sign}"`],
  ]);
  const options = OPTIONS.flatMap(([base, given]) => given.map((option) => `${base} ${option}`));
  const others = [
    ...[
      "git",
      "git stat",
      "git statusx",
      "gitstatus",
      "git 'status",
      'git "status',
      "status git",
      "Git status",
      "GIT STATUS",
    ],
    ...[
      "A=1 git status",
      "./git status",
      "/tmp/git status",
      "../git status",
      "git  -C .. status",
      "git --no-pager status",
    ],
    ...["npm", "npm t", "npm tes", "npm run", "npm run build2", "npm runbuild", "npm install", "npm 'run build'"],
    ...["cargo", "go", "go tests", "cargo tester", "mytool", "mytool checks", "mytool  chec k", "'mytool check'"],
    ...[
      "g\u0456t status",
      "git st\u0430tus",
      "ｇit status",
      "l\u0455",
      "cat\u2215etc",
      "",
      " ",
      "''",
      '""',
      "lscat",
      "l s",
    ],
    ...[`cat ${"x".repeat(5_000)}`, `${" ".repeat(5_000)}ls`],
  ];
  return [...signs, ...options, ...others];
}
