/** One `struct sock_filter` (linux/filter.h). */
export interface FilterInstruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly operand: number;
}

/** BPF_LD|W|ABS, BPF_JMP|JEQ|K, BPF_JMP|JGE|K, BPF_ALU|AND|K and BPF_RET|K. */
export const OPCODE = {
  load: 0x20,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  and: 0x54,
  answer: 0x06,
} as const;

/** Offsets into `struct seccomp_data`; an argument is 64 bits, little-endian, so its low half comes first. */
export const DATA_OFFSET = { syscall: 0, architecture: 4, firstArgument: 16 } as const;
export const ARGUMENT_BYTES = 8;

const INSTRUCTION_BYTES = 8;
const LONGEST_JUMP = 255;

/**
 * The program as the kernel reads it: little-endian `sock_filter` structures.
 * @throws RangeError when a conditional jump is too long for its byte.
 */
export function encodeFilter(program: readonly FilterInstruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * INSTRUCTION_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, instruction] of program.entries()) {
    if (instruction.jumpTrue > LONGEST_JUMP || instruction.jumpFalse > LONGEST_JUMP) {
      throw new RangeError(`filter instruction ${String(index)} jumps further than 255`);
    }
    const offset = index * INSTRUCTION_BYTES;
    view.setUint16(offset, instruction.code, true);
    view.setUint8(offset + 2, instruction.jumpTrue);
    view.setUint8(offset + 3, instruction.jumpFalse);
    view.setUint32(offset + 4, instruction.operand >>> 0, true);
  }
  return bytes;
}

/** The inverse of `encodeFilter`. */
export function decodeFilter(bytes: Uint8Array): FilterInstruction[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const program: FilterInstruction[] = [];
  for (let offset = 0; offset < bytes.byteLength; offset += INSTRUCTION_BYTES) {
    program.push({
      code: view.getUint16(offset, true),
      jumpTrue: view.getUint8(offset + 2),
      jumpFalse: view.getUint8(offset + 3),
      operand: view.getUint32(offset + 4, true),
    });
  }
  return program;
}
