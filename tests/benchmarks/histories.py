"""Small histories with conventional subjects, as people write them, to score the offline writer on.

Each step holds the files that it writes whole (None: deletes). They were written from the subject to the change,
without looking at what the writer makes of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: its subject and the files it writes; None deletes."""

    subject: str
    files: Mapping[str, str | None]


_CACHE_1 = """\
import time


class Cache:
    def __init__(self, limit):
        self.limit = limit
        self.items = {}

    def get(self, key):
        value, expires = self.items[key]
        if expires < time.time():
            del self.items[key]
            return None
        return value

    def put(self, key, value, ttl):
        self.items[key] = (value, time.time() + ttl)
"""
_CACHE_2 = _CACHE_1.replace(
    "        value, expires = self.items[key]\n",
    "        if key not in self.items:\n            return None\n        value, expires = self.items[key]\n",
)
_CACHE_3 = (
    _CACHE_2
    + """\

    def evict(self):
        oldest = min(self.items, key=lambda key: self.items[key][1])
        del self.items[oldest]

    def clear(self):
        self.items = {}
"""
)
_CACHE_4 = _CACHE_3.replace("self.items", "self._entries")
_CACHE_5 = _CACHE_4.replace(
    "    def put(self, key, value, ttl):\n",
    '    def put(self, key, value, ttl):\n        """Keep a value for ttl seconds."""\n',
).replace("import time\n", '"""A cache whose entries expire."""\n\nimport time\n', 1)
_CACHE_6 = _CACHE_4.replace("time.time()", "time.monotonic()")
_CACHE_7 = _CACHE_6.replace("+ ttl)", "+  ttl)")
_CACHE_8 = _CACHE_6.replace("import time\n", "import time\n\nfrom tinycache.store.stats import Stats\n").replace(
    "        self._entries = {}\n\n    def get",
    "        self._entries = {}\n        self.stats = Stats()\n\n    def get",
)
_STATS = """\
class Stats:
    def __init__(self):
        self.hits = 0
        self.misses = 0
"""
_TEST_CACHE = """\
from tinycache import Cache


def test_put_and_get():
    cache = Cache(2)
    cache.put("a", 1, 10)
    assert cache.get("a") == 1
"""
_TEST_CACHE_2 = (
    _TEST_CACHE
    + """\


def test_missing_key():
    assert Cache(2).get("a") is None
"""
)
_PYPROJECT = """\
[project]
name = "tinycache"
version = "0.1.0"
dependencies = [
    "attrs>=23.1",
]
"""
_README = "# tinycache\n\nA small cache.\n"
_CI = """\
name: test
on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v3
      - run: pytest
"""

_TINYCACHE = (
    Step("chore: initial commit", {"README.md": _README, "pyproject.toml": _PYPROJECT, "tinycache/__init__.py": ""}),
    Step("feat: add a cache with expiring entries", {
        "tinycache/cache.py": _CACHE_1, "tinycache/__init__.py": "from tinycache.cache import Cache\n"}),
    Step("test: cover put and get", {"tests/test_cache.py": _TEST_CACHE}),
    Step("ci: run the tests on push", {".github/workflows/test.yml": _CI}),
    Step("fix: return None for missing keys", {"tinycache/cache.py": _CACHE_2, "tests/test_cache.py": _TEST_CACHE_2}),
    Step("docs: explain how to install", {"README.md": _README + "\n## Install\n\n    pip install tinycache\n"}),
    Step("feat: evict the oldest entry", {"tinycache/cache.py": _CACHE_3}),
    Step("refactor: make the entries private", {"tinycache/cache.py": _CACHE_4}),
    Step("docs: add docstrings", {"tinycache/cache.py": _CACHE_5}),
    Step("fix: use a monotonic clock", {"tinycache/cache.py": _CACHE_6}),
    Step("style: format the cache", {"tinycache/cache.py": _CACHE_7}),
    Step("build: require attrs 23.2", {"pyproject.toml": _PYPROJECT.replace("23.1", "23.2")}),
    Step("chore: ignore build products", {".gitignore": "dist/\n*.egg-info/\n"}),
    Step("ci: use checkout v4", {".github/workflows/test.yml": _CI.replace("checkout@v3", "checkout@v4")}),
    Step("refactor: move the cache into its own package", {
        "tinycache/cache.py": None, "tinycache/store/__init__.py": "", "tinycache/store/cache.py": _CACHE_6,
        "tinycache/__init__.py": "from tinycache.store.cache import Cache\n"}),
    Step("chore: release 0.2.0", {
        "pyproject.toml": _PYPROJECT.replace("23.1", "23.2").replace("0.1.0", "0.2.0"),
        "CHANGELOG.md": "# Changes\n\n## 0.2.0\n\n- evict the oldest entry\n"}),
    Step("feat: count hits and misses", {
        "tinycache/store/stats.py": _STATS,
        "tinycache/store/cache.py": _CACHE_8}),
    Step("test: check that old entries expire", {
        "tests/test_expiry.py": "from tinycache import Cache\n\n\ndef test_expired_entry():\n    cache = Cache(1)\n"
        "    cache.put('a', 1, -1)\n    assert cache.get('a') is None\n"}),
    Step("perf: cache the key order", {
        "tinycache/store/order.py": "def order(keys):\n    return sorted(keys)\n"}),
)  # fmt: skip

