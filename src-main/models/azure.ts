/** Resources of Azure OpenAI and of Azure AI Foundry, also in the clouds of governments and of China. */
const RESOURCE = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.(?:com|us|cn)$/iu;

/** Not a token of Entra ID, which Azure takes as a bearer token. */
const KEY = /^Bearer (?!eyJ[\w-]*\.[\w-]*\.[\w-]*$)(.*)$/u;

/**
 * The headers of a request with OpenAI's API as Azure reads them. Its addresses with a deployment in their path take a key
 * only in `api-key`, and those with `/openai/v1` also there.
 */
export function keyHeaders(address: string | URL, given: RequestInit['headers']): Headers {
  const headers = new Headers(given);
  const key = KEY.exec(headers.get('authorization') ?? '')?.[1];
  const url = String(address);
  if (key !== undefined && URL.canParse(url) && RESOURCE.test(new URL(url).hostname)) {
    headers.delete('authorization');
    headers.set('api-key', key);
  }
  return headers;
}
