import { english } from '../../src-renderer/i18n/english';
import { because, type Reason, type Reasons } from '../contract/shared/reasons';

/** Why a server cannot be used, thrown. Its message is English, for the model. */
export class ServerProblem extends Error {
  constructor(
    readonly why: Reasons,
    options?: ErrorOptions,
  ) {
    super(english.sentences(why), options);
  }
}

export const problem = (why: Reason, options?: ErrorOptions): ServerProblem =>
  new ServerProblem([why], options);

/** What an error of a connection tells the person. Fetch hides the reason in the cause. */
export function whyOf(error: unknown): Reasons {
  if (error instanceof ServerProblem) return error.why;
  if (!(error instanceof Error)) return [because('external', { text: String(error) })];
  const { cause } = error;
  if (cause instanceof ServerProblem) return cause.why;
  const code = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : '';
  return [
    code === ''
      ? because('external', { text: sentence(error.message) })
      : because('mcp_unreachable', { code }),
  ];
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
