import { describe, expect, it } from 'vitest';
import { assertLocalEndpoint } from '../../local/assert-local-endpoint.ts';
import { localiseApiUrl } from '../../local/localise-api-url.ts';

describe('endpoint', () => {
  it.each(['https://127.0.0.1:4566', 'https://localhost:1', 'http://[::1]:80'])(
    '%s is this machine',
    (endpoint) => {
      expect(() => {
        assertLocalEndpoint(endpoint);
      }).not.toThrow();
    },
  );

  it.each([
    'https://s3.us-east-1.amazonaws.com',
    'https://localhost.example.com',
    'https://127.0.0.1.example.com',
    'https://127.0.0.1@example.com',
    'https://user:secret@127.0.0.1',
    'https://10.0.0.1',
    'localhost:4566',
    'not an address',
  ])('%s is refused', (endpoint) => {
    expect(() => {
      assertLocalEndpoint(endpoint);
    }).toThrow(/endpoint/);
  });
});

describe('API address', () => {
  const endpoint = 'https://127.0.0.1:4000';

  it.each([
    ['https://ab12.execute-api.us-east-1.amazonaws.com/prod/', '/_aws/execute-api/ab12/prod/'],
    ['https://ab12.execute-api.eu-west-1.amazonaws.com', '/_aws/execute-api/ab12'],
    [
      'https://ab12-vpce-0a1b.execute-api.us-east-1.amazonaws.com/prod/claim',
      '/_aws/execute-api/ab12/prod/claim',
    ],
  ])('%s becomes local', (address, path) => {
    expect(localiseApiUrl(address, endpoint)).toBe(`${endpoint}${path}`);
  });

  it.each([
    'https://execute-api.us-east-1.amazonaws.com.example.com/prod',
    'https://ab12.execute-api.us-east-1.amazonaws.com.example.com/',
    'arn:aws:execute-api:us-east-1:000000000000:ab12/prod',
    'plain text',
  ])('%s stays as it is', (text) => {
    expect(localiseApiUrl(text, endpoint)).toBe(text);
  });
});
