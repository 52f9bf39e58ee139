import {
  ARGUMENT_BYTES,
  DATA_OFFSET,
  decodeFilter,
  OPCODE,
} from '../../../executor-task/sandbox/seccomp/filter-instruction.ts';

export interface FilteredCall {
  readonly syscall: number;
  readonly architecture: number;
  readonly arguments?: readonly bigint[];
}

/** What the kernel would answer: runs the program over one call, with classic BPF semantics. */
export function interpretFilter(filter: Uint8Array, call: FilteredCall): number {
  const program = decodeFilter(filter);
  const data = layOutCall(call);
  let accumulator = 0;
  let position = 0;
  for (;;) {
    const instruction = program[position];
    if (instruction === undefined)
      throw new RangeError(`ran off the program at ${String(position)}`);
    const { code, operand, jumpTrue, jumpFalse } = instruction;
    position += 1;
    switch (code) {
      case OPCODE.load:
        accumulator = data.getUint32(operand, true);
        break;
      case OPCODE.and:
        accumulator = (accumulator & operand) >>> 0;
        break;
      case OPCODE.jumpIfEqual:
        position += accumulator === operand ? jumpTrue : jumpFalse;
        break;
      case OPCODE.jumpIfAtLeast:
        position += accumulator >= operand ? jumpTrue : jumpFalse;
        break;
      case OPCODE.answer:
        return operand;
      default:
        throw new RangeError(`unknown instruction ${String(code)}`);
    }
  }
}

function layOutCall(call: FilteredCall): DataView {
  const view = new DataView(new ArrayBuffer(64));
  view.setUint32(DATA_OFFSET.syscall, call.syscall >>> 0, true);
  view.setUint32(DATA_OFFSET.architecture, call.architecture, true);
  for (const [index, value] of (call.arguments ?? []).entries()) {
    view.setBigUint64(DATA_OFFSET.firstArgument + index * ARGUMENT_BYTES, value, true);
  }
  return view;
}
