import { because, type Reason } from '../../contract/shared/reasons';
import { runsWords } from './wrappers';

/** The verdict on one command. */
interface Part {
  verdict: 'allow' | 'ask' | 'deny';
  reason: Reason;
  words?: string[];
  written?: string[];
  hides?: 'certain' | 'possible';
  isOpen?: true;
}

/** Shells may read this part in different ways, so it is not allowed and no rule covers it. */
export function makeUncertain(part: Part): void {
  delete part.words;
  if (part.verdict !== 'allow') return;
  part.verdict = 'ask';
  part.reason = because('read_differently');
}

/** It gets more words, which are a command of their own to `env` and the like. */
export function makeOpen(part: Part): void {
  part.isOpen = true;
  if (runsWords(part.written?.[0] ?? '')) part.hides = 'certain';
}
