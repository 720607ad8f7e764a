import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandHelp, commandNames, commandSpecs } from '../../../../src/search/cli/cliCommands.ts';
import { readArguments } from '../../../../src/search/cli/cliOptions.ts';
import { CliProblem } from '../../../../src/search/cli/cliProblem.ts';
import { nearestName } from '../../../../src/search/cli/nearestName.ts';
import { runHere } from './cliContextStub.ts';

const { options } = commandSpecs.query;
function problemOf(args: readonly string[], specs = options): string {
  try {
    readArguments(args, specs).number('limit', { least: 1, most: 100, isWhole: true });
  } catch (error) {
    if (error instanceof CliProblem) return `${error.message} ${error.next}`;
    throw error;
  }
  return '';
}

describe('arguments', () => {
  test('options stand anywhere, with a value behind them or after =, and again where they may', () => {
    const args = readArguments(['how', '--limit=5', 'is', '--paths', 'a/**', '--paths', '!b', '--json', 'it'], options);
    assert.deepEqual(args.positionals, ['how', 'is', 'it']);
    assert.equal(args.number('limit', { least: 1, most: 100, isWhole: true }), 5);
    assert.deepEqual(args.texts('paths'), ['a/**', '!b']);
    assert.equal(args.has('json'), true);
    assert.equal(args.has('words'), false);
  });

  test('what stands behind -- is text, whatever it looks like', () => {
    assert.deepEqual(readArguments(['--', '-draft', '--limit'], options).positionals, ['-draft', '--limit']);
  });

  test('an option that there is none of has the nearest one named', () => {
    assert.equal(problemOf(['--limt', '3']), 'There is no option --limt here. Did you mean --limit?');
    assert.equal(
      problemOf(['--chaned-since', 'x']),
      'There is no option --chaned-since here. Did you mean --changed-since?',
    );
    assert.equal(problemOf(['--zzzzz']), 'There is no option --zzzzz here. --help lists the options.');
  });

  test('a value that is missing or too much is told', () => {
    assert.equal(problemOf(['--limit']), 'The option --limit needs a value. Give it as --limit NUMBER.');
    assert.equal(problemOf(['--url', '--model', 'm']), 'The option --url needs a value. Give it as --url URL.');
    assert.equal(problemOf(['--json=yes']), 'The option --json takes no value. Give it as --json alone.');
  });

  test('a number has bounds', () => {
    for (const typed of ['0', '101', 'ten', '1.5', '-1', '1e1', '']) {
      assert.notEqual(problemOf([`--limit=${typed}`]), '', typed);
    }
    assert.equal(problemOf(['--limit', '100']), '');
  });

  test('a key is taken by no name, and no value is repeated', () => {
    for (const given of ['--key', '--api-key=sk-1', '--token', '--apikey', '--password=sk-1']) {
      assert.match(problemOf([given, 'sk-1']), /^Keys are not taken as arguments.*PARLEY_API_KEY/, given);
    }
    for (const given of ['--sk-proj-4f2a', '-sk-proj', '--key-envv=sk-1', '--sk_4711']) {
      assert.doesNotMatch(problemOf([given]), /4f2a|4711|sk-1/, given);
    }
  });

  test('a name is the nearest one only where it is near', () => {
    assert.equal(nearestName('qurey', commandNames), 'query');
    assert.equal(nearestName('indx', commandNames), 'index');
    assert.equal(nearestName('lst', commandNames), 'list');
    assert.equal(nearestName('rep', commandNames), 'report');
    assert.equal(nearestName('serve', commandNames), undefined);
    assert.equal(nearestName('x'.repeat(5000), commandNames), undefined);
  });
});

describe('help', () => {
  test('names each command, and each option of a command', async () => {
    const { code, said } = await runHere(['--help']);
    assert.equal(code, 0);
    for (const name of commandNames) assert.match(said, new RegExp(`^  ${name} +\\S`, 'm'));
    for (const name of commandNames) {
      const help = await runHere([name, '--help']);
      assert.deepEqual([help.code, help.said], [0, commandHelp(name)]);
      for (const option of Object.keys(commandSpecs[name].options))
        assert.match(help.said, new RegExp(`--${option}\\b`));
    }
  });

  test('what is no command ends with 2, a sentence and a step', async () => {
    const wrong = await runHere(['qurey', 'x']);
    assert.deepEqual([wrong.code, wrong.notes], [2, ['There is no command “qurey”. Did you mean “query”?']]);
    const none = await runHere([]);
    assert.deepEqual([none.code, none.notes], [2, ['There is no command. “parley-search --help” lists the commands.']]);
    const empty = await runHere(['query']);
    assert.deepEqual([empty.code, empty.notes], [2, ['There is nothing to search for. Write it after “query”.']]);
    const folders = await runHere(['list', 'here']);
    assert.equal(folders.code, 2);
  });

  test('half of a service is no service', async () => {
    assert.match(
      (await runHere(['index', '--url', 'https://a.example/v1'])).said,
      /^No model for embeddings is set\. .*--model/,
    );
    assert.match((await runHere(['index', '--model', 'm'])).said, /^No service is connected yet\. .*--url/);
    assert.match((await runHere(['index', '--key-env', 'X'])).said, /^The option --key-env is for a service/);
    assert.match(
      (await runHere(['query', 'x', '--words', '--url', 'https://a.example', '--model', 'm'])).said,
      /With --words/,
    );
    assert.match((await runHere(['index', '--url', 'ftp://a', '--model', 'm'])).said, /not one Parley can call/);
  });
});
