import type { Senses } from '../../../contract/shared/media';

const UNKNOWN: Senses = { images: null, audio: null, video: null, pdf: null };

/** Threads whose model is remembered; what comes after is asked with the agent's own. */
const REMEMBERED = 64;

/** What a chat model takes, by its profile; null where that does not say, as for models of one's own. */
function sensesOf(model: unknown): Senses {
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

/** Which model a thread was last asked with: its calls are answered in a form that it takes. */
export class ModelSenses {
  private readonly known = new Map<string, Senses>();

  /** `model`: the agent's own, which counts until a request was made, such as after a restart. */
  constructor(private readonly model: unknown) {}

  note(threadId: string, model: unknown): Senses {
    const senses = sensesOf(model);
    this.known.delete(threadId);
    this.known.set(threadId, senses);
    const [oldest] = this.known.keys();
    if (this.known.size > REMEMBERED && oldest !== undefined) this.known.delete(oldest);
    return senses;
  }

  of(threadId: string): Senses {
    return this.known.get(threadId) ?? sensesOf(this.model);
  }
}

/** The thread of a run, as the graph names it; empty where it has none. */
export function threadIdIn(runtime: unknown): string {
  const id = pick(
    pick(pick(runtime, 'config'), 'configurable') ?? pick(runtime, 'configurable'),
    'thread_id',
  );
  return typeof id === 'string' ? id : '';
}

const pick = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
