import { z } from 'zod';
import { parseJson } from '../base/limited-json';
import { because, type Reason } from '../contract/shared/reasons';

/** What `npm start` found out: why Chromium's processes are not sandboxed, and the command that turns the sandbox on. */
const SandboxOff = z.object({
  cause: z.enum(['root', 'namespaces', 'other']).catch('other'),
  command: z.string().nullable().catch(null),
});

const Given = SandboxOff.catch({ cause: 'other', command: null });
const MAX_BYTES = 10_000;

/** Why Chromium's own sandbox is off, from `DEEPDESK_SANDBOX_OFF`; null if it is on. */
export function sandboxWarning(given: string | undefined): Reason | null {
  if (!given) return null;
  const parsed = parseJson(given, { maxBytes: MAX_BYTES });
  const { cause, command } = Given.parse('value' in parsed ? parsed.value : null);
  if (cause === 'root') return because('chromium_refuses_root');
  if (command !== null) return because('chromium_needs_helper', { command });
  return because(cause === 'namespaces' ? 'chromium_needs_namespaces' : 'chromium_sandbox_off');
}
