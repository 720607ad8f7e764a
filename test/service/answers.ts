import {
  type CodeBlock,
  comment,
  docComment,
  fence,
  findCodeBlocks,
  findDefinitions,
  insertAbove,
  spell,
  spellLanguage,
  takeBlock,
  withoutCodeBlocks,
} from './code.ts';
import { writeCommitMessage } from './daily/commitMessage.ts';
import { answerDaily } from './daily/dailyAnswers.ts';
import { reviewDiff } from './daily/review.ts';
import { isObject, type Json } from './fields.ts';

/** Answers by rule: the same question always gets the same answer. The rules are listed in README.md. */
export function composeAnswer(request: Json): string {
  const messages = (request.messages as unknown[]).filter(isObject);
  const last = messages.at(-1);
  if (last?.role === 'tool' || last?.role === 'function') return `The tool answered: ${String(last.content)}`;
  const question = lastUserText(messages);
  const text = isJsonWanted(request)
    ? composeJson(question)
    : (composeExact(question) ?? composeProse(messages, question));
  return text;
}

export function lastUserText(messages: Json[]): string {
  const message = messages.findLast(({ role }) => role === 'user');
  const content = message?.content;
  if (Array.isArray(content)) return content.map((part) => (isObject(part) ? String(part.text ?? '') : '')).join('\n');
  return typeof content === 'string' ? content : '';
}

/** `say: …` and `count to N`: answers that a test can know beforehand. */
function composeExact(question: string): string | undefined {
  const said = /^say: ?([\s\S]*)$/m.exec(question)?.[1];
  if (said !== undefined) return said;
  const count = /\bcount to (\d{1,6})\b/i.exec(question)?.[1];
  if (count === undefined) return undefined;
  return Array.from({ length: Number(count) }, (_, i) => `word${i + 1}`).join(' ');
}

function isJsonWanted(request: Json): boolean {
  return isObject(request.response_format) && request.response_format.type === 'json_object';
}

