const extensions: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/javascript': 'js',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/x-ndjson': 'ndjson',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'application/zip': 'zip',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/xml': 'xml',
};

/** The extension that people expect for a media type, without a dot; `bin` for one that is not known. */
export function findFileExtension(mediaType: string): string {
  if (Object.hasOwn(extensions, mediaType)) return extensions[mediaType] ?? 'bin';
  if (mediaType.endsWith('+json')) return 'json';
  if (mediaType.endsWith('+xml')) return 'xml';
  if (mediaType.endsWith('+zip')) return 'zip';
  return mediaType.startsWith('text/') ? 'txt' : 'bin';
}
