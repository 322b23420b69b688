import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AppSnapshot } from '../../contract/app';
import type { Reason } from '../../contract/shared/reasons';
import type { Hub } from './hub';

/** Warnings about this run, each reported once: a problem read at each turn would repeat at each turn. */
export class Warnings {
  private readonly known: AppSnapshot['warnings'];

  constructor(
    private readonly hub: Hub,
    fromStart: AppSnapshot['warnings'],
  ) {
    this.known = [...fromStart];
  }

  get all(): AppSnapshot['warnings'] {
    return this.known;
  }

  readonly add = (why: Reason): void => {
    if (this.known.some((one) => isDeepStrictEqual(one.why, why))) return;
    const warning = { id: randomUUID(), why };
    this.known.push(warning);
    this.hub.app({ type: 'warning.added', warning });
  };
}
