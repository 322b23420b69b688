import type { Part } from '../contest';
import { listing } from './listing';
import { reading } from './reading';
import { rehearsal } from './rehearsal';
import { search } from './search';
import { shell } from './shell';
import { store } from './store';
import { writing } from './writing';

/** The cases of the group `backends`, in the order of the guide. */
export const parts: Readonly<Record<string, Part>> = {
  reading,
  search,
  listing,
  writing,
  store,
  shell,
  rehearsal,
};
