import { type HeadForm, headFormOf } from '../../platform/shortcut/head-form.ts';
import type { Shortcut } from '../../platform/shortcut/shortcut.ts';
import { answerDelivery, headerPairs, type Receiving } from './answer-delivery.ts';
import { isDeliveryHeader } from './delivery-headers.ts';

export interface ReceiverShortcutParts extends Receiving {
  /** True for the address that takes deliveries. */
  readonly isTakenAt: (url: string) => boolean;
  /** Bytes of a delivery, at most. */
  readonly maxBytes: number;
  /** A server that stops answers by the ordinary way. */
  readonly isClosing: () => boolean;
}

/** Forms that are known at a time: most senders and proxies have one or two. The one that was used longest ago goes. */
const MAX_FORMS = 16;

/**
 * Makes the way around the parser, for whole deliveries whose head differs from an earlier one in the values of a delivery alone.
 * Everything that is decided is decided as for any other, by the same functions.
 */
export function createReceiverShortcut(parts: ReceiverShortcutParts): Shortcut {
  const { isTakenAt, maxBytes, isClosing } = parts;
  /** The one that fitted last comes first. */
  let forms: readonly HeadForm[] = [];
  const toFront = (form: HeadForm) => {
    forms = [form, ...forms.filter((one) => one !== form)].slice(0, MAX_FORMS);
  };
  return {
    method: 'POST',
    learn({ url, rest, body }, { rawHeaders }) {
      if (!isTakenAt(url) || forms.some((form) => form.read(rest, body.length))) return;
      // What is kept is a text of its own, not a part of a longer one.
      const form = headFormOf(rest, rawHeaders, isDeliveryHeader);
      // A form with a value that is not plain would fit no head, and cost another its place.
      if (form?.read(rest, body.length)) toFront(form);
    },
    take({ url, rest, body }, peer) {
      if (body.length > maxBytes || isClosing() || !isTakenAt(url)) return false;
      for (const form of forms) {
        const headers = form.read(rest, body.length);
        if (!headers) continue;
        if (form !== forms[0]) toFront(form);
        peer.defer();
        void answerDelivery({ headers: headerPairs(headers), body }, peer, parts);
        return true;
      }
      return false;
    },
  };
}