_SERVER_1 = """\
import express from "express";
import { findUser } from "./users";

const app = express();

app.get("/users/:id", async (request, response) => {
  const user = await findUser(request.params.id);
  response.json({ name: user.name });
});

export default app;
"""
_SERVER_2 = _SERVER_1.replace(
    "  response.json({ name: user.name });\n",
    "  if (!user) {\n    response.status(404).end();\n    return;\n  }\n  response.json({ name: user.name });\n",
)
_SERVER_3 = _SERVER_2.replace(
    "export default app;\n",
    'app.post("/users", async (request, response) => {\n  response.status(201).json(await createUser(request.body));\n'
    "});\n\nexport default app;\n",
).replace("{ findUser }", "{ createUser, findUser }")
_USERS_1 = """\
import { pool } from "./pool";

export async function findUser(id: string) {
  const result = await pool.query("select * from users where id = $1", [id]);
  return result.rows[0];
}
"""
_USERS_2 = (
    _USERS_1
    + """
export async function createUser(fields: { name: string }) {
  const result = await pool.query("insert into users (name) values ($1) returning *", [fields.name]);
  return result.rows[0];
}
"""
)
_USERS_3 = _USERS_2.replace("[fields.name]", "[fields.name.trim()]")
_USERS_4 = _USERS_3.replace(
    "export async function findUser(id: string) {\n  const result = await pool.query("
    '"select * from users where id = $1", [id]);\n  return result.rows[0];\n}\n',
    "async function queryOne(text: string, values: unknown[]) {\n  const result = await pool.query(text, values);\n"
    "  return result.rows[0];\n}\n\nexport async function findUser(id: string) {\n  return queryOne("
    '"select * from users where id = $1", [id]);\n}\n',
)
_PACKAGE = """\
{
  "name": "members",
  "version": "1.0.0",
  "scripts": {
    "test": "vitest"
  },
  "dependencies": {
    "express": "^4.18.2",
    "pg": "^8.11.0"
  }
}
"""

