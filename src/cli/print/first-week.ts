/** The page of `macro` without words: the commands of a first week, on one screen of 80 columns and 24 lines. */
export const FIRST_WEEK = `Macroeconomic data for currencies: ask, store, serve.

Start with:
  macro demo                                    see it work, without a key
  macro import ecb eurofxref-hist.zip           load official euro rates
  macro fx eur usd --indicators all             a pair with its indicators
  macro announcements usd inflation             releases with their times
  macro why eur/usd 2026-04-10                  where a number came from

With a service:
  macro init                                    choose it, and store your key
  macro track add fx eur usd, calendar usd      choose the series to keep
  macro sync                                    bring them up to date
  macro status                                  see fresh, old and missing data
  macro next usd                                see the coming releases
  macro serve                                   the mirror as a /v1 API

macro --help lists all commands, macro COMMAND --help explains one,
macro search cpi finds names, and macro manual opens the documents.
`;
