// The quitting tests run this in a separate process. It starts commands that are hard to kill, and exits in the requested
// way on SIGTERM.

import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { ProjectId, TerminalId } from '../../contract/ids';
import { TerminalSessions } from '../sessions';

const [, , way = '', sleep = ''] = process.argv;
const sessions = new TerminalSessions({
  now: Date.now,
  newId: () => TerminalId.parse(randomUUID()),
  onChanged: () => undefined,
  onRemoved: () => undefined,
  onData: () => undefined,
});
const commands = [
  `sleep ${sleep}`,
  `trap '' TERM HUP INT; while :; do sleep ${sleep}; done`,
  `setsid nohup sleep ${sleep} & setsid -f sleep ${sleep}; sleep ${sleep}`,
];
for (const command of commands) {
  const opened = sessions.open({
    kind: 'agent',
    projectId: ProjectId.parse('p'),
    threadId: null,
    callId: null,
    command,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '' },
  });
  if (!opened.ok) throw new Error(inEnglish(opened.error));
}
process.on('SIGTERM', () => {
  if (way === 'dispose') void sessions.disposeAll().then(() => process.exit(0));
  else if (way === 'exit') process.exit(0);
  else throw new Error('as told');
});
process.stdout.write('ready\n');
