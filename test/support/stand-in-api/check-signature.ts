import type { IncomingMessage } from 'node:http';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';

export const standInKey = {
  accessKeyId: 'AKIASTANDIN000000000',
  secretAccessKey: 'stand-in-secret-that-must-never-be-printed',
};
export const standInRegion = 'eu-central-1';

/** Undefined when the call is signed with the one key over this method, path, query and body; else what API Gateway would say. */
export async function checkSignature(
  request: IncomingMessage,
  body: string,
): Promise<string | undefined> {
  const header = request.headers.authorization;
  if (header === undefined) return 'Missing Authentication Token';
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/execute-api\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (parts === null) return 'Authorization header is malformed';
  const [, key, , region, signedNames = '', signature] = parts;
  if (key !== standInKey.accessKeyId)
    return 'The security token included in the request is invalid.';
  if (region !== standInRegion) return `Credential should be scoped to a valid region.`;
  const names = signedNames.split(';');
  if (!names.includes('host') || !names.includes('x-amz-date')) return 'host is not signed';
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const date = String(request.headers['x-amz-date']);
  const signer = new SignatureV4({
    service: 'execute-api',
    region: standInRegion,
    credentials: standInKey,
    sha256: Sha256,
    applyChecksum: false,
  });
  const again = await signer.sign(
    {
      method: request.method ?? '',
      protocol: 'https:',
      hostname: 'stand-in',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
      body,
    },
    {
      signingDate: new Date(
        date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'),
      ),
    },
  );
  if (again.headers['authorization']?.endsWith(signature ?? '') === true) return undefined;
  return `The request signature we calculated does not match the signature you provided.\n\nThe Canonical String for this request should have been 'POST x-amz-security-token:${String(request.headers['x-amz-security-token'])}'`;
}
