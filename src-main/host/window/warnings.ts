import { randomUUID } from 'node:crypto';
import type { AppSnapshot } from '../../contract/app';
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

  readonly add = (message: string): void => {
    if (this.known.some((one) => one.message === message)) return;
    const warning = { id: randomUUID(), message };
    this.known.push(warning);
    this.hub.app({ type: 'warning.added', warning });
  };
}
