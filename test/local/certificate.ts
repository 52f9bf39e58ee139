import { writeFile } from 'node:fs/promises';
import { generate } from 'selfsigned';

const validDays = 365;
const dnsName = 2;
const ipAddress = 7;

export interface CertificatePlace {
  certificate: string;
  certificateKey: string;
  /** A client that trusts several emulators tells their certificates apart by the subject. */
  commonName: string;
}

/**
 * A certificate for this stack alone, in PEM. Clients trust nothing else, so what answers with it
 * is this stack's emulator and no other.
 */
export async function writeCertificate({
  certificate,
  certificateKey,
  commonName,
}: CertificatePlace): Promise<void> {
  const pem = await generate([{ name: 'commonName', value: commonName }], {
    algorithm: 'sha256',
    keyType: 'ec',
    curve: 'P-256',
    notAfterDate: new Date(Date.now() + validDays * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: dnsName, value: 'localhost' },
          { type: ipAddress, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  await writeFile(certificateKey, pem.private, { mode: 0o600 });
  await writeFile(certificate, pem.cert, { mode: 0o644 });
}
