/** Stands in for an agent: what it changes at first, and then again on top of that. */
const { commands, lm } = require('vscode');

const path = 'src/berths.ts';
const line = (value) => `export const UNDER_KEEL_CLEARANCE = ${value};`;
const inputs = [
  {
    title: 'Raise the clearance',
    changes: [
      { path, old_text: line(0.5), new_text: line(0.7) },
      {
        path,
        old_text: '  return a.from < until && from < a.until;',
        new_text: '  return from < a.until && a.from < until;',
      },
    ],
  },
  {
    title: 'Say it in other words',
    changes: [
      { path, old_text: line(0.7), new_text: line('0.5 + 0.2') },
      { path, old_text: '  return now < limit;', new_text: '  return limit > now;' },
    ],
  },
];

exports.activate = ({ subscriptions }) => {
  const editTwice = async () => {
    for (const input of inputs) await lm.invokeTool('parley_propose_edit', { input, toolInvocationToken: undefined });
  };
  subscriptions.push(commands.registerCommand('agent.editTwice', editTwice));
};
