import { AsyncLocalStorage } from 'node:async_hooks';

/** What a service sent for a request, also what is no part of the answer. */
export interface Activity {
  /** Something has arrived. */
  note: () => void;
}

const current = new AsyncLocalStorage<Activity>();

/** Requests that `work` makes note their data in `activity`. The packages in between cannot pass it on. */
export const notingActivity = <T>(activity: Activity, work: () => T): T => current.run(activity, work);

/** Where the request that is being made notes its data. */
export const activityOfRequest = (): Activity | undefined => current.getStore();
