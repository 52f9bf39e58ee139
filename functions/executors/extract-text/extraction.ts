/** What `extract-text` gives. Equal bytes give an equal extraction. */
export type Extraction = DocumentExtraction | PresentationExtraction;

export interface DocumentExtraction extends ExtractionHead {
  format: 'docx';
  paragraphs: Paragraph[];
}

export interface PresentationExtraction extends ExtractionHead {
  format: 'pptx';
  slides: Slide[];
}

interface ExtractionHead {
  /** What a reader sees as the title, else the title property, else the first words; null for a document without text. */
  title: string | null;
  headings: Heading[];
  words: number;
  /** All text in reading order, a line for each paragraph. */
  text: string;
}

interface Heading {
  /** 1 to 9. */
  level: number;
  text: string;
}

export interface Paragraph {
  kind: 'title' | 'heading' | 'paragraph' | 'list' | 'row' | 'note';
  /** Heading level from 1, or list depth from 1. */
  level?: number;
  text: string;
  /** Cells of a table row, left to right. */
  cells?: string[];
}

export interface Slide {
  number: number;
  title: string | null;
  paragraphs: Paragraph[];
  /** The speaker's notes, a text for each paragraph. */
  notes: string[];
}
