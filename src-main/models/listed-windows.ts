import { optional } from '../contract/shared/optional';
import { objectOf } from './chat/loose';

/** Tokens of a plausible context window; a server without a limit may report 0 or a huge number. */
const MIN_WINDOW = 1_000;
const MAX_WINDOW = 100_000_000;

/** The smallest of the plausible ones. */
function smallest(...windows: unknown[]): number | undefined {
  const plausible = windows.filter(
    (tokens): tokens is number =>
      Number.isSafeInteger(tokens) && Number(tokens) >= MIN_WINDOW && Number(tokens) <= MAX_WINDOW,
  );
  return plausible.length === 0 ? undefined : Math.min(...plausible);
}

/**
 * The context window in a model list's entry: of vLLM and SGLang, LM Studio, Mistral, Together, OpenRouter, Groq, and
 * llama.cpp's server, which may have less memory than its model was trained with.
 */
export function windowIn(entry: unknown): number | undefined {
  const model = objectOf(entry);
  const { n_ctx, n_ctx_train } = objectOf(model.meta);
  const { context_length } = objectOf(model.top_provider);
  return (
    // LM Studio loads a model with less than its maximum.
    smallest(model.loaded_context_length) ??
    smallest(
      model.max_model_len,
      model.max_context_length,
      model.context_length,
      model.context_window,
      context_length,
      n_ctx,
      n_ctx_train,
    )
  );
}

/**
 * What Ollama's `/api/show` tells of a model: `max`, with how many tokens it was trained, and `own`, those of its Modelfile.
 */
export function windowsInShow(answer: unknown): { max?: number; own?: number } {
  const { model_info, parameters } = objectOf(answer);
  const info = objectOf(model_info);
  const lengths = Object.keys(info).filter((name) => name.endsWith('.context_length'));
  const max = smallest(...lengths.map((name) => info[name]));
  const [, own] = /^num_ctx\s+(\d+)\s*$/mu.exec(typeof parameters === 'string' ? parameters : '') ?? [];
  return optional({ max, own: smallest(Number(own)) });
}

/** The context window of a llama.cpp server in the answer of its `/props`. */
export const windowInProps = (props: unknown): number | undefined =>
  smallest(objectOf(objectOf(props).default_generation_settings).n_ctx);

/** Whether llama.cpp's server made this entry. */
export const isOfLlamaCpp = (entry: unknown): boolean =>
  objectOf(entry).owned_by === 'llamacpp' || 'n_ctx_train' in objectOf(objectOf(entry).meta);
