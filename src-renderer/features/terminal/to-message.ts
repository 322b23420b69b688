import type { TerminalInfo } from '@contract/app';
import { type Answer, ok } from '@contract/result';
import type { Translate } from '../../i18n';
import { addToMessage, call, toast } from '../../link';
import { quoteOf } from './status';

/** Adds the selection, or all output, to the message. */
export async function toMessage(
  { id: terminalId, kind, command }: TerminalInfo,
  selected: string,
  t: Translate,
): Promise<Answer<unknown>> {
  const printed = selected === '' ? await call('terminal.text', { terminalId }) : undefined;
  if (printed?.ok === false) return printed;
  const text = printed?.value.text ?? selected;
  if (text.trim() === '') toast(t('terminal.nothingPrinted'));
  else addToMessage(quoteOf(kind === 'agent' ? command : null, text, t('terminal.outputLeftOut')));
  return ok({});
}
