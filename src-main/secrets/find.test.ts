import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { standardTime } from '../base/testing/processor-time';
import { findSecrets } from './find';

/** Random-looking, but the same each time. */
function letters(
  length: number,
  alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  seed = 7,
) {
  let state = seed;
  let text = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length];
  }
  return text;
}
const HEX = '0123456789abcdef';
const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${b64({ alg: 'HS256', typ: 'JWT' })}.${b64({ sub: '1234567890', iat: 1516239022 })}.${letters(43)}`;
const PEM = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...[1, 2, 3, 4, 5].map((n) => letters(64, undefined, n)),
  '-----END RSA PRIVATE KEY-----',
].join('\n');

const secretsIn = (text: string) =>
  findSecrets(text).map(({ start, end, kind }) => [kind, text.slice(start, end)]);

describe('known forms', () => {
  const forms: [string, string, string][] = [
    ['aws-key', `AKIA${letters(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`, 'id = $'],
    ['github-token', `ghp_${letters(36)}`, 'git clone https://$@github.com/a/b'],
    ['github-token', `github_pat_${letters(82)}`, '$'],
    ['gitlab-token', `glpat-${letters(20)}`, 'PRIVATE-TOKEN: $'],
    ['slack-token', `xoxb-${letters(12, '0123456789')}-${letters(24)}`, '"$"'],
    ['stripe-key', `sk_live_${letters(24)}`, "stripe('$')"],
    ['openai-key', `sk-proj-${letters(60)}`, 'key $.'],
    ['openai-key', `sk-${letters(48)}`, 'x=$;'],
    ['anthropic-key', `sk-ant-api03-${letters(90)}`, '$'],
    ['google-key', `AIza${letters(35)}`, 'https://maps/api?key=$&v=3'],
    ['npm-token', `npm_${letters(36)}`, '//packages.example.com/:_authToken=$'],
    ['service-token', `hf_${letters(34)}`, '$'],
    ['service-token', `glsa_${letters(32)}_${letters(8, HEX)}`, 'url = $'],
    ['service-token', `lin_api_${letters(40)}`, '$'],
    ['service-token', `ntn_${letters(46)}`, '"$"'],
    ['service-token', `hvs.${letters(90)}`, 'login $'],
    ['service-token', `dp.pt.${letters(43)}`, '$'],
    ['service-token', `sbp_${letters(40, HEX)}`, 'x $ y'],
    ['service-token', `sntryu_${letters(64, HEX)}`, '$'],
    ['service-token', `HRKU-${letters(8, HEX)}-${letters(30, HEX)}`, '$'],
    ['service-token', `rubygems_${letters(48, HEX)}`, '$'],
    ['service-token', `dckr_pat_${letters(27)}`, 'docker login -p $'],
    ['service-token', `tskey-auth-${letters(12)}-${letters(32)}`, '$'],
    ['service-token', `dapi${letters(32, HEX)}`, 'host, $'],
    ['service-token', `ATATT3${letters(180)}`, '$'],
    ['jwt', JWT, 'cookie: session=$; path=/'],
  ];
  it.each(forms)('%s is found: %s', (kind, value, around) => {
    expect(secretsIn(around.replace('$', () => value))).toEqual([[kind, value]]);
  });

  it('finds a whole private key, even after line numbers and in a string', () => {
    expect(secretsIn(`before\n${PEM}\nafter`)).toEqual([['private-key', PEM]]);
    const numbered = PEM.split('\n')
      .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
      .join('\n');
    expect(secretsIn(numbered)).toEqual([['private-key', numbered.slice(7)]]);
    const inJson = JSON.stringify({ private_key: PEM });
    expect(secretsIn(inJson)).toEqual([['private-key', JSON.stringify(PEM).slice(1, -1)]]);
  });

  it('hides all of a page that contains part of a private key', () => {
    const lines = PEM.split('\n');
    expect(secretsIn(lines.slice(0, 3).join('\n'))).toEqual([['private-key', lines.slice(0, 3).join('\n')]]);
    expect(secretsIn(`x\n${lines.slice(3).join('\n')}\nend`)).toEqual([
      ['private-key', lines.slice(3).join('\n')],
    ]);
  });

  it('finds only the password in an address', () => {
    expect(secretsIn('DATABASE_URL=postgres://app:s3cr3tPass9@db.internal:5432/app')).toEqual([
      ['url-password', 's3cr3tPass9'],
    ]);
    expect(secretsIn('mongodb+srv://root:Tr0ub4dor@cluster0.example.net')).toEqual([
      ['url-password', 'Tr0ub4dor'],
    ]);
    expect(secretsIn('postgres://postgres:postgres@localhost postgres://$USER:$PASSWORD@host')).toEqual([]);
  });

  it('finds the account key in an Azure connection string', () => {
    const key = `${letters(86)}==`;
    expect(
      secretsIn(`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${key};EndpointSuffix=x`),
    ).toEqual([['azure-key', key]]);
  });
});

describe('values with telling names', () => {
  const named: [string, string][] = [
    ['DB_PASSWORD=hunter22', 'hunter22'],
    ['export API_KEY=9f8e7d6c5b4a39281706f5e4', '9f8e7d6c5b4a39281706f5e4'],
    ['SECRET_KEY_BASE="kJ82hs91ksOq02nsLa91Msp"', 'kJ82hs91ksOq02nsLa91Msp'],
    ['{"clientSecret": "Zk3~8Q1aPq92mX.0sL2d"}', 'Zk3~8Q1aPq92mX.0sL2d'],
    ["  password: 'c0rrect-h0rse-battery'", 'c0rrect-h0rse-battery'],
    [
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz91Lq02Ns',
      'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz91Lq02Ns',
    ],
    ['Authorization: Bearer 8a7d6f5e4c3b2a190807f6e5d4c3', '8a7d6f5e4c3b2a190807f6e5d4c3'],
    ['curl --token 8a7d6f5e4c3b2a190807f6e5 x', '8a7d6f5e4c3b2a190807f6e5'],
    ['JWT_SIGNING_KEY=f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  ];
  it.each(named)('%s', (text, value) => {
    expect(secretsIn(text).map(([, found]) => found)).toEqual([value]);
  });

  const ordinary = [
    'const token = await getToken(request);',
    'password: string;',
    'if (token === other.token2) return tokens[0];',
    'max_tokens: 4096, tokenizer: "cl100k_base"',
    'API_KEY=your_api_key_here',
    `PASSWORD=\${DB_PASSWORD}`,
    'password: "Please enter your password"',
    'SECRET_NAME=projects/1/secrets/abc123def456',
    'TOKEN=<paste it here>',
    'token: "csrf-token"',
    'process.env.OPENAI_API_KEY',
    'apiKey: process.env.OPENAI_API_KEY2 ?? config.keys.openai',
    '"publicKey": "f81d4fae7dec11d0a76500a0c91e6bf6"',
    'const SORT_KEY = "created2024-01-01at"',
    'id: f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8',
    '"integrity": "sha512-2DdQZ+tFNzYHzjQm0QdQm6HkrzXCaY7e5m0sXb0QyVwQ5E4yqZ1bXw7ZC0w9QnFkqf8hGmS1cC2w3xQ7z7g1dw=="',
    '-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END CERTIFICATE-----',
    'text.includes("-----BEGIN RSA PRIVATE KEY-----")',
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'sk-learn-contrib-packages-are-many-here',
    'Passwords must have 12 characters. password=********',
    '[secret redacted: GitHub token, #3]',
    'API_KEY=[secret redacted: secret value, #4]',
    'password = hash.digest("hex")',
  ];
  it.each(ordinary)('nothing is found in: %s', (text) => {
    expect(secretsIn(text)).toEqual([]);
  });
});

describe('ordinary files', () => {
  it('have no secrets: a lock file, a base64 image and lines of digests', () => {
    expect(secretsIn(readFileSync('package-lock.json', 'utf8'))).toEqual([]);
    const picture = `<img src="data:image/png;base64,${Buffer.from(letters(60_000)).toString('base64')}">`;
    expect(secretsIn(picture)).toEqual([]);
    const digests = Array.from({ length: 2_000 }, (_, n) => `${letters(64, HEX, n)}  file-${n}.js`).join(
      '\n',
    );
    expect(secretsIn(digests)).toEqual([]);
  });
});

describe('time', () => {
  const MB = 1_000_000;
  const texts: [string, string][] = [
    ['source text', `const token = request.headers["x-token"]; // password\n`.repeat(180_000)],
    ['one long line', letters(10 * MB)],
    ['beginnings alone', 'sk-'.repeat(3 * MB)],
    ['heads of signed tokens', `eyJ${'a'.repeat(2_000)}.`.repeat(5_000)],
    ['keys that do not end', '-----BEGIN PRIVATE KEY-----\n'.repeat(350_000)],
    ['names alone', 'password='.repeat(MB)],
    ['addresses', 'https://a:'.repeat(MB)],
    ['words of one sign', `api_key: "${'_'.repeat(60)}1"\n`.repeat(MB / 10)],
  ];
  it.each(texts)('searches 10 MB of %s in bounded time', async (_name, text) => {
    // Generous: a version that is not linear would take minutes.
    expect(await standardTime(() => findSecrets(text), 1)).toBeLessThan(8_000);
  });
});
