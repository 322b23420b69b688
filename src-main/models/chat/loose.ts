import { isRecord } from '../../base/is-record';

/** An object of a server, before anything is known about its fields. */
export type Loose = Partial<Record<string, unknown>>;

/** Empty if it is none. */
export const objectOf = (value: unknown): Loose => (isRecord(value) ? value : {});

/** Empty if it is none. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
