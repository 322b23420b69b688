/** What LangChain makes of a name such as `anthropic:claude-sonnet-4-6`. The chat model itself is made at each request. */
interface NamedModel {
  _defaultConfig?: { modelProvider?: unknown; model?: unknown };
}

/** Providers by the class of a chat model. */
const PROVIDERS: Readonly<Record<string, string>> = {
  ChatAnthropic: 'anthropic',
  ChatBedrockConverse: 'bedrock',
  ChatOpenAI: 'openai',
  ChatGoogleGenerativeAI: 'google',
};

/** Names that LangChain takes without a provider. */
const NAMES: readonly [start: string, provider: string][] = [
  ['claude', 'anthropic'],
  ['amazon.', 'bedrock'],
];

/** The provider of a model, as LangChain names it. Undefined if it is unknown. */
export function providerOf(model: unknown): string | undefined {
  if (typeof model === 'string') {
    const [provider, name] = model.split(':', 2);
    return name === undefined ? NAMES.find(([start]) => model.startsWith(start))?.[1] : provider;
  }
  const config = configOf(model);
  if (config === undefined)
    return PROVIDERS[classOf(model)] ?? (isOfAnthropic(model) ? 'anthropic' : undefined);
  return text(config.modelProvider) ?? providerOf(config.model);
}

/** The name of a chat model without its provider. Undefined if it has none. */
export function modelNameOf(model: object): string | undefined {
  const named = configOf(model);
  if (named !== undefined) return text(named.model);
  return ['model', 'model_name', 'modelName'].map((key) => text(Reflect.get(model, key))).find(Boolean);
}

export const isAnthropic = (model: unknown): boolean => providerOf(model) === 'anthropic';

export const isBedrock = (model: unknown): boolean => ['bedrock', 'aws'].includes(providerOf(model) ?? '');

const configOf = (model: unknown): NamedModel['_defaultConfig'] =>
  classOf(model) === 'ConfigurableModel' ? ((model as NamedModel)._defaultConfig ?? {}) : undefined;

/** What models call themselves that speak to Anthropic with a class of their own. */
const isOfAnthropic = (model: unknown): boolean =>
  (model as { _llmType?: () => string } | undefined)?._llmType?.() === 'anthropic';

function classOf(model: unknown): string {
  const { getName } = (model ?? {}) as { getName?: () => string };
  return typeof getName === 'function' ? getName.call(model) : '';
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
