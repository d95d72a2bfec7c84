/** The zone and plausible local release times of a currency's invented publishers. */
export interface Publisher {
  readonly currency: string;
  readonly zone: string;
  /** Local times in minutes after midnight, by the desk that releases. */
  readonly times: Readonly<Record<Desk, number>>;
}

export const DESKS = ['statistics', 'bank', 'market'] as const;
export type Desk = (typeof DESKS)[number];

/** The character of an economy, for the level of its series. */
export interface Economy {
  /** Yearly output in thousand millions of the currency. */
  readonly output: number;
  /** Working people in thousands. */
  readonly workers: number;
  /** Typical policy rate, per cent. */
  readonly rate: number;
  /** Target of inflation, per cent. */
  readonly target: number;
}

const clock = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
};

// Currency, zone, statistics, central bank, market close.
const PLACES = `
AED Asia/Dubai 10:00 14:00 16:00
ARS America/Argentina/Buenos_Aires 16:00 17:00 17:30
AUD Australia/Sydney 11:30 14:30 16:30
BOB America/La_Paz 09:00 12:00 16:00
BRL America/Sao_Paulo 09:00 18:30 18:45
CAD America/Toronto 08:30 09:45 16:30
CHF Europe/Zurich 08:30 09:30 17:30
CLP America/Santiago 09:00 18:00 18:15
CNH Asia/Hong_Kong 10:00 15:00 17:00
CNY Asia/Shanghai 09:30 09:15 17:00
COMM America/New_York 10:30 10:30 15:30
COP America/Bogota 10:00 13:00 16:00
CZK Europe/Prague 09:00 14:30 17:00
DKK Europe/Copenhagen 08:00 16:00 17:00
DZD Africa/Algiers 10:00 14:00 16:00
EGP Africa/Cairo 10:00 17:00 17:30
EUR Europe/Berlin 11:00 14:15 17:45
GBP Europe/London 07:00 12:00 16:30
HKD Asia/Hong_Kong 16:30 16:35 17:00
HUF Europe/Budapest 08:30 14:00 17:00
IDR Asia/Jakarta 11:00 14:20 16:30
ILS Asia/Jerusalem 13:00 16:00 17:30
INR Asia/Kolkata 16:00 10:00 17:00
JPY Asia/Tokyo 08:30 12:00 15:30
KRW Asia/Seoul 08:00 10:00 15:45
MAD Africa/Casablanca 10:00 15:00 16:00
MXN America/Mexico_City 06:00 13:00 15:00
MYR Asia/Kuala_Lumpur 12:00 15:00 17:00
NGN Africa/Lagos 10:00 14:00 16:00
NOK Europe/Oslo 08:00 10:00 16:30
NZD Pacific/Auckland 10:45 14:00 16:30
PEN America/Lima 09:00 18:00 18:15
PHP Asia/Manila 09:00 15:00 16:30
PKR Asia/Karachi 11:00 16:00 16:30
PLN Europe/Warsaw 10:00 15:00 17:00
RUB Europe/Moscow 19:00 13:30 19:10
SAR Asia/Riyadh 10:00 14:00 15:30
SEK Europe/Stockholm 08:00 09:30 17:30
SGD Asia/Singapore 13:00 08:00 17:30
THB Asia/Bangkok 10:30 14:00 16:45
TRY Europe/Istanbul 10:00 14:00 18:00
TWD Asia/Taipei 16:00 16:15 16:30
USD America/New_York 08:30 14:00 16:15
UYU America/Montevideo 14:00 18:00 18:15
VND Asia/Ho_Chi_Minh 09:00 14:00 16:00
ZAR Africa/Johannesburg 10:00 15:00 17:00
`;

// Currency, output, workers, mean rate, target.
const ECONOMIES = `
AUD 2700 14500 3.1 2.5
BRL 11700 101000 10.5 3.0
CAD 3000 20500 2.9 2.0
CHF 800 4700 0.8 1.0
CNH 135000 740000 2.2 2.0
CNY 135000 740000 2.0 2.0
DKK 2900 3000 1.9 2.0
EUR 15200 171000 2.0 2.0
GBP 2850 33800 3.2 2.0
ILS 2000 4400 3.0 2.0
JPY 609000 67800 0.6 2.0
NGN 270000 76000 16.0 9.0
NOK 5200 2900 2.8 2.0
NZD 420 2900 3.2 2.0
PEN 1100 17300 4.0 2.0
SEK 6400 5200 1.9 2.0
THB 18500 39800 1.8 2.0
USD 29000 161000 3.4 2.0
`;

const table = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '));

const publishers: ReadonlyMap<string, Publisher> = new Map(
  table(PLACES).map(([currency = '', zone = 'UTC', statistics = '', bank = '', market = '']) => [
    currency,
    { currency, zone, times: { statistics: clock(statistics), bank: clock(bank), market: clock(market) } },
  ]),
);

const economies: ReadonlyMap<string, Economy> = new Map(
  table(ECONOMIES).map(([currency = '', output, workers, rate, target]) => [
    currency,
    { output: Number(output), workers: Number(workers), rate: Number(rate), target: Number(target) },
  ]),
);

/** The publisher of a currency; one at UTC for a currency without a line of its own. */
export function publisherOf(currency: string): Publisher {
  return publishers.get(currency) ?? { currency, zone: 'UTC', times: { statistics: 540, bank: 720, market: 960 } };
}

/** The economy of a currency; a middling one for a currency without a line of its own. */
export function economyOf(currency: string): Economy {
  return economies.get(currency) ?? { output: 1000, workers: 10_000, rate: 3, target: 2 };
}
