import { englishForModel } from '../../src-renderer/i18n/english';
import { because, type Reason, type Reasons } from '../contract/shared/reasons';

/** Why a server cannot be used, thrown. Its message is English, for the model. */
export class ServerProblem extends Error {
  constructor(
    readonly why: Reasons,
    options?: ErrorOptions,
  ) {
    super(englishForModel.sentences(why), options);
  }
}

export const problem = (why: Reason, options?: ErrorOptions): ServerProblem =>
  new ServerProblem([why], options);

/** What an error of a connection tells the person. Fetch and the SDK hide the reason in the causes. */
export function whyOf(error: unknown): Reasons {
  if (!(error instanceof Error)) return [because('failed_with', { text: String(error) })];
  const causes = causesOf(error);
  const ours = causes.find((one) => one instanceof ServerProblem);
  if (ours !== undefined) return ours.why;
  const deepest = causes.at(-1) as NodeJS.ErrnoException;
  return [
    deepest === error
      ? because('failed_with', { text: error.message })
      : because('mcp_unreachable', { code: deepest.code ?? deepest.message }),
  ];
}

/** The error and its causes, outermost first. */
function causesOf(error: Error): Error[] {
  const causes = [error];
  for (let next = error.cause; next instanceof Error && causes.length < 8; next = next.cause)
    causes.push(next);
  return causes;
}
