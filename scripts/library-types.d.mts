export function libraryTypes(): Promise<string>;
export function surfaceText(types: string): string;
