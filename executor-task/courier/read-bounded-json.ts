/** Parses a body of at most that many bytes; a longer one is not read to its end. */
export async function readBoundedJson(response: Response, limitBytes: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body !== null) {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      // Leaving the loop cancels the body.
      if (size > limitBytes) throw new RangeError('the answer is longer than any of ours');
      chunks.push(chunk);
    }
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
}
