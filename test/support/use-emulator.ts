import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { inject } from 'vitest';
import type { EmulatorState } from '../local/stack-state.ts';
import './emulator-global-setup.ts';

export interface EmulatorCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Fits every AWS SDK client; S3 uses path-style addresses by itself, as the host is an IP. */
export interface EmulatorClientConfig {
  endpoint: string;
  region: string;
  credentials: EmulatorCredentials;
  /** A refusal must show at once instead of after retries. */
  maxAttempts: number;
}

export interface UsedEmulator {
  emulator: EmulatorState;
  /** As root of the emulated account. */
  clientConfig: EmulatorClientConfig;
  /** As somebody else, such as the credentials from an `AssumeRole` call. */
  configureAs: (credentials: EmulatorCredentials) => EmulatorClientConfig;
}

/** Makes this process trust one emulator's certificate and describes how to reach it. */
export function connectToEmulator(emulator: EmulatorState): UsedEmulator {
  const certificate = readFileSync(emulator.certificate, 'utf8');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate]);
  const configureAs = (credentials: EmulatorCredentials): EmulatorClientConfig => ({
    endpoint: emulator.endpoint,
    region: emulator.region,
    credentials,
    maxAttempts: 1,
  });
  const { accessKeyId, secretAccessKey } = emulator;
  return {
    emulator,
    clientConfig: configureAs({ accessKeyId, secretAccessKey }),
    configureAs,
  };
}

/** The emulator that the global setup started for this run. */
export function useEmulator(): UsedEmulator {
  return connectToEmulator(inject('emulator'));
}

/** Tests share one emulator, so every table, bucket and role needs a name of its own. */
export function uniqueName(prefix: string): string {
  return `${prefix}-${randomUUID().slice(0, 8)}`;
}
