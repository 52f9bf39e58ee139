import { describe, expect, it } from 'vitest';
import type { SchemaValidator } from '../../functions/ports/schema-validator.ts';

/** What every schema validator does, whatever checks. */
export function describeSchemaValidatorContract(name: string, create: () => SchemaValidator): void {
  const invoice = {
    type: 'object',
    required: ['total'],
    properties: { total: { type: 'number' }, name: { type: 'string' } },
  };

  describe(`${name} as a schema validator`, () => {
    it('finds no fault in a value that fits', () => {
      expect(create().validate(invoice, { total: 12, name: 'March' })).toEqual([]);
    });

    it('names the place of each fault, one line each', () => {
      expect(create().validate(invoice, {}).join()).toContain('total');
      const faults = create().validate(invoice, { total: '12', name: 3 });
      expect(faults).toHaveLength(2);
      expect(faults.join('\n')).toContain('/total');
      expect(faults.join('\n')).toContain('/name');
      expect(faults.every((fault) => !fault.includes('\n'))).toBe(true);
    });

    it('lists at most twenty faults', () => {
      const names = Array.from({ length: 30 }, (_, place) => `field-${String(place)}`);
      expect(create().validate({ type: 'object', required: names }, {})).toHaveLength(20);
    });
  });
}
