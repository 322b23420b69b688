import { ToolCall } from '@contract/conversation';
import { ThreadId } from '@contract/ids';
import { because } from '@contract/shared/reasons';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { LanguageProvider } from '../../../i18n';
import { ToolLine } from './tool-line';

afterEach(cleanup);

function show(call: Record<string, unknown>, language: 'en' | 'zh' = 'en') {
  const refused = ToolCall.parse({ callId: 'c1', name: 'execute', args: {}, status: 'failed', ...call });
  render(
    <LanguageProvider language={language}>
      <ToolLine threadId={ThreadId.parse('t1')} call={refused} mount="/p" renderApproval={() => null} />
    </LanguageProvider>,
  );
}
const dangerous = [because('part', { text: 'sudo id', why: because('other_user') })];

it("says below the line why a call was refused, in the user's language", () => {
  show({ display: 'command', refused: dangerous, result: 'Error: sudo id: it would act as another user.' });
  expect(screen.getByText(/^Refused:/).textContent).toBe('Refused: sudo id: it would act as another user.');
  cleanup();
  show({ display: 'command', refused: dangerous, result: 'Error: sudo id' }, 'zh');
  expect(screen.getByText(/^已拒绝/).textContent).toBe('已拒绝：sudo id：它会以其他用户的身份操作。');
});

it("does not repeat the tool's name", () => {
  const why = because('text_not_found');
  show({ name: 'edit_file', display: 'edit', refused: [because('not_run', { tool: 'edit_file', why })] });
  expect(screen.getByText(/^Not run:/).textContent).toBe('Not run: The text to replace is not in the file.');
});

it('says why a call did not run if only the message to the model tells, without repeating it', () => {
  show({ name: 'edit_file', display: 'edit', result: 'Error: edit_file was not run: it is gone.\nMore' });
  expect(screen.getByText(/^Not run:/).textContent).toBe('Not run: it is gone.');
});

it("says that there is no such tool in the user's language", () => {
  const result = 'Error: trial__gone was not run: there is no tool with that name.';
  show({ name: 'trial__gone', refused: [because('tool_unknown')], result }, 'zh');
  expect(screen.getByText(/^未执行：/).textContent).toBe('未执行：没有这个名称的工具。');
});

it('says below the line why a call of a server failed', () => {
  const result = 'Error: The MCP server "trial" did not answer hang within 8 s and was told to stop.\nMore';
  show({ name: 'trial__hang', result });
  expect(screen.getByText(/did not answer/).textContent).toBe(
    'The MCP server "trial" did not answer hang within 8 s and was told to stop.',
  );
  cleanup();
  show({ name: 'trial__hang', result, status: 'done' });
  expect(screen.queryByText(/did not answer/)).toBeNull();
});

it("says in the user's language why a call of a server failed, if Deepdesk knows", () => {
  const result = 'Error: The MCP server "trial" stopped before it answered crash. It exited (code 3).';
  const failure = [
    because('mcp_call_lost', { server: 'trial', tool: 'crash' }),
    because('mcp_exited', { status: '3' }),
  ];
  show({ name: 'trial__crash', startedAt: 1, failure, result }, 'zh');
  expect(screen.getByText(/^MCP 服务器/).textContent).toBe(
    'MCP 服务器“trial”在答复 crash 之前停止了。它已结束（退出码 3）。',
  );
});

it('says once that the person discarded what a command did', () => {
  show({
    name: 'execute',
    display: 'command',
    status: 'rejected',
    rehearsal: { state: 'discarded', paths: 2 },
  });
  expect(screen.getByText('discarded')).toBeTruthy();
  expect(screen.queryByText('rejected')).toBeNull();
});
