import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askedShare, fileKind } from '../../../../src/search/query/fileKind.ts';
import { readTerms } from '../../../../src/search/query/queryTerms.ts';

test('files that stand beside the code are told by their paths', () => {
  const wanted = {
    code: 'src/latest/router.ts src/contest.go lib/AbstractCookieSpec.java doc/man_docs.go src/luarocks/build/builtin.lua',
    test: 'test/a.ts src/__tests__/a.ts pkg/tree_test.go tests/conftest.py src/FooTest.kt FooTests.cs a.spec.js spec/a_spec.rb src/RouterSpec.scala core/src/androidTest/A.kt testing/a.c Json.Tests/A.cs',
    example: '_examples/main.go samples/a.cs docs/conf.py',
    old: 'vendor/a.go src/compat/a.c single_include/json.hpp',
    declaration: 'index.d.ts a.pyi',
    output: 'dist/index.js api/core.klib.api app.min.js',
    build: 'package.json Makefile.in appveyor.yml pom.gradle CMakeLists.txt .eslintrc go.sum',
    prose: 'README.md docs.rst LICENSE CHANGELOG man.1',
  };
  for (const [kind, paths] of Object.entries(wanted))
    for (const path of paths.split(' ')) assert.equal(fileKind(path), kind, path);
});

test('a question asks for a kind with its first word; another word may be about the code', () => {
  const share = (question: string) => askedShare('test', readTerms(question));
  assert.deepEqual(['tests of the parser', 'run tests in parallel', 'parse a header'].map(share), [1, 0.5, 0]);
});
