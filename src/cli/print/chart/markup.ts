/** Texts of a chart in a document of tags. */
import { cleanText } from '../text.ts';

/** Names and titles come from the service: none of them may become markup or turn the text around. */
export function escapeXml(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return cleanText(text)
    .replace(/[&<>"']/g, (sign) => named[sign] ?? '')
    .replace(/[\ufffe\uffff]/g, '\ufffd');
}

/** Colours by the wish of the reader's system. Told apart by people who see colours differently: the palette of Okabe and Ito. */
const LIGHT =
  '--ground:#fff;--ink:#222;--soft:#666;--rule:#e2e2e2;--mark:#b00020;--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#b07d00;--c5:#56b4e9;--c6:#7a5195;--c7:#666';
const DARK =
  '--ground:#16181d;--ink:#e8e8e8;--soft:#a0a4ab;--rule:#343841;--mark:#ff7b7b;--c0:#56b4e9;--c1:#ff9352;--c2:#2fc79b;--c3:#e59cc4;--c4:#f0c040;--c5:#9ad7ff;--c6:#b79ae0;--c7:#b5b5b5';
export const PALETTE = `:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}`;

/** The drawing with its light colours spelled out, for readers that know no variables. */
export function lightColours(svg: string): string {
  const colours = new Map(LIGHT.split(';').map((one) => one.split(':') as [string, string]));
  return svg.replace(PALETTE, '').replace(/var\((--\w+)\)/g, (whole, name: string) => colours.get(name) ?? whole);
}

const HUES = 8;

export const hueOf = (line: number) => `var(--c${line % HUES})`;
