// Lists what is bundled: a bill of materials in the format of CycloneDX, and the licences with their texts.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.mjs';

const TOOL = join(root, 'node_modules', '@cyclonedx', 'cyclonedx-esbuild', 'bin', 'cyclonedx-esbuild-cli.js');
const RULE = '-'.repeat(80);

/** Writes both files into `folder`. `files`: what the bundles hold, from `bundledFiles`, and what they carry as data. */
export function writeBill(files, folder) {
  const bill = billOf(files, join(folder, 'metafile.json'));
  writeFileSync(join(folder, 'LICENSES.txt'), bill.components.map(licenceOf).join(`\n${RULE}\n\n`));
  for (const component of [bill.metadata.component, ...bill.components]) delete component.evidence;
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill)}\n`);
}

/** Files of packages that a bundle took something from. */
export function bundledFiles({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      file.startsWith('node_modules/') && bytesInOutput > 0 ? [file] : [],
    ),
  );
}

function billOf(files, metafile) {
  const inputs = Object.fromEntries(files.map((file) => [file, { bytesInOutput: 1 }]));
  writeFileSync(metafile, JSON.stringify({ inputs: {}, outputs: { bundle: { inputs } } }));
  const options = ['--gather-license-texts', '--output-reproducible', '--build-working-dir', root, metafile];
  const text = execFileSync(process.execPath, [TOOL, ...options], {
    ...{ cwd: root, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 27 },
  });
  rmSync(metafile);
  return JSON.parse(text);
}

function licenceOf({ group, name, version, licenses = [], evidence }) {
  const terms = licenses.map(({ expression, license }) => expression ?? license.id ?? license.name).join(', ');
  const texts = (evidence?.licenses ?? []).map(({ license }) =>
    Buffer.from(license.text.content, license.text.encoding ?? 'utf8')
      .toString()
      .replaceAll('\r\n', '\n')
      .trim(),
  );
  const heading = `${group ? `${group}/` : ''}${name} ${version}: ${terms}`;
  if (texts.length === 0) texts.push('The package has no file with the text of its licence.');
  return `${[heading, ...texts].join('\n\n')}\n`;
}
