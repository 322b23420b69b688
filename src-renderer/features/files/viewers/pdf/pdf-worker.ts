// Receives its work through the port that it is started with.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
