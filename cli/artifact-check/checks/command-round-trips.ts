import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactReference } from '../../../schemas/parse-artifact-reference.ts';
import { parseArtifactReference } from '../../../schemas/parse-artifact-reference.ts';
import { downloadArtifact } from '../../artifact/download-artifact.ts';
import { listArtifacts } from '../../artifact/list-artifacts.ts';
import type { AdapterProbe } from '../adapter-probe.ts';
import { openCommandBench, type CommandBench } from '../command-bench.ts';
import { ContractBreach, type ConformanceCheck } from '../conformance-check.ts';
import { trickyBytes } from '../probe-file.ts';

const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function attachOriginal(bench: CommandBench, label: string): Promise<ArtifactReference> {
  const filename = bench.name(label);
  const uploaded = await bench.upload(trickyBytes, {
    role: 'original',
    filename,
    mediaType: docx,
  });
  return readReference(uploaded.reference);
}

function readReference(text: string): ArtifactReference {
  const reference = parseArtifactReference(text);
  if (reference === undefined) throw new ContractBreach('the reference of an upload is none');
  return reference;
}

async function roundTrip(bench: CommandBench): Promise<void> {
  const reference = await attachOriginal(bench, 'command.docx');
  const listed = await listArtifacts(bench.context, { ...bench.owner, role: 'original' });
  if (!listed.some(({ attachment_id: id }) => id === reference.attachmentId))
    throw new ContractBreach('what `artifact upload` stored is not in `artifact list`');
  const destination = { folder: bench.folder, name: 'downloaded' };
  await downloadArtifact(bench.context, { reference, destination, overwrite: false });
  const bytes = await readFile(path.join(bench.folder, 'downloaded'));
  if (!bytes.equals(trickyBytes)) throw new ContractBreach('the bytes come back changed');
}

async function refuseStale(bench: CommandBench): Promise<void> {
  const reference = await attachOriginal(bench, 'stale.docx');
  const stale = { ...reference, sha256: '0'.repeat(64) };
  const destination = { folder: bench.folder, name: 'stale' };
  const download = downloadArtifact(bench.context, {
    reference: stale,
    destination,
    overwrite: false,
  });
  await bench.expectCode('artifact_revision_mismatch', download, 'another checksum');
}

async function attachCompanion(bench: CommandBench): Promise<void> {
  const original = await attachOriginal(bench, 'companion.docx');
  const kind = { role: 'preview', original } as const;
  const companion = await bench.upload(trickyBytes, kind);
  const originals = await listArtifacts(bench.context, { ...bench.owner, role: 'original' });
  if (originals.some(({ attachment_id: id }) => id === companion.attachment_id))
    throw new ContractBreach('a companion is listed as an original');
  await bench.expectCode(
    'artifact_companion_exists',
    bench.upload(trickyBytes, kind),
    'a second companion',
  );
}

function withBench(work: (bench: CommandBench) => Promise<void>) {
  return async (probe: AdapterProbe) => {
    const bench = await openCommandBench(probe.settings);
    try {
      await work(bench);
    } catch (error) {
      throw bench.explain(error);
    } finally {
      await bench.close();
    }
  };
}

/** What the commands themselves make of the adapter. */
export const commandRoundTrips: ConformanceCheck[] = [
  {
    name: 'command-round-trip',
    requirement: 'A1 A3',
    demand: 'artifact upload, list and download pass with it, to the byte',
    check: withBench(roundTrip),
  },
  {
    name: 'command-stale-reference',
    requirement: 'A11 A25',
    demand: 'artifact download refuses a reference with another checksum',
    check: withBench(refuseStale),
  },
  {
    name: 'command-companion',
    requirement: 'A15 A36',
    demand: 'a preview goes beside its original, once',
    check: withBench(attachCompanion),
  },
];
