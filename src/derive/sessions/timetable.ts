/** A trading session: business days Monday to Friday of its own zone, holidays not modelled. */
export interface Session {
  readonly name: SessionName;
  readonly displayName: string;
  readonly description: string;
  readonly currencies: readonly string[];
  readonly zone: string;
  /** Full hours of the local clock. */
  readonly opens: number;
  readonly closes: number;
}

export interface Overlap {
  readonly name: string;
  readonly description: string;
  readonly sessions: readonly [Session, Session];
  readonly priority: 'low' | 'medium' | 'high';
  readonly notablePairs: readonly string[];
}

export type SessionName = 'sydney' | 'tokyo' | 'london' | 'new_york';

const sydney: Session = {
  name: 'sydney',
  displayName: 'Sydney',
  description: 'Pacific session',
  currencies: ['AUD', 'NZD'],
  zone: 'Australia/Sydney',
  opens: 8,
  closes: 17,
};

const tokyo: Session = {
  name: 'tokyo',
  displayName: 'Tokyo',
  description: 'Asian session',
  currencies: ['JPY', 'CNY', 'CNH'],
  zone: 'Asia/Tokyo',
  opens: 9,
  closes: 18,
};

const london: Session = {
  name: 'london',
  displayName: 'London',
  description: 'European session',
  currencies: ['GBP', 'EUR', 'CHF'],
  zone: 'Europe/London',
  opens: 8,
  closes: 17,
};

const newYork: Session = {
  name: 'new_york',
  displayName: 'New York',
  description: 'American session',
  currencies: ['USD', 'CAD'],
  zone: 'America/New_York',
  opens: 8,
  closes: 17,
};

/** The four sessions, in the order in which a day passes through them. See docs/interface.md#market-sessions. */
export const SESSIONS: readonly Session[] = [sydney, tokyo, london, newYork];

export const OVERLAPS: readonly Overlap[] = [
  {
    name: 'sydney_tokyo',
    description: 'Pacific and Asian sessions',
    sessions: [sydney, tokyo],
    priority: 'low',
    notablePairs: ['AUD/JPY', 'AUD/USD', 'NZD/USD', 'USD/JPY'],
  },
  {
    name: 'tokyo_london',
    description: 'Asian and European sessions',
    sessions: [tokyo, london],
    priority: 'medium',
    notablePairs: ['EUR/JPY', 'GBP/JPY', 'USD/JPY'],
  },
  {
    name: 'london_new_york',
    description: 'European and American sessions, the busiest hours of the day',
    sessions: [london, newYork],
    priority: 'high',
    notablePairs: ['EUR/USD', 'GBP/USD', 'USD/CHF', 'USD/CAD'],
  },
];
