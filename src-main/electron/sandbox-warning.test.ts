import { expect, it } from 'vitest';
import { sandboxWarning } from './sandbox-warning';

const given = (value: unknown) => sandboxWarning(JSON.stringify(value))?.code;

it("says why Chromium's sandbox is off, and what turns it on", () => {
  expect(sandboxWarning(undefined)).toBeNull();
  expect(given({ cause: 'root', command: null })).toBe('chromium_refuses_root');
  expect(given({ cause: 'namespaces', command: null })).toBe('chromium_needs_namespaces');
  expect(sandboxWarning('{"cause":"namespaces","command":"sudo x"}')).toMatchObject({
    code: 'chromium_needs_helper',
    values: { command: 'sudo x' },
  });
});

it('warns, too, if the reason is unknown or unreadable', () => {
  for (const value of [{ cause: 'new' }, 'off', 1, null]) expect(given(value)).toBe('chromium_sandbox_off');
  expect(sandboxWarning('{')?.code).toBe('chromium_sandbox_off');
});
