import { createHash } from 'node:crypto';
import type { Digest, DigestDocument } from './compose-digest.ts';
import { digestStyle } from './digest-style.ts';
import { escapeHtml } from './escape-html.ts';
import { groupDigits } from './group-digits.ts';

const styleHash = createHash('sha256').update(digestStyle).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/** One page without scripts, images or addresses: it opens anywhere and asks nothing of the network. */
export function renderHtml(digest: Digest): string {
  const lead = digest.subtitle === '' ? '' : `<p class="lead">${escapeHtml(digest.subtitle)}</p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(digest.title)}</title>
<style>${digestStyle}</style>
</head>
<body>
<header>
<h1>${escapeHtml(digest.title)}</h1>
${lead}<ul class="figures">
<li><b>${groupDigits(digest.documents.length)}</b> documents</li>
<li><b>${groupDigits(digest.words)}</b> words</li>
<li><b>${groupDigits(digest.terms)}</b> terms</li>
</ul>
</header>
<main>
${renderContents(digest)}
${renderShared(digest)}${digest.documents.map(renderDocument).join('\n')}
</main>
</body>
</html>
`;
}

function renderContents(digest: Digest): string {
  const rows = digest.documents.map(
    ({ number, title, kind, words }) =>
      `<tr><td>${String(number)}. <a href="#document-${String(number)}">${escapeHtml(title)}</a></td>` +
      `<td>${escapeHtml(kind)}</td><td>${groupDigits(words)}</td></tr>`,
  );
  return `<section>
<h2>Contents</h2>
<div class="scroll"><table>
<thead><tr><th>Document</th><th>Kind</th><th>Words</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>
</section>`;
}

function renderShared(digest: Digest): string {
  if (digest.shared.length === 0) return '';
  const numbers = digest.documents.map(
    ({ number, title }) => `<th title="${escapeHtml(title)}">${String(number)}</th>`,
  );
  const rows = digest.shared.map(({ term, count, counts }) => {
    const cells = counts.map((own) =>
      own === 0 ? '<td class="none">·</td>' : `<td>${groupDigits(own)}</td>`,
    );
    return `<tr><td>${escapeHtml(term)}</td>${cells.join('')}<td>${groupDigits(count)}</td></tr>`;
  });
  return `<section>
<h2>Terms in common</h2>
<p class="meta">How often each term stands in the documents, numbered as above.</p>
<div class="scroll"><table>
<thead><tr><th>Term</th>${numbers.join('')}<th>All</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table></div>
</section>
`;
}

function renderDocument(document: DigestDocument): string {
  const outline = document.outline.map(
    ({ level, text }) => `<li class="level-${String(Math.min(level, 3))}">${escapeHtml(text)}</li>`,
  );
  const terms = document.terms.map(
    ({ term, count }) => `<li>${escapeHtml(term)} <span>${groupDigits(count)}</span></li>`,
  );
  const quotes = document.excerpt.map((text) => `<p>${escapeHtml(text)}</p>`);
  return `<section id="document-${String(document.number)}">
<h2>${String(document.number)}. ${escapeHtml(document.title)}</h2>
<p class="meta">${escapeHtml(document.kind)} · ${groupDigits(document.words)} words</p>
${renderPart('What sets it apart', `<ul class="terms">${terms.join('')}</ul>`, terms)}${renderPart(
    'Outline',
    `<ul class="outline">\n${outline.join('\n')}\n</ul>`,
    outline,
  )}${renderPart('Opening', `<blockquote>\n${quotes.join('\n')}\n</blockquote>`, quotes)}</section>`;
}

function renderPart(heading: string, markup: string, content: string[]): string {
  return content.length === 0 ? '' : `<h3>${heading}</h3>\n${markup}\n`;
}
