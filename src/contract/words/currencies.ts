/** Currency tables of the specification ("Currency sets"), as data: they age, see the notes on drift there. */
const list = (codes: string): readonly string[] => codes.trim().split(/\s+/);

/** forex, rate differentials, data catalogue, predictions, announcements. */
export const MAIN_CURRENCIES = list('AUD BRL CAD CHF CNH CNY DKK EUR GBP ILS JPY NGN NOK NZD PEN SEK THB USD');

export const CALENDAR_CURRENCIES =
  list(`AED ARS AUD BOB BRL CAD CHF CLP CNH CNY COMM COP CZK DKK DZD EGP EUR GBP HKD HUF
  IDR ILS INR JPY KRW MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN RUB SAR SEK SGD THB TRY TWD USD UYU VND ZAR`);

export const CURVE_CURRENCIES =
  list(`ARS AUD BRL CAD CHF CNH CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY MXN MYR NGN NOK
  NZD PEN PLN SEK SGD THB TRY USD XOF ZAR`);

export const PRESS_CURRENCIES = list(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD INR JPY MXN NOK NZD PEN PLN SEK SGD THB USD ZAR',
);

export const FACTOR_CURRENCIES = list('AUD CAD CHF EUR GBP JPY NZD USD');

/** See docs/interface.md#positions-of-traders. */
export const COT_CURRENCIES = list('AUD CAD CHF EUR GBP JPY MXN NZD USD XAU');
