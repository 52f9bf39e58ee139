import { FunctionFailure } from '../function-failure.ts';
import { functionLimits } from '../function-limits.ts';
import { chooseTitle } from './choose-title.ts';
import type { PresentationExtraction, Slide } from './extraction.ts';
import { findRelatedPart, listRelationships, readTitleProperty } from './find-related-part.ts';
import type { OfficePackage } from './open-office-package.ts';
import { findChild, parseXml } from './parse-xml.ts';
import { readShapes } from './read-shapes.ts';
import { countWords, createTextBudget, type TextBudget } from './text-budget.ts';

/** Reads the slides of a PPTX in the order in which they are shown, with the speaker's notes. */
export function readPptx(source: OfficePackage): PresentationExtraction {
  const budget = createTextBudget();
  const slides = listSlideParts(source).map((part, index) =>
    readSlide(source, part, index + 1, budget),
  );
  const titles = slides.flatMap(({ title }) => (title === null ? [] : [title]));
  const lines = slides.flatMap((slide) => [
    ...(slide.title === null ? [] : [slide.title]),
    ...slide.paragraphs.map((paragraph) => paragraph.text),
    ...slide.notes,
  ]);
  const text = lines.join('\n');
  return {
    format: 'pptx',
    title: chooseTitle([slides[0]?.title, readTitleProperty(source), titles[0], lines[0]]),
    headings: titles.map((title) => ({ level: 1, text: title })),
    slides,
    words: countWords(text),
    text,
  };
}

function listSlideParts(source: OfficePackage): string[] {
  const part = findRelatedPart(source, '', 'officeDocument');
  const presentation = part === null ? null : parseXml(part, source.readXml(part));
  if (part === null || presentation?.name !== 'presentation') {
    throw new FunctionFailure(
      'INPUT_INVALID',
      'the document is declared as a PPTX, but it holds no presentation; declare its real media type',
    );
  }
  const targets = new Map(
    listRelationships(source, part).map((entry) => [entry.id, entry] as const),
  );
  const listed = findChild(presentation, 'sldIdLst')?.children ?? [];
  if (listed.length > functionLimits.slides) {
    throw new FunctionFailure(
      'LIMIT_EXCEEDED',
      `the presentation has ${String(listed.length)} slides; at most ${String(functionLimits.slides)} are read`,
    );
  }
  return listed.flatMap(({ attributes }) => {
    const reference = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1];
    const entry = targets.get(reference ?? '');
    return entry?.type === 'slide' ? [entry.target] : [];
  });
}

function readSlide(source: OfficePackage, part: string, number: number, budget: TextBudget): Slide {
  const shapes = readShapes(parseXml(part, source.readXml(part)), budget);
  const notesPart = findRelatedPart(source, part, 'notesSlide');
  const notes =
    notesPart === null
      ? []
      : readShapes(parseXml(notesPart, source.readXml(notesPart)), budget)
          .filter((shape) => shape.placeholder === 'body')
          .flatMap((shape) => shape.paragraphs.map((paragraph) => paragraph.text));
  const isTitle = (placeholder: string | null) =>
    placeholder === 'title' || placeholder === 'ctrTitle';
  const title = shapes
    .filter((shape) => isTitle(shape.placeholder))
    .flatMap((shape) => shape.paragraphs.map((paragraph) => paragraph.text))
    .join(' ');
  return {
    number,
    title: title === '' ? null : title,
    paragraphs: shapes
      .filter((shape) => !isTitle(shape.placeholder))
      .flatMap((shape) => shape.paragraphs),
    notes,
  };
}
