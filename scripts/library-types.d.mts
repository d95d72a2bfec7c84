export function libraryTypes(): string;
export function surfaceText(types: string): string;
