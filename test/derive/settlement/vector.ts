/** The vector of docs/interface-events.md#attestation: the private seed is the bytes 00 to 1f. */
export const RECORD =
  '{"record_version":"1","contract_id":"usd_inflation_threshold","currency":"USD","indicator":"inflation","name":"Inflation (CPI)","unit":"%YoY","publisher":"BLS","source_url":"https://stats.example/cpi","period":"2026-09-30","status":"settled","precision":1,"first_print":{"val":3.2,"announcement_datetime":"2026-10-14T12:30:00Z"},"settlement_value":3.2,"latest_value":3.0,"revised":true,"release_timing":{"scheduled_at":"2026-10-14T12:30:00Z","published_after":"2026-10-14T12:29:59Z","published_by":"2026-10-14T12:30:01Z","ingested_at":"2026-10-14T12:30:02Z","latency_ms":1000,"latency_status":"measured"},"outcome":{"strike":3.0,"comparison":"gt","resolves_yes":true},"attestation":{"canonicalization":"RFC8785","sha256":"c6aa4746e3c547c9f7a0d682e3ea2303d7b9569675ae9e05194043eb0ddf85d0","algorithm":"Ed25519","key_id":"ed25519-56475aa75463474c","signature":"Mi00gY5CIvVjWfsXkNEoC6q2t2ypjcSdSlnHGBaCLBbbuVCV2P/kxrjSvuWdqf51uPqIUSiwjvv6MatBExlXBA==","signed_at":"2026-10-14T12:30:03Z"}}';

export const CANONICAL =
  '{"contract_id":"usd_inflation_threshold","currency":"USD","first_print":{"announcement_datetime":"2026-10-14T12:30:00Z","val":3.2},"indicator":"inflation","latest_value":3,"name":"Inflation (CPI)","outcome":{"comparison":"gt","resolves_yes":true,"strike":3},"period":"2026-09-30","precision":1,"publisher":"BLS","record_version":"1","release_timing":{"ingested_at":"2026-10-14T12:30:02Z","latency_ms":1000,"latency_status":"measured","published_after":"2026-10-14T12:29:59Z","published_by":"2026-10-14T12:30:01Z","scheduled_at":"2026-10-14T12:30:00Z"},"revised":true,"settlement_value":3.2,"source_url":"https://stats.example/cpi","status":"settled","unit":"%YoY"}';

export const KEY = {
  key_id: 'ed25519-56475aa75463474c',
  algorithm: 'Ed25519',
  public_key: 'A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg',
    kid: 'ed25519-56475aa75463474c',
  },
  status: 'active',
  valid_from: '2026-10-01T00:00:00Z',
};

export const KEYS = { count: 1, keys: [KEY] };
