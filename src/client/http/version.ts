/** Version that requests are signed with in `User-Agent`; a test keeps it equal to the package's. */
export const CLIENT_VERSION = '0.1.0';
