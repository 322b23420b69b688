import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ProviderId } from '../../contract/app';
import { type Discovered, discoverModels, NOTHING_DISCOVERED } from '../../models/discover';
import { listedModel } from '../../models/keys';
import { OLLAMA_URL } from '../../models/ollama';
import type { ModelInfo } from '../../models/provider';
import type { ModelRef } from '../../models/registry';
import type { Storage } from '../../storage';

/** Name of the setting. */
const TESTED = 'models.tested';
/** Milliseconds that a turn waits for the list of a server. */
const KNOWN_WITHIN = 1_000;
/** Milliseconds before a server that gave no list is asked again: it may have been out of reach. */
const ASKED_AGAIN_AFTER = 60_000;
/** Maximum number of names kept for each provider. */
const TESTED_KEPT = 12;
const TestedNames = z.partialRecord(ProviderId, z.array(z.string()));
type TestedNames = z.infer<typeof TestedNames>;

interface ModelListsOptions {
  settings: Pick<Storage['settings'], 'get' | 'set'>;
  /** The servers to ask now: the address of Ollama, and the person's own server with the OpenAI API. `used`: that of a turn. */
  servers(
    used: ProviderId | undefined,
  ): Promise<{ ollamaUrl: string | null; own: { baseUrl: string; key: string | null } | null }>;
  /** `isAsked`: somebody asked for the lists, and servers may have come or gone. */
  changed(isAsked: boolean): Promise<void>;
}

/** The models that servers offer, and those that the person tested by name. */
export class ModelLists {
  discovered: Discovered = NOTHING_DISCOVERED;
  private asked = 0;
  private readonly closing = new AbortController();

  constructor(private readonly options: ModelListsOptions) {}

  /** Discovers servers on this machine, and asks the person's own server for its models; never fails. */
  async refresh(signal?: AbortSignal, isAsked = true, used?: ProviderId): Promise<void> {
    const asked = ++this.asked;
    const { ollamaUrl, own } = await this.options.servers(used);
    const discovered = await discoverModels(
      { ...(ollamaUrl === null ? {} : { ollamaUrl }), ...(own === null ? {} : { own }) },
      AbortSignal.any([this.closing.signal, ...(signal ? [signal] : [])]),
    );
    // A later request knows the present addresses.
    if (asked !== this.asked || this.closing.signal.aborted) return;
    this.discovered = discovered;
    await this.options.changed(isAsked);
  }

  /**
   * Asks the server at this address for its models, unless their list is known: context windows and prices are in it. A list that
   * takes longer than `KNOWN_WITHIN` serves later turns.
   */
  async know(provider: ProviderId, address: string | null): Promise<void> {
    const baseUrl = address ?? (provider === 'ollama' ? OLLAMA_URL : null);
    const { ollama, compatible } = this.discovered;
    const found = { ollama, 'openai-compatible': compatible }[provider as string];
    if (found === undefined || baseUrl === null || found?.baseUrl === baseUrl) return;
    const last = this.known.get(baseUrl);
    const isOver = last === undefined || Date.now() - last.at >= ASKED_AGAIN_AFTER;
    const asked = isOver ? this.refresh(undefined, false, provider) : last.asked;
    if (isOver) this.known.set(baseUrl, { asked, at: Date.now() });
    const over = new AbortController();
    const late = sleep(KNOWN_WITHIN, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([asked, late]);
    over.abort();
  }
  private readonly known = new Map<string, { asked: Promise<void>; at: number }>();

  /** The model in the list of the server at this address; null if it is not there. */
  find(ref: ModelRef, baseUrl: string | null): ModelInfo | null {
    return listedModel(ref, baseUrl, this.discovered);
  }

  /** Keeps the name of a model that answered, so that the picker offers it. */
  keepTested(provider: ProviderId, name: string): void {
    if (provider === 'offline') return;
    const names = this.testedNames();
    const kept = [name, ...(names[provider] ?? []).filter((one) => one !== name)].slice(0, TESTED_KEPT);
    this.options.settings.set(TESTED, { ...names, [provider]: kept });
  }

  testedNames(): TestedNames {
    return this.options.settings.get(TESTED, TestedNames) ?? {};
  }

  stop(): void {
    this.closing.abort();
  }
}
