import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to a request, and the packages in between cannot pass on. */
export interface CurrentRequest {
  /** The service has sent something, possibly no part of the answer. */
  note: () => void;
  /** Query of the service's address, such as `api-version=1`; empty if it has none. */
  query?: string;
  /** Text in the answer that belongs to no event of it; set at its end. */
  other?: string;
}

const current = new AsyncLocalStorage<CurrentRequest>();

/** Requests that `work` makes belong to `request`. */
export const makingRequest = <T>(request: CurrentRequest, work: () => T): T => current.run(request, work);

export const currentRequest = (): CurrentRequest | undefined => current.getStore();
