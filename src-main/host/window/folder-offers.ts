import { randomUUID } from 'node:crypto';
import type { FolderOffer } from '../../contract/commands/project';
import type { AppEvent } from '../../contract/events';
import type { Hub } from './hub';

/** Offers at a time; the oldest goes for a new one, so that a page that calls again and again fills nothing. */
const MOST_OFFERS = 5;

/** Folders that an address from outside names: kept until the person says what becomes of them. */
export class FolderOffers {
  private offers: FolderOffer[] = [];
  /** What is to be shown to a window that is not there yet; null once one was. */
  private early: AppEvent[] | null = [];

  constructor(private readonly hub: Hub) {}

  list(): FolderOffer[] {
    return [...this.offers];
  }

  /** Has the windows show something, or the first one that comes. */
  show(event: Extract<AppEvent, { type: 'show.thread' | 'show.project' }>): void {
    if (this.early === null) this.hub.app(event);
    else this.early.push(event);
  }

  /** What was to be shown before there was a window; from now on there is one. */
  takeEarly(): AppEvent[] {
    const early = this.early ?? [];
    this.early = null;
    return early;
  }

  /** The same folder is offered once. */
  add(folder: string): void {
    if (this.offers.some((offer) => offer.folder === folder)) return;
    this.offers = [...this.offers, { id: randomUUID(), folder }].slice(-MOST_OFFERS);
    this.hub.app({ type: 'offers.changed' });
  }

  /** The folder of an offer, which is gone with that. */
  take(id: string): string | null {
    const offer = this.offers.find((one) => one.id === id);
    if (offer === undefined) return null;
    this.offers = this.offers.filter((one) => one !== offer);
    this.hub.app({ type: 'offers.changed' });
    return offer.folder;
  }
}
