import { because, type Reason } from '../contract/shared/reasons';
import type { UpdateReasonValues } from '../contract/shared/update-reasons';

/** Why an update is not used. Thrown, because electron-updater is between the code that finds it and the code that shows it. */
export class UpdateProblem extends Error {
  override readonly name = 'UpdateProblem';

  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}

export function problem<C extends keyof UpdateReasonValues>(
  ...told: Parameters<typeof because<C>>
): UpdateProblem {
  return new UpdateProblem(because(...told));
}
