import type { AdapterProbe } from '../adapter-probe.ts';
import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { inventBytes, trickyBytes, type ProbeFile } from '../probe-file.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** Many times what a pipe holds, and no whole number of any block. */
const severalPipesBytes = 1_048_583;

async function roundTrip(probe: AdapterProbe, file: ProbeFile): Promise<void> {
  const record = await probe.attach(file);
  const listed = (await probe.listRecords()).find(({ id }) => id === record.id);
  if (listed === undefined) throw new ContractBreach('what was stored is not listed');
  if (listed.sha256 !== file.sha256 || listed.size !== file.size)
    throw new ContractBreach('it is listed with another size or SHA-256 than was stored');
  const bytes = await probe.fetch(record.id);
  if (!bytes.equals(file.bytes))
    throw new ContractBreach(
      `the bytes come back changed: ${String(file.size)} were stored, ${String(bytes.length)} came back`,
    );
}

export const roundTrips: ConformanceCheck[] = [
  {
    name: 'exact-bytes',
    requirement: 'A54 A57',
    demand: 'bytes of every value come back exactly, and are listed with their SHA-256',
    check: async (probe) => {
      await roundTrip(probe, probe.makeFile('bytes.bin', trickyBytes));
    },
  },
  {
    name: 'large-file',
    requirement: 'A54',
    demand: 'a file of 1 MiB, many times what a pipe holds, comes back exactly',
    check: async (probe) => {
      await roundTrip(probe, probe.makeFile('large.bin', inventBytes(severalPipesBytes)));
    },
  },
  {
    name: 'empty-file',
    requirement: 'A54',
    demand: 'an empty file is stored and comes back empty',
    check: async (probe) => {
      await roundTrip(probe, probe.makeFile('empty.bin', Buffer.alloc(0)));
    },
  },
  {
    name: 'record-of-an-upload',
    requirement: 'A37 A52',
    demand: 'an upload is answered with the name and the media type that were sent',
    check: async (probe) => {
      const file = probe.makeFile('Übersicht 1.docx', inventBytes(500), docx);
      const record = await probe.attach(file);
      if (record.filename !== file.name)
        throw new ContractBreach('a name with a space and a letter beyond ASCII is changed');
      if (record.content_type !== docx) throw new ContractBreach('the media type is changed');
      const listed = (await probe.listRecords()).find(({ id }) => id === record.id);
      if (listed?.filename !== file.name || listed.content_type !== docx)
        throw new ContractBreach('it is listed with another name or media type');
    },
  },
];
