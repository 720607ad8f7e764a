/** Shells, by the names that models write after a fence. `posix` also takes in fish, which reads a line the same way. */
const shells: Readonly<Record<string, Shell>> = {
  ...{ bash: 'posix', sh: 'posix', shell: 'posix', shellscript: 'posix', zsh: 'posix', fish: 'posix', ksh: 'posix' },
  ...{ console: 'posix', 'shell-session': 'posix', shellsession: 'posix', terminal: 'posix' },
  ...{ powershell: 'powershell', pwsh: 'powershell', ps1: 'powershell' },
  ...{ bat: 'cmd', batch: 'cmd', cmd: 'cmd' },
};

/** What models write behind a fence with what a program printed. */
const outputs = new Set('text txt plaintext plain output stdout stderr log logs result'.split(' '));

export type Shell = 'posix' | 'powershell' | 'cmd';

/** The shell whose language a block of code is in; undefined for other languages. */
export function shellOf(language: string): Shell | undefined {
  const name = language.toLowerCase();
  return Object.hasOwn(shells, name) ? shells[name] : undefined;
}

/** Whether a block of code is typed into a shell or was printed, and so belongs into no file unless one is named. */
export function isTerminalText(language: string): boolean {
  return shellOf(language) !== undefined || outputs.has(language.toLowerCase());
}
