import { z } from 'zod';
import { ProviderId } from '../app';
import { command, done, ModelName, nothing } from '../command';
import { ModelFacts, ModelOverride } from '../usage';

/** What a test of a model found. Whoever shows it has words for each, with what to do next. */
export const ModelTest = z.object({
  outcome: z.enum([
    'answered',
    'no_key',
    'bad_key',
    'no_quota',
    'rate_limited',
    'unknown_model',
    /** Something answers at the address, but no service of this kind. */
    'wrong_address',
    /** Nothing answers at the address that the person gave, or on this machine. */
    'unreachable',
    /** The provider's own address cannot be reached. */
    'no_network',
    'overloaded',
    /** Nothing came in time. */
    'no_answer',
    'ceiling',
    'other',
  ]),
  /** `provider:name` */
  model: z.string(),
  /** Milliseconds until the answer or the failure. */
  took: z.number(),
  /** The provider's own words, without keys. */
  detail: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
});
export type ModelTest = z.infer<typeof ModelTest>;

/** Providers, their keys and addresses, and what is known of their models. */
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
  /** Looks for local servers (Ollama, LM Studio) and, where there is one, its models. */
  'models.refresh': command(nothing, done),
  /** What is known of a model without what the person said of it. */
  'models.facts': command(z.strictObject({ model: ModelName }), z.object({ builtIn: ModelFacts })),
  /** What the person says of a model, in place of all that they said before; null takes it back. */
  'models.override': command(z.strictObject({ model: ModelName, override: ModelOverride.nullable() }), done),
  /** Asks a model one short question, without fall-backs and without asking again. It is paid for like any request. */
  'models.test': command(
    z.strictObject({
      provider: ProviderId,
      /** Its name as the provider writes it. */
      model: z.string().min(1).max(180),
    }),
    ModelTest,
  ),
  /**
   * Puts back what the key or the address of a provider was before it was changed last, or (`back: false`) forgets it.
   * Errors: `not_found` where it is forgotten already.
   */
  'models.undo': command(
    z.strictObject({ provider: ProviderId, what: z.enum(['key', 'address']), back: z.boolean() }),
    done,
  ),
} as const;
