import type { Runner, Suite, Test } from 'mocha';
import { beginSuiteJournal, writeSuiteEvent } from '../suiteJournal.ts';
import { suiteMark } from '../suiteMark.ts';
import { screenshotOfFailure } from './support/hands.ts';

/**
 * A Mocha reporter: one marked line for each test, and for a failed one its reason; the same in the journal that
 * PARLEY_TEST_JOURNAL names. A failed one also leaves a picture in `out/failures/`. A test that is skipped proves nothing, so it
 * counts as failed.
 */
export class Report {
  constructor(runner: Runner) {
    const journal = process.env.PARLEY_TEST_JOURNAL;
    const photographed = new Set<Test>();
    const takePicture = async (test: Test): Promise<void> => {
      photographed.add(test);
      await screenshotOfFailure(test.fullTitle().slice(0, 100)).catch(() => {});
    };
    const write = (event: Parameters<typeof writeSuiteEvent>[1], test: Test): void => {
      if (journal !== undefined) writeSuiteEvent(journal, event, test.fullTitle());
    };
    runner.on('start', () => {
      const titles = testsOf(runner.suite).map((test) => test.fullTitle());
      const wanted = titles.filter((title) => title.includes(process.env.PARLEY_TEST_GREP ?? ''));
      if (journal !== undefined) beginSuiteJournal(journal, wanted);
    });
    runner.on('test', (test: Test) => {
      const { fn } = test;
      // Before what comes after the test tidies the window.
      if (fn !== undefined) test.fn = pictured(fn as () => unknown, () => takePicture(test));
    });
    runner.on('pass', (test: Test) => {
      write('passed', test);
      print(`ok     ${test.fullTitle()} (${test.duration ?? 0} ms)`);
    });
    runner.on('pending', (test: Test) => {
      write('failed', test);
      print(`SKIP   ${test.fullTitle()}`);
    });
    runner.on('fail', (test: Test, error: Error) => {
      write('failed', test);
      print(`FAILED ${test.fullTitle()}`);
      // One that takes too long has not failed by itself.
      if (!photographed.has(test)) void takePicture(test);
      for (const line of (error.stack ?? error.message).split('\n').slice(0, 60)) print(`         ${line}`);
    });
  }
}

/** A test that leaves a picture where it fails. */
function pictured(run: () => unknown, takePicture: () => Promise<void>): () => Promise<void> {
  return async function (this: unknown) {
    try {
      await run.call(this);
    } catch (error) {
      await takePicture();
      throw error;
    }
  };
}

function testsOf(suite: Suite): Test[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

function print(line: string): void {
  console.log(suiteMark + line);
}
