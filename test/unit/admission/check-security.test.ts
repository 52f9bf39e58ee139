import { describe, expect, it } from 'vitest';
import { admitResponse } from '../../../functions/domain/admission/admit-response.ts';
import { admitChanged, listFailed } from './admit-changed.ts';
import { composeGoodFacts, withOutputText } from './good-facts.ts';

describe('security', () => {
  const admitText = (name: string, text: string) =>
    admitResponse(withOutputText(composeGoodFacts(), name, text));

  it.each([
    ['a script', '<p>6</p><script>run()</script>'],
    ['a script in capitals', '<SCRIPT src=x></SCRIPT>'],
    ['a handler', '<img src=x onerror=run()>'],
    ['a handler behind a closing bracket in an attribute', '<img alt=">" onerror=run()>'],
    ['a handler without white space', '<svg/onload=run()>'],
    ['a script address', '<a href="javascript:run()">6</a>'],
    ['a script address in references', '<a href="&#106;ava&#x73;cript&colon;run()">6</a>'],
    ['a script address with a tab', '<a href="java\tscript:run()">6</a>'],
    ['a frame', '<iframe src=x></iframe>'],
    ['a refresh', '<meta http-equiv="refresh" content="0;url=x">'],
    ['a script between NUL characters', '<\0s\0c\0r\0i\0p\0t\0>'],
  ])('E36 refuses an HTML output with %s', (_title, text) => {
    const admission = admitText('page', text);
    expect(listFailed(admission)).toEqual(['SECURITY']);
    expect(admission.decision).toMatchObject({ end: 'FAILED', reason: 'VALIDATION_FAILED' });
  });

  it('E36 takes an HTML output that only speaks of such things', () => {
    const text = '<p>The description: money only = 5, on average; java script, iframes</p>';
    expect(admitText('page', text).decision.end).toBe('SUCCEEDED');
  });

  it('E36 takes markup in an output that nobody renders', () => {
    const text = JSON.stringify({ html: '<script>run()</script>' });
    expect(admitText('summary', text).decision.end).toBe('SUCCEEDED');
  });

  it.each([
    ['an access key id', `AKIA${'ABCDEFGH'.repeat(2)}`],
    ['a temporary access key id', `ASIA${'ABCDEFGH'.repeat(2)}`],
    ['a private key', ['-----BEGIN RSA', 'PRIVATE', 'KEY-----'].join(' ')],
    ['a secret key', `aws_secret_access_key = ${'a1B2'.repeat(10)}`],
  ])('E36 refuses an output with %s, and does not repeat it', (_title, secret) => {
    const admission = admitText('summary', JSON.stringify({ secret }));
    expect(listFailed(admission)).toEqual(['SECURITY']);
    expect(JSON.stringify(admission)).not.toContain(secret);
  });

  it('E36 refuses a secret in a note', () => {
    const admission = admitChanged((facts) => {
      facts.response.observations.push({ type: 'NOTE', detail: `AKIA${'ABCDEFGH'.repeat(2)}` });
    });
    expect(listFailed(admission)).toEqual(['SECURITY']);
  });

  it('E36 takes a text that only looks a little like a key', () => {
    expect(admitText('summary', '{"word":"ASIAN","id":"AKIA123"}').decision.end).toBe('SUCCEEDED');
  });

  it('scans a large hostile text in linear time', () => {
    const text = '<'.repeat(400_000) + 'on'.repeat(400_000) + '&#'.repeat(200_000);
    const facts = withOutputText(composeGoodFacts(), 'page', text);
    const started = performance.now();
    admitResponse(facts);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
