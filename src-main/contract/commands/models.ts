import { z } from 'zod';
import { ProviderId } from '../app';
import { command, done, ModelName, nothing } from '../command';
import { ModelFacts, ModelOverride } from '../usage';

/** The result of a model test. The UI has a message for each, with the next step. */
export const ModelTest = z.object({
  outcome: z.enum([
    'answered',
    'no_key',
    'bad_key',
    'no_quota',
    'rate_limited',
    'unknown_model',
    /** Something responds at the address, but not a service of this kind. */
    'wrong_address',
    /** Nothing responds at the person's address or on this machine. */
    'unreachable',
    /** The provider's default address cannot be reached. */
    'no_network',
    'overloaded',
    /** The request timed out. */
    'no_answer',
    'ceiling',
    'other',
  ]),
  /** `provider:name` */
  model: z.string(),
  /** Milliseconds until the answer or the failure. */
  took: z.number(),
  /** The provider's message, without keys. */
  detail: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
});
export type ModelTest = z.infer<typeof ModelTest>;

/** Providers, their keys and addresses, and facts about their models. */
export const modelsCommands = {
  /** The key goes in and never comes out; null removes it. */
  'models.setKey': command(
    z.strictObject({ provider: ProviderId, key: z.string().min(1).max(1_000).nullable() }),
    done,
  ),
  'models.setBaseUrl': command(
    z.strictObject({ provider: ProviderId, baseUrl: z.url().max(2_000).nullable() }),
    done,
  ),
  /** Looks for local servers (Ollama, LM Studio) and lists their models. */
  'models.refresh': command(nothing, done),
  /** Facts about a model without the person's corrections. */
  'models.facts': command(z.strictObject({ model: ModelName }), z.object({ builtIn: ModelFacts })),
  /** Replaces the person's corrections for a model; null removes them. */
  'models.override': command(z.strictObject({ model: ModelName, override: ModelOverride.nullable() }), done),
  /** Asks a model one short question, without fallbacks or retries. It costs as much as any request. */
  'models.test': command(
    z.strictObject({
      provider: ProviderId,
      /** The provider's name for it. */
      model: z.string().min(1).max(180),
    }),
    ModelTest,
  ),
  /**
   * Restores the previous key or address of a provider, or (`back: false`) forgets it. Errors: `not_found` if it is already
   * forgotten.
   */
  'models.undo': command(
    z.strictObject({ provider: ProviderId, what: z.enum(['key', 'address']), back: z.boolean() }),
    done,
  ),
} as const;