_MEMBERS = (
    Step("chore: set up the project", {
        "package.json": _PACKAGE, ".gitignore": "node_modules\n", "README.md": "# members\n"}),
    Step("feat: look users up by id", {
        "src/server.ts": _SERVER_1, "src/users.ts": _USERS_1,
        "src/pool.ts": 'import pg from "pg";\n\nexport const pool = new pg.Pool();\n'}),
    Step("fix: answer 404 for unknown users", {"src/server.ts": _SERVER_2}),
    Step("feat: create users", {"src/server.ts": _SERVER_3, "src/users.ts": _USERS_2}),
    Step("fix: trim names before they are stored", {"src/users.ts": _USERS_3}),
    Step("refactor: run queries in one place", {"src/users.ts": _USERS_4}),
    Step("test: look up an unknown user", {
        "src/server.test.ts": 'import { expect, test } from "vitest";\nimport app from "./server";\n\n'
        'test("unknown users", async () => {\n  expect(app).toBeDefined();\n});\n'}),
    Step("build: bump express to 4.19.2", {"package.json": _PACKAGE.replace("4.18.2", "4.19.2")}),
    Step("build: lock dependencies", {"package-lock.json": '{\n  "name": "members",\n  "lockfileVersion": 3\n}\n'}),
    Step("chore: configure prettier", {".prettierrc": '{ "semi": true }\n'}),
    Step("build: add a Dockerfile", {"Dockerfile": "FROM node:20\nCOPY . .\nCMD npm start\n"}),
    Step("docs: describe the endpoints", {"README.md": "# members\n\n- GET /users/:id\n- POST /users\n"}),
    Step("refactor: rename pool to database", {
        "src/pool.ts": None, "src/database.ts": 'import pg from "pg";\n\nexport const pool = new pg.Pool();\n',
        "src/users.ts": _USERS_4.replace("./pool", "./database")}),
    Step("feat: list users", {
        "src/users.ts": _USERS_4.replace("./pool", "./database")
        + "\nexport async function listUsers() {\n  return (await pool.query('select * from users')).rows;\n}\n"}),
    Step("fix: close the pool on exit", {
        "src/database.ts": 'import pg from "pg";\n\nexport const pool = new pg.Pool();\n\n'
        'process.on("SIGTERM", () => pool.end());\n'}),
    Step("style: use single quotes", {
        "src/database.ts": "import pg from 'pg';\n\nexport const pool = new pg.Pool();\n\n"
        "process.on('SIGTERM', () => pool.end());\n"}),
)  # fmt: skip

_MAIN_1 = """\
package main

import (
	"fmt"
	"os"
)

func main() {
	data, _ := os.ReadFile(os.Args[1])
	fmt.Println(count(string(data)))
}
"""
_COUNT_1 = """\
package main

import "strings"

// count returns the number of words.
func count(text string) int {
	return len(strings.Split(text, " "))
}
"""
_MAIN_2 = _MAIN_1.replace(
    "\tdata, _ := os.ReadFile(os.Args[1])\n",
    "\tdata, err := os.ReadFile(os.Args[1])\n\tif err != nil {\n"
    "\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n",
)
_COUNT_2 = _COUNT_1.replace('strings.Split(text, " ")', "strings.Fields(text)")
_COUNT_3 = (
    _COUNT_2
    + """
// lines returns the number of lines.
func lines(text string) int {
	return strings.Count(text, "\\n")
}
"""
)
_COUNT_4 = _COUNT_3.replace("func count(", "func words(").replace("// count returns", "// words returns")

_WORDCOUNT = (
    Step("chore: begin", {"go.mod": "module example.com/wc\n\ngo 1.21\n"}),
    Step("feat: count words", {"main.go": _MAIN_1, "count.go": _COUNT_1}),
    Step("fix: report files that cannot be read", {"main.go": _MAIN_2}),
    Step("fix: split at any white space", {"count.go": _COUNT_2}),
    Step("feat: count lines", {"count.go": _COUNT_3, "main.go": _MAIN_2.replace(
        "\tfmt.Println(count(string(data)))\n", "\tfmt.Println(count(string(data)), lines(string(data)))\n")}),
    Step("refactor: rename count to words", {"count.go": _COUNT_4, "main.go": _MAIN_2.replace(
        "\tfmt.Println(count(string(data)))\n", "\tfmt.Println(words(string(data)), lines(string(data)))\n")}),
    Step("test: add a table of texts", {
        "count_test.go": 'package main\n\nimport "testing"\n\n'
        'func TestWords(t *testing.T) {\n\tif words("a b") != 2 {\n'
        '\t\tt.Fatal("a b")\n\t}\n}\n'}),
    Step("docs: add a readme", {"README.md": "# wc\n\nCounts words.\n"}),
    Step("build: add a Makefile", {"Makefile": "all:\n\tgo build\n"}),
    Step("ci: lint", {".github/workflows/lint.yml": "name: lint\non: push\n"}),
    Step("chore: add an editorconfig", {".editorconfig": "root = true\n"}),
    Step("refactor: drop the unused line counter", {"count.go": _COUNT_2.replace("func count(", "func words(").replace(
        "// count returns", "// words returns"), "main.go": _MAIN_2.replace("count(", "words(")}),
)  # fmt: skip

HISTORIES: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {"tinycache": _TINYCACHE, "members": _MEMBERS, "wordcount": _WORDCOUNT}
)
