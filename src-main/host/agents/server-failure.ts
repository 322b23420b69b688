import { REDIRECT_REFUSED } from '../../base/network/guarded-fetch';
import type { RemoteAgentDraft } from '../../contract/agents';
import { fail, type Result } from '../../contract/result';

/** The HTTP status of an error of LangGraph's client; null if there was no answer. */
export const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null;

/** Why a LangGraph server did not do what it was asked. */
export function failureOf(
  error: unknown,
  { address, graph }: Pick<RemoteAgentDraft, 'address' | 'graph'>,
): Extract<Result<never>, { ok: false }> {
  const { host } = new URL(address);
  const text = error instanceof Error ? error.message : String(error);
  const status = statusOf(error);
  if (status === 401 || status === 403) return fail('denied', 'remote_agent_denied', { host }, text);
  if (status === 404 || status === 422) return fail('not_found', 'remote_agent_none', { graph, host }, text);
  if (REDIRECT_REFUSED.test(text)) return fail('unsupported', 'remote_agent_protocol', { host }, text);
  if (status === null || status >= 500) return fail('network', 'remote_agent_unreachable', { host }, text);
  return fail('unsupported', 'remote_agent_protocol', { host }, text);
}
