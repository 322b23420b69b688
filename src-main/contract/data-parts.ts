// Without the schemas, which a window need not load.

/** Folders and tables of the data folder, by purpose, in the order in which they are shown. */
export const DATA_PARTS = [
  'database',
  'terminals',
  'memories',
  'versions',
  'offloads',
  'attachments',
  'media',
  'layers',
  'copies',
  'privateCopies',
  'caches',
  'rest',
] as const;
