/** From where to where in a text the functions stand that ran. */
export type Places = readonly (readonly [start: number, end: number])[];

export function compiledEarly(text: string, ran: Places): string;
