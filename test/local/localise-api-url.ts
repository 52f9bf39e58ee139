const apiHost =
  /^https:\/\/([a-z0-9]+)(?:-vpce-[a-z0-9]+)?\.execute-api\.[a-z0-9-]+\.amazonaws\.com(\/|$)/;

/**
 * The address of an API Gateway stage on the local stack, for an address as CloudFormation makes
 * it; any other text is returned as it is.
 */
export function localiseApiUrl(text: string, endpoint: string): string {
  return text.replace(apiHost, (_match, apiId: string, separator: string) => {
    return `${endpoint}/_aws/execute-api/${apiId}${separator}`;
  });
}
