import type { TerminalInfo } from '../../contract/app';
import type { TerminalId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import { PlainText, plainText } from '../../terminal/output/plain-text';
import { searchOutputs } from '../../terminal/output/search-outputs';
import { type RunAgainParts, runAgain } from '../approvals/run-again';
import type { Places } from '../places/places';
import { PersonTerminals } from '../project/terminals/person-terminals';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

export function terminalHandlers(
  parts: RunAgainParts & { desktop: DesktopServices; places: Places },
): HandlersOf<'terminal', Connection> {
  const { terminals, desktop } = parts;
  const own = new PersonTerminals(parts);

  const known = (id: TerminalId): Result<TerminalInfo> => {
    const info = terminals.get(id);
    return info === null ? fail('not_found', 'terminal_gone') : ok(info);
  };
  const printed = (id: TerminalId, textOf: (data: string) => string): Result<{ text: string }> => {
    const recorded = terminals.recorded(id);
    return recorded.ok ? ok({ text: textOf(recorded.value.data) }) : recorded;
  };

  return {
    'terminal.create': ({ projectId, ...size }) => own.create(projectId, size),
    'terminal.attach': ({ terminalId }, connection) => {
      connection.terminals.add(terminalId);
      return terminals.attach(terminalId, connection.id);
    },
    'terminal.detach': ({ terminalId }, connection) => {
      connection.terminals.delete(terminalId);
      terminals.detach(terminalId, connection.id);
      return ok({});
    },
    'terminal.input': ({ terminalId, data }) => terminals.input(terminalId, data),
    'terminal.resize': ({ terminalId, cols, rows }) => terminals.resize(terminalId, cols, rows),
    'terminal.ack': ({ terminalId, offset }, connection) => {
      terminals.ack(terminalId, offset, connection.id);
      return ok({});
    },
    'terminal.kill': ({ terminalId }) => terminals.kill(terminalId),
    'terminal.close': ({ terminalId }) => terminals.close(terminalId),
    'terminal.rename': ({ terminalId, title }) => terminals.rename(terminalId, oneLine(title)),
    'terminal.programs': ({ terminalId }) => terminals.programs(terminalId),
    'terminal.paste': () => {
      desktop.paste?.();
      return ok({});
    },
    'terminal.search': async ({ threadId, text }, _connection, signal) =>
      ok({ found: await searchOutputs(terminals, threadId, text, signal) }),
    'terminal.text': ({ terminalId }) => printed(terminalId, plainText),
    'terminal.tail': ({ terminalId, lines }) => printed(terminalId, (data) => tailOfOutput(data, lines)),
    'terminal.rerun': async ({ terminalId, confirmed }, _connection, signal) => {
      const info = known(terminalId);
      return info.ok ? runAgain(parts, info.value, confirmed, signal) : info;
    },
    'terminal.reopen': async ({ terminalId }) => {
      const info = known(terminalId);
      return info.ok ? own.reopen(info.value) : info;
    },
    'terminal.locate': async ({ terminalId, words }) => {
      const info = known(terminalId);
      return info.ok ? own.locate(info.value, words) : info;
    },
  };
}

/** UTF-16 units of output that the last lines are taken from, and the limit for one line. */
const TAIL_LENGTH = 16_384;
const MAX_LINE_LENGTH = 400;

function tailOfOutput(data: string, lines: number): string {
  let text = '';
  const plain = new PlainText((part) => {
    text += part;
  });
  plain.push(data.slice(-TAIL_LENGTH));
  return (text + plain.current)
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => line.slice(0, MAX_LINE_LENGTH))
    .join('\n');
}

/** A name on one line. */
const oneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').trim();
