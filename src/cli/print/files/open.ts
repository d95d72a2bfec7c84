import type { ExportFormat } from '../format.ts';
import type { FileTableWriter, TableFile } from './table.ts';

/** The writer of a format; its library is loaded here, when a file is written. */
export async function tableWriter(format: ExportFormat, file: TableFile): Promise<FileTableWriter> {
  if (format === 'parquet') return (await import('./parquet.ts')).parquetWriter(file);
  if (format === 'xlsx') return (await import('./xlsx.ts')).xlsxWriter(file);
  const { csvWriter, ndjsonWriter } = await import('./lines.ts');
  return format === 'csv' ? csvWriter(file) : ndjsonWriter(file);
}
