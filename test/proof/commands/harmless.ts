/** What a setting of a careful operator may hold. */
export const ENTRIES: readonly string[] = `
git status
git diff
git log
git show
git blame
git ls-files
git branch --list
npm test
npm run build
pnpm typecheck
pnpm lint
cargo test
cargo check
go test
go vet
ls
cat
head
tail
wc
grep
rg
find
sort
tree
file
stat
date
diff
pytest
tsc
eslint
jest
mytool check
`
  .trim()
  .split("\n");

/** Commands that an operator who wrote the entries means. */
export const HARMLESS: readonly string[] = `
git status
git status --short
git status -sb
git status --branch --short
git status
'git' status
git diff
git diff HEAD
git diff --stat
git diff --name-only main
git diff --cached src
git diff -U3 -- src/a.ts
git diff main...HEAD
git log
git log --oneline
git log -5
git log -n 5 --stat
git log --since yesterday
git log --oneline --graph --all
git log -p src/a.ts
git log --author ada
git log --format=%H
git show HEAD
git show HEAD:src/a.ts
git show --stat abc123
git blame src/a.ts
git blame -L 1,20 src/a.ts
git ls-files
git ls-files src
git branch --list
git branch --list 'feature/x'
npm test
npm test --silent
npm test -- --silent
npm run build
npm run build --if-present
pnpm typecheck
pnpm lint
cargo test
cargo test --release
cargo test parser
cargo test --workspace --locked
cargo check
cargo check --all-targets
go test ./...
go test -v ./pkg
go test -short ./...
go vet ./...
ls
ls -la
ls -lah src
ls 'two words'
ls --all
ls -1 src/a src/b
cat README.md
cat -n src/a.ts
cat 'a b.txt' c.txt
head -n 20 file
head -20 file
tail -n 5 log.txt
tail -c 100 x
wc -l src/a.ts
wc
grep foo file
grep -rn foo src
grep -rn 'two words' src
grep -i -w -c foo file
grep "it's" file
grep --ignore-case foo file
grep -A3 -B3 foo file
grep -e foo -e bar file
grep --count foo file
rg foo
rg -n foo src
rg -i --files-with-matches foo
rg --files
rg -A 2 foo
rg -tjs foo
rg -g src foo
find . -name a.ts
find src -type f
find . -maxdepth 2 -type d
find . -name a -o -name b
find . -size +10k -print
sort file
sort -n file
sort -k2 -r file
sort -u file
tree
tree -L 2
tree -a src
file a.png
stat a.png
date
date +%F
date -u
diff a b
diff -u a b
diff -r a b
pytest
pytest -v
pytest -x tests/test_a.py
pytest -q -k parser
pytest tests
tsc
eslint src
jest
jest --verbose
jest src/a.test.ts
mytool check
mytool check -v
mytool check --verbose src
mytool check --all -q src/a
`
  .trim()
  .split("\n");