function composeJson(question: string): string {
  const said = composeExact(question);
  if (said !== undefined && isJson(said)) return said;
  return JSON.stringify({ question: withoutCodeBlocks(question), answer: said ?? 'An answer as JSON.' });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function composeProse(messages: Json[], question: string): string {
  const system = messages.map(({ role, content }) => (role === 'system' ? String(content) : '')).join('\n');
  const block = findCodeBlocks(question).at(-1);
  if (/one object for each finding/i.test(system)) return reviewDiff(question);
  if (block && /message of a git commit/.test(system)) return writeCommitMessage(block.code);
  if (/have no sure place/.test(system)) return placeAgain(question);
  if (block && /return only the edited code/i.test(system)) {
    return fence({ ...block, code: editedFile(block, question).code });
  }
  if (block && /SEARCH\/REPLACE blocks/.test(system)) {
    const { path, code } = editedFile(block, question);
    return `${path}\n<<<<<<< SEARCH\n${block.code}\n=======\n${code}\n>>>>>>> REPLACE`;
  }
  const asked = messages.filter(({ role }) => role === 'user').map((message) => lastUserText([message]));
  const daily = answerDaily(asked);
  if (daily !== undefined) return daily;
  const earlier = messages.findLast(
    ({ role, content }) => role === 'user' && findCodeBlocks(String(content)).length > 0,
  );
  const shown = block ?? findCodeBlocks(String(earlier?.content ?? '')).at(-1);
  return shown ? discussCode(shown, withoutCodeBlocks(question)) : answerWithoutCode(question);
}

/** The file of a question about an edit, and its last block of code as it is to be. */
function editedFile(block: CodeBlock, question: string): { path: string; code: string } {
  const [, instruction = ''] = /^Instruction:\s*(.*)$/m.exec(question) ?? [];
  const [, path = ''] = /^File: (.*)$/m.exec(question) ?? [];
  return { path, code: editCode(block, instruction) };
}

/** The arguments of the call that answers a question about an edit; undefined for another question. */
export function editArguments(question: string): string | undefined {
  const block = findCodeBlocks(question).at(-1);
  if (block === undefined || !/^Instruction:/m.test(question)) return undefined;
  const { path, code } = editedFile(block, question);
  return JSON.stringify({ path, old_text: block.code, new_text: code });
}

/** The rule for changes that are asked for again: each in the place of the line that has most words in common with what it replaces. */
function placeAgain(question: string): string {
  const blocks = question.split(/^(?=\d+\. )/m).flatMap((part) => {
    const [, path] = /^\d+\. (\S+): /.exec(part) ?? [];
    const [near, old, fresh] = findCodeBlocks(part);
    if (path === undefined || near === undefined || old === undefined || fresh === undefined) return [];
    const words = new Set(old.code.match(/\w+/g));
    const common = (line: string): number => (line.match(/\w+/g) ?? []).filter((word) => words.has(word)).length;
    const [line] = near.code.split('\n').sort((a, b) => common(b) - common(a));
    return [`${path}\n<<<<<<< SEARCH\n${line}\n=======\n${fresh.code}\n>>>>>>> REPLACE`];
  });
  return blocks.join('\n\n');
}

/** The rule for edits: rename, document, or note the instruction above the first line that is not blank. */
export function editCode({ language, code }: CodeBlock, instruction: string): string {
  const rename = /\brename\s+[`'"]?(\w+)[`'"]?\s+(?:in)?to\s+[`'"]?(\w+)/i.exec(instruction);
  const [, from = '', to = ''] = rename ?? [];
  if (rename) return code.replace(new RegExp(`\\b${from}\\b`, 'g'), to);
  const first = Math.max(
    0,
    code.split('\n').findIndex((line) => line.trim() !== ''),
  );
  if (/\b(?:doc(?:ument|umentation|string)?s?|doc comments?|comments?)\b/i.test(instruction))
    return documentCode({ language, code });
  return insertAbove(code, first, comment(language, `Changed as asked: ${instruction}`));
}

function documentCode({ language, code }: CodeBlock): string {
  const lines = code.split('\n');
  const all = findDefinitions(code);
  const definition = all.find(({ line }) => !/(?:\*\/|^\s*(?:\/\/|#|--).*)\s*$/.test(lines[line - 1] ?? '')) ?? all[0];
  const first = Math.max(
    0,
    code.split('\n').findIndex((line) => line.trim() !== ''),
  );
  const text = definition ? `${capitalise(spell(definition.name))}.` : 'What these lines are for.';
  return insertAbove(code, definition?.line ?? first, docComment(language, text));
}

function discussCode(block: CodeBlock, wish: string): string {
  if (/\btests?\b/i.test(wish)) {
    return `Here is a first test file. It covers the usual case and the empty one:\n\n${fence(writeTests(block))}\n\nRun it with your project's own test command.`;
  }
  if (/\b(?:document|doc comments?|docstrings?)\b/i.test(wish)) {
    return `Here is the same code with a doc comment:\n\n${fence({ ...block, code: documentCode(block) })}\n\nNothing else was changed.`;
  }
  if (/\bfix\b|\bbugs?\b|\bproblems?\b/i.test(wish)) {
    const code = insertAbove(block.code, 0, comment(block.language, 'Check the input before it is used.'));
    return `I see no syntax error. What I would make safer:\n\n- the **input** is used before it is checked\n- a failure is not told to the caller\n\n${fence({ ...block, code })}`;
  }
  return explainCode(block);
}

function explainCode({ language, code }: CodeBlock): string {
  const lines = code.split('\n');
  const definitions = findDefinitions(code);
  const names = definitions.map(({ name }) => `\`${name}\``);
  const size = `${lines.length === 1 ? 'This line' : `These ${lines.length} lines`}${language ? ` of ${spellLanguage(language)}` : ''}`;
  const verb = lines.length === 1 ? 'defines' : 'define';
  const intro = `${size} ${verb} ${names.length ? names.slice(0, 6).join(', ') : 'no function of their own'}.`;
  const list = definitions.slice(0, 6).map(({ name, line }) => {
    return `- **${name}** (line ${line + 1}): ${commentAbove(lines, line) ?? `by its name it is about “${spell(name)}”`}`;
  });
  if (list.length === 0) list.push(`- the first line is \`${(lines.find((line) => line.trim()) ?? '').trim()}\``);
  const part = takeBlock(lines, definitions[0]?.line ?? 0, 20);
  return `${intro} In short:\n\n${list.join('\n')}\n\nThe part to read first:\n\n${fence({ language, code: part })}\n\nAsk about a single line if you want to know more.`;
}

/** The one-line comment right above a line, without its signs. */
function commentAbove(lines: string[], line: number): string | undefined {
  return /^\s*(?:\/\*\*?|\/\/[/!]?|#|--)\s*(.*?)\s*(?:\*\/)?$/.exec(lines[line - 1] ?? '')?.[1] || undefined;
}

function writeTests({ language, code }: CodeBlock): CodeBlock {
  const name = findDefinitions(code)[0]?.name ?? 'subject';
  if (/^py/i.test(language)) {
    return {
      language,
      code: `def test_${name}_usual_case():\n    assert ${name} is not None\n\n\ndef test_${name}_is_callable():\n    assert callable(${name})`,
    };
  }
  if (/^go$/i.test(language)) {
    return {
      language,
      code: `func Test_${name}(t *testing.T) {\n\tif got := ${name}(); got == nil {\n\t\tt.Fatal("${name} gave nothing")\n\t}\n}`,
    };
  }
  if (/^(?:rs|rust)$/i.test(language))
    return { language, code: `#[test]\nfn ${name}_usual_case() {\n    let _ = ${name};\n}` };
  return {
    language: language || 'ts',
    code: `import { test } from 'node:test';\nimport assert from 'node:assert/strict';\n\ntest('${name} is there', () => {\n  assert.equal(typeof ${name}, 'function');\n});`,
  };
}

function answerWithoutCode(question: string): string {
  const short = question.replace(/\s+/g, ' ').trim().slice(0, 120);
  return `You asked: “${short}”. I am the reference service, a test double: I answer by rule, not by thought.\n\n- Select some code and ask again, and I name its functions\n- Write \`say: hello\` and I say it\n\n\`\`\`text\nsay: hello\n\`\`\``;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
