import { randomUUID } from 'node:crypto';
import type { FolderOffer } from '../../contract/commands/project';
import type { AppEvent } from '../../contract/events';
import type { Hub } from './hub';

/** Maximum number of offers; a new one replaces the oldest, so that a page that calls repeatedly fills nothing. */
const MAX_OFFERS = 5;

/** Folders named by external links, kept until the person decides. */
export class FolderOffers {
  private offers: FolderOffer[] = [];
  /** Events for the first window; null once there was one. */
  private early: AppEvent[] | null = [];

  constructor(private readonly hub: Hub) {}

  list(): FolderOffer[] {
    return [...this.offers];
  }

  /** Shows something in the open windows, or in the first one that connects. */
  show(event: Extract<AppEvent, { type: 'show.thread' | 'show.project' | 'show.failure' }>): void {
    if (this.early === null) this.hub.app(event);
    else this.early.push(event);
  }

  /** The events from before there was a window; from now on there is one. */
  takeEarly(): AppEvent[] {
    const early = this.early ?? [];
    this.early = null;
    return early;
  }

  /** Offers the same folder only once. */
  add(folder: string): void {
    if (this.offers.some((offer) => offer.folder === folder)) return;
    this.offers = [...this.offers, { id: randomUUID(), folder }].slice(-MAX_OFFERS);
    this.hub.app({ type: 'offers.changed' });
  }

  /** Removes an offer and returns its folder. */
  take(id: string): string | null {
    const offer = this.offers.find((one) => one.id === id);
    if (offer === undefined) return null;
    this.offers = this.offers.filter((one) => one !== offer);
    this.hub.app({ type: 'offers.changed' });
    return offer.folder;
  }
}
