import type { Runner, Test } from 'mocha';
import { suiteMark } from '../suiteMark.ts';

/** A Mocha reporter: one marked line for each test, and for a failed one its reason. */
export class Report {
  constructor(runner: Runner) {
    runner.on('pass', (test: Test) => print(`ok     ${test.fullTitle()} (${test.duration ?? 0} ms)`));
    runner.on('pending', (test: Test) => print(`SKIP   ${test.fullTitle()}`));
    runner.on('fail', (test: Test, error: Error) => {
      print(`FAILED ${test.fullTitle()}`);
      for (const line of (error.stack ?? error.message).split('\n').slice(0, 60)) print(`         ${line}`);
    });
  }
}

function print(line: string): void {
  console.log(suiteMark + line);
}
