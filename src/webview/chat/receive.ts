import type { FromChatPanel, PanelState, ToChatPanel } from '../shared/protocol/protocol.ts';
import type { ComparisonSection } from './comparison/comparisonSection.ts';
import type { Composer } from './composer/composer.ts';
import { fromBase64, scaleImage } from './composer/scaleImage.ts';
import type { DrawLoop } from './drawLoop.ts';
import type { Incoming } from './incoming.ts';
import type { Reveal } from './list/reveal.ts';
import type { Page } from './page.ts';

/** What takes the messages of the extension. */
export interface ReceivingParts {
  readonly page: Page;
  readonly composer: Composer;
  readonly incoming: Incoming;
  readonly reveal: Reveal;
  readonly comparison: ComparisonSection;
  readonly loop: DrawLoop;
  readonly show: (message: MessageOf<'show'>) => void;
  readonly update: (state: PanelState) => void;
  readonly openFind: () => void;
  readonly post: (message: FromChatPanel) => void;
}

export type MessageOf<Type> = Extract<ToChatPanel, { readonly type: Type }>;

/** What each message of the extension does. */
const receivers: { readonly [Type in ToChatPanel['type']]: (message: MessageOf<Type>, parts: ReceivingParts) => void } =
  {
    show: (message, { show }) => show(message),
    patches({ patches }, { incoming, loop, reveal }) {
      const wanted = incoming.receive(patches);
      if (wanted !== undefined) loop.soon(wanted === 'at-once');
      if (!reveal.isWanted) return;
      loop.now();
      reveal.update();
    },
    state: ({ state }, { update }) => update(state),
    files: ({ found }, { page }) => page.files.show(found),
    doesNotFit: (message, { composer }) => composer.holdBack(message),
    takenBack: ({ text }, { composer }) => composer.takeBack(text),
    async scaleImage({ id, mime, data }, { post }) {
      const image = await scaleImage(fromBase64(data, mime)).catch(() => undefined);
      post({ type: 'imageScaled', id, ...(image && { image }) });
    },
    completions: (message, { composer }) => composer.complete(message),
    reveal({ message, words }, { comparison, reveal }) {
      comparison.leave();
      reveal.begin(message, words);
    },
    comparison: (message, { comparison }) => comparison.show(message),
    columns({ patches }, { comparison, loop, post }) {
      if (comparison.receive(patches)) loop.soon();
      else post({ type: 'ready' });
    },
    offerComparison: (_, { composer, post }) => post({ type: 'compareAnswers', text: composer.text() }),
    offerRequest: (_, { composer, post }) => post({ type: 'copyRequest', text: composer.text() }),
    wasAsked: ({ text }, { composer }) => composer.remove(text),
    find: (_, { openFind }) => openFind(),
    confidence: ({ message, view }, { page }) => page.confidences.get(message)?.(view),
    data: ({ message, view }, { page }) => page.data.get(message)?.(view),
    drawer: (_, { composer }) => takeFocus(composer.drawer.open),
    fieldProblem: ({ name, problem }, { composer }) => composer.drawer.showProblem(name, problem),
    focus: (_, { composer }) => takeFocus(composer.focus),
  };

/** Takes a message of the extension. */
export function receive(message: ToChatPanel, parts: ReceivingParts): void {
  receivers[message.type](message as never, parts);
}

/**
 * VS Code gives the view the focus by itself. A message that comes later, when the user has gone on to a list, must not
 * take the focus back: the list would close.
 */
export function takeFocus(focus: () => void): void {
  if (document.hasFocus()) focus();
  else addEventListener('focus', focus, { once: true });
}
