import type { ToolCall } from '@contract/conversation';
import type { Reason } from '@contract/shared/reasons';
import { useReasons, useT } from '../../../i18n';
import { ExactText } from '../../../ui';
import { wasRefused } from './tool-words';

/** Below the line of a call: why it did not run, or why it failed if only its result tells. */
export const WhyNot = ({ call }: { call: ToolCall }) => {
  if (wasRefused(call)) return <WhyRefused call={call} />;
  return failedOutside(call) ? <WhyFailed call={call} /> : null;
};

/** The line already names the tool. */
const withoutTool = (reason: Reason): Reason => {
  const why = reason.code === 'not_run' ? reason.values?.why : undefined;
  return typeof why === 'object' && 'code' in why ? why : reason;
};

/** Why a call did not run, below its line. */
const WhyRefused = ({ call }: { call: ToolCall }) => {
  const t = useT();
  const reasons = useReasons();
  // Older versions stored only the text for the model.
  const reason =
    call.refused === undefined
      ? firstLine(call).replace(`${call.name} was not run: `, '')
      : reasons.sentences(call.refused.map(withoutTool));
  if (!reason) return null;
  return (
    <p className="pb-1 pl-6 text-small break-words text-deny">
      {t(call.display === 'command' ? 'tools.refusedWhy' : 'tools.notRunWhy', { reason: '' })}
      <ExactText text={reason} />
    </p>
  );
};

/** A call of an MCP server failed. */
const failedOutside = (call: ToolCall): boolean =>
  call.status === 'failed' && call.display === undefined && !wasRefused(call);

const firstLine = ({ result = '' }: ToolCall): string =>
  (result.split('\n')[0] ?? '').replace(/^Error: /, '');

/** Why, in the person's language if Deepdesk knows, otherwise in the server's words. */
const WhyFailed = ({ call }: { call: ToolCall }) => {
  const reasons = useReasons();
  const why = call.failure === undefined ? firstLine(call) : reasons.sentences(call.failure);
  return (
    <p className="mb-1 line-clamp-2 pl-6 text-small break-words text-fg-2" title={why}>
      <ExactText text={why} />
    </p>
  );
};
