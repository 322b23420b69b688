import type { Modalities } from '../../../contract/shared/media';
import { setNewest } from '../../../contract/shared/set-newest';

const UNKNOWN: Modalities = { images: null, audio: null, video: null, pdf: null };

/** Threads whose model is remembered. Others use the agent's own model. */
const REMEMBERED = 64;

/** What a chat model supports according to its profile; null if that does not say, as for custom models. */
function modalitiesOf(model: unknown): Modalities {
  const profile =
    typeof model === 'object' && model !== null && 'profile' in model ? model.profile : undefined;
  if (typeof profile !== 'object' || profile === null) return UNKNOWN;
  const given = (name: string): boolean | null => {
    const value: unknown = Reflect.get(profile, name);
    return typeof value === 'boolean' ? value : null;
  };
  return {
    images: given('imageInputs'),
    audio: given('audioInputs'),
    video: given('videoInputs'),
    pdf: given('pdfInputs'),
  };
}

/** Remembers which model each thread last used, so that results have a form that it supports. */
export class ModelModalities {
  private readonly known = new Map<string, Modalities>();

  /** `model`: the agent's own, used until the first request, such as after a restart. */
  constructor(private readonly model: unknown) {}

  note(threadId: string, model: unknown): Modalities {
    const modalities = modalitiesOf(model);
    setNewest(this.known, threadId, modalities, REMEMBERED);
    return modalities;
  }

  of(threadId: string): Modalities {
    return this.known.get(threadId) ?? modalitiesOf(this.model);
  }
}

/** The thread id of a run in the graph; empty if there is none. */
export function threadIdIn(runtime: unknown): string {
  const id = pick(
    pick(pick(runtime, 'config'), 'configurable') ?? pick(runtime, 'configurable'),
    'thread_id',
  );
  return typeof id === 'string' ? id : '';
}

const pick = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
