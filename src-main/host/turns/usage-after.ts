import type { Usage } from '../../contract/conversation';
import type { Spent } from '../../models/model-call';
import { NO_USAGE, requestTokens } from '../../models/usage';

const NOTHING_YET = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  costMicroDollars: 0,
  unpricedRequests: 0,
};

/**
 * A thread's usage after one more request; null if that used nothing. `isOwn`: a request of the thread's own agent, which
 * determines the context size. `costOfThread`: micro-dollars, including this request.
 */
export function usageAfter(
  usage: Usage,
  { usage: used, cost, isSummary }: Spent,
  { isOwn, costOfThread }: { isOwn: boolean; costOfThread: () => number },
): Usage | null {
  const tokens = used ?? NO_USAGE;
  const request = requestTokens(tokens);
  if (request + tokens.output === 0 && cost === 0) return null;
  const { turn = NOTHING_YET } = usage;
  const unpriced = cost === null ? 1 : 0;
  return {
    inputTokens: usage.inputTokens + request,
    outputTokens: usage.outputTokens + tokens.output,
    // A summary is not part of the conversation's context size.
    contextTokens: isOwn && !isSummary && used !== null ? request + tokens.output : usage.contextTokens,
    cacheReadTokens: (usage.cacheReadTokens ?? 0) + tokens.cacheRead,
    cacheWriteTokens: (usage.cacheWriteTokens ?? 0) + tokens.cacheWrite,
    reasoningTokens: (usage.reasoningTokens ?? 0) + tokens.reasoning,
    costMicroDollars: costOfThread(),
    unpricedRequests: (usage.unpricedRequests ?? 0) + unpriced,
    turn: {
      inputTokens: turn.inputTokens + request,
      outputTokens: turn.outputTokens + tokens.output,
      cacheReadTokens: turn.cacheReadTokens + tokens.cacheRead,
      costMicroDollars: turn.costMicroDollars + (cost ?? 0),
      unpricedRequests: turn.unpricedRequests + unpriced,
    },
  };
}
