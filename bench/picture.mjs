// Pictures of measurements: lines in panels, one below the other, as SVG.

const [WIDTH, HEIGHT, LEFT, BETWEEN] = [720, 150, 60, 195];

/**
 * A picture whose panels share their horizontal axis. Each panel has the title and the points of its line: `x` from 0 to 1,
 * `y` from zero to a bit above the most. `ticks` are texts below the axis, each at its `x`.
 */
export function picture(title, { panels, ticks }) {
  const height = panels.length * BETWEEN + 30;
  const lines = panels.map((panel, i) => linesOf(panel, 30 + i * BETWEEN));
  const texts = ticks.map(({ x, text }, i) => {
    const anchor = i === 0 ? 'start' : i === ticks.length - 1 ? 'end' : 'middle';
    return `<text x="${LEFT + x * WIDTH}" y="${height - 17}" text-anchor="${anchor}">${text}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ${height}" font-family="sans-serif" font-size="13">
<title>${title}</title>
<rect width="800" height="${height}" fill="#fff"/>
${[...lines, ...texts].join('\n')}
</svg>
`;
}

function linesOf({ title, points }, top) {
  const most = Math.max(Number.MIN_VALUE, ...points.map(({ y }) => y)) * 1.2;
  const at = ({ x, y }) => `${(LEFT + x * WIDTH).toFixed(1)},${(top + HEIGHT - (y / most) * HEIGHT).toFixed(1)}`;
  return `<text x="${LEFT}" y="${top - 8}">${title}</text>
<path d="M${LEFT} ${top}V${top + HEIGHT}H${LEFT + WIDTH}" fill="none" stroke="#888"/>
<polyline points="${points.map(at).join(' ')}" fill="none" stroke="#1f6feb" stroke-width="1.5"/>`;
}
