import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkFile } from '../../../../src/search/chunker/chunker.ts';

/** The roles of the name `Gate` in a text. */
async function roleOf(path: string, source: string): Promise<string> {
  const chunks = await chunkFile(path, source);
  const all = (key: 'names' | 'types' | 'mentions'): string[] => chunks.flatMap((chunk) => chunk[key] ?? []);
  if (!all('names').includes('Gate')) return 'none';
  return all('types').includes('Gate') ? 'type' : all('mentions').includes('Gate') ? 'mention' : 'other';
}

const cases: readonly (readonly [role: string, path: string, source: string])[] = [
  ['type', 'a.rs', 'pub struct Gate {\n    width: u32,\n}\n'],
  ['type', 'a.rs', 'pub trait Gate {\n    fn open(&self);\n}\n'],
  ['type', 'a.rs', 'struct Gate;\n\nimpl Gate {\n    fn open(&self) {}\n}\n'],
  ['mention', 'a.rs', 'impl Gate for Door {\n    fn open(&self) {}\n}\n'],
  ['mention', 'a.rs', 'impl Display for Gate {\n    fn fmt(&self) {}\n}\n'],
  ['type', 'a.ts', 'export class Gate {\n  open() {}\n}\n'],
  ['type', 'a.ts', 'export interface Gate {\n  width: number;\n}\n'],
  ['type', 'a.ts', 'export type Gate = { width: number };\n'],
  ['other', 'a.ts', 'export function Gate() {\n  return 1;\n}\n'],
  ['mention', 'a.ts', 'class Door {\n  Gate = 1;\n}\n'],
  ['mention', 'a.js', "exports.Gate = require('./gate');\n"],
  ['mention', 'a.js', 'exports.Gate = core.Gate;\n'],
  ['other', 'a.js', 'exports.Gate = function () {\n  return 1;\n};\n'],
  ['mention', 'a.py', 'import core\n\nGate = core.Gate\n'],
  ['other', 'a.py', 'Gate = make_gate()\n'],
  ['type', 'a.py', 'class Gate:\n    pass\n'],
  ['type', 'a.swift', 'public final class Gate {\n}\n'],
  ['mention', 'a.swift', 'extension Gate {\n  func open() {}\n}\n'],
  ['type', 'a.cs', 'class Gate {\n  int width;\n}\n'],
  ['mention', 'a.cs', 'class Door {\n  private int Gate;\n}\n'],
  ['type', 'a.java', 'class Gate {\n  Gate() {}\n}\n'],
  ['type', 'a.go', 'package a\n\ntype Gate struct {\n\tWidth int\n}\n'],
  ['mention', 'a.go', 'package a\n\ntype Door struct {\n\tGate int\n}\n'],
  ['type', 'a.cpp', 'template <class T>\nstruct Gate {\n  int width;\n};\n'],
  ['mention', 'a.cpp', 'template <>\nstruct Gate<int> {\n  int width;\n};\n'],
  ['type', 'a.kt', 'class Gate(val width: Int)\n'],
  ['mention', 'a.kt', 'class Door(val Gate: Int)\n'],
  ['type', 'a.hs', 'data Gate = Open | Shut\n'],
  ['mention', 'a.hs', 'instance Show Gate where\n  show _ = "gate"\n'],
  ['type', 'b.hs', 'type Gate = Int\n'],
  ['other', 'a.lua', 'data = 1\nGate = function()\nend\n'],
  ['type', 'a.rb', 'class Gate\n  def open; end\nend\n'],
  ['type', 'a.php', '<?php\nclass Gate {\n}\n'],
  ['type', 'a.scala', 'trait Gate {\n  def open(): Unit\n}\n'],
];

for (const [role, path, source] of cases) {
  test(`the role of a name is told: ${role} in ${path}: ${source.split('\n').join(' ').trim().slice(0, 60)}`, async () => {
    assert.equal(await roleOf(path, source), role);
  });
}

test('a variable that is called like a keyword of another language is no type, and no mention', async () => {
  for (const name of ['data', 'object', 'instance', 'propertyTable']) {
    const [chunk] = await chunkFile('a.lua', `${name} = function()\nend\n`);
    assert.deepEqual([chunk?.names, chunk?.types, chunk?.mentions], [[name], [], []]);
  }
});
