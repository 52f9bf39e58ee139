declare module 'asl-validator' {
  /** Adds `QueryLanguage` to the states of what it is given. */
  export default function validate(definition: unknown): {
    isValid: boolean;
    errorsText: (separator?: string) => string;
  };
}
