import type { AIMessage } from '@langchain/core/messages';
import type { ToolCall } from '../../../contract/conversation';
import { CallId } from '../../../contract/ids';
import { optional } from '../../../contract/shared/optional';
import { canonicalArguments } from '../../../harness/tools/arguments';
import { displayOf } from '../../../harness/tools/catalogue';

/** The calls of a model's answer as the conversation shows them. None of them has started. */
export const callsIn = (answer: AIMessage): ToolCall[] =>
  (answer.tool_calls ?? []).map((call) => ({
    callId: CallId.parse(call.id),
    name: call.name,
    ...optional({ display: displayOf(call.name) }),
    args: canonicalArguments(call.name, call.args as Record<string, unknown>),
    status: 'pending',
  }));
